// SPDX-License-Identifier: MIT
//
// What the best of a match are honoured for: kills, squishes, catches, aim. From the world alone, so that everybody
// reads the same.
#ifndef APP_AWARDS_H
#define APP_AWARDS_H

#include "game/world.h"

/// Awards of a match at most.
#define AWARD_CAPACITY 4

/// One award.
struct award {
    const char *title; ///< "Sharpest aim"
    uint32_t slot;     ///< who has it; of equals the first
    uint32_t value;    ///< a count, of the aim hits of 100 shots
    const char *unit;  ///< "kills", "% hits"
};

/// The awards of a world; those that nobody has earned are left out. Returns how many.
uint32_t awards_of(const struct world *world, struct award awards[AWARD_CAPACITY]);

#endif
