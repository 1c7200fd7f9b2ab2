// SPDX-License-Identifier: MIT
//
// Corrections made gentle, for the eye alone: when a corrected present differs from the one that was drawn, the
// difference is remembered and melts away over the next ticks, a seventh of a second for most. The worlds stay exact.
// Called by the client after each correction and each tick; read by the view.
#ifndef CLIENT_SMOOTHING_H
#define CLIENT_SMOOTHING_H

#include "pose.h"

/// A difference in sub.
struct smoothing_error {
    int32_t x, y;
};

/// Zero-initialise.
struct smoothing {
    struct smoothing_error now[POSE_CAPACITY];    ///< at the present tick
    struct smoothing_error before[POSE_CAPACITY]; ///< at the tick before
    struct pose places[2][POSE_CAPACITY];         ///< of the worlds being compared
};

/// The present was `drawn` and is `corrected` now (of the same tick). Another life, or more than two bodies: no error.
void smoothing_correct(struct smoothing *smoothing, const struct map *map, const struct world *drawn,
                       const struct world *corrected);

/// A tick passes.
void smoothing_decay(struct smoothing *smoothing);

#endif
