// SPDX-License-Identifier: MIT
//
// The awards of the scoreboard: who did most of what in a match. A pure function of the counters of the players, so
// that everybody sees the same and nothing of it has to be sent.
#ifndef GAME_AWARDS
#define GAME_AWARDS

#include "game/state.h"

/// What for.
enum award_kind {
    AWARD_KILLS,    ///< most kills
    AWARD_SQUISHES, ///< most players squished
    AWARD_CATCHES,  ///< most arrows caught
    AWARD_ACCURACY, ///< best hits of shots, of at least AWARD_SHOTS_LEAST shots; value: per cent
    AWARD_KINDS
};

/// Fewer shots than these prove nothing.
#define AWARD_SHOTS_LEAST 5

/// One award.
struct award {
    enum award_kind kind;
    uint32_t slot;
    uint32_t value; ///< how many; never 0
};

/// Writes the awards of the present match, in the order of their kinds; what nobody did is left out, and so is who
/// left. Of equals the one with more points gets it, then the one in the lower slot. Returns how many.
uint32_t awards_compute(const struct world *world, struct award awards[AWARD_KINDS]);

#endif
