// SPDX-License-Identifier: MIT
//
// Hides corrections from the eye. When a corrected present differs from the one that was drawn, the difference is
// remembered and fades over the next ticks: most of it within a seventh of a second, but no faster than a player's
// figure may move in a frame. The worlds stay exact. Called by the client after each correction and each tick; read by
// the view.
#ifndef CORE_SMOOTHING_H
#define CORE_SMOOTHING_H

#include "pose.h"

/// A difference in sub (1/256 px).
struct smoothing_error {
    int32_t x, y;
};

/// Zero-initialise, but for the slot.
struct smoothing {
    uint32_t slot;                                ///< own player, who is drawn before they are confirmed
    struct smoothing_error now[POSE_CAPACITY];    ///< at the present tick
    struct smoothing_error before[POSE_CAPACITY]; ///< at the tick before
    struct pose poses_now[POSE_CAPACITY];         ///< of the present, without errors
    struct pose poses_before[POSE_CAPACITY];      ///< of the tick before
    struct pose held[PLAYER_CAPACITY];            ///< where a player was last drawn alive
};

/// Goes on to the next present, which is made from the `confirmed` world, and lets the differences fade by a tick.
void smoothing_advance(struct smoothing *smoothing, const struct map *map, const struct world *before,
                       const struct world *present, const struct world *confirmed);

/// Adds the difference between the present that was drawn and the corrected one, which is made from the `confirmed`
/// world. After a refuted death, or a refuted new life, a player comes from where they were last drawn. Poses of
/// another life, or too far apart, and players who appear only in the prediction are not smoothed.
void smoothing_correct(struct smoothing *smoothing, const struct map *map, const struct world *before,
                       const struct world *present, const struct world *confirmed);

#endif
