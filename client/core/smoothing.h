// SPDX-License-Identifier: MIT
//
// Hides corrections from the eye. When a corrected present differs from the one that was drawn, the difference is
// remembered and fades over the next ticks, most of it within a seventh of a second. The worlds stay exact. Called by
// the client after each correction and each tick; read by the view.
#ifndef CORE_SMOOTHING_H
#define CORE_SMOOTHING_H

#include "pose.h"

/// A difference in sub (1/256 px).
struct smoothing_error {
    int32_t x, y;
};

/// Zero-initialise.
struct smoothing {
    struct smoothing_error now[POSE_CAPACITY];    ///< at the present tick
    struct smoothing_error before[POSE_CAPACITY]; ///< at the tick before
    struct pose poses[2][POSE_CAPACITY];          ///< of the worlds being compared
};

/// Adds the difference between the present as `drawn` and as `corrected`, of the same tick. Poses of another life, or
/// more than two bodies apart, are not smoothed.
void smoothing_correct(struct smoothing *smoothing, const struct map *map, const struct world *drawn,
                       const struct world *corrected);

/// Lets the differences fade by one tick.
void smoothing_decay(struct smoothing *smoothing);

#endif
