// SPDX-License-Identifier: MIT
//
// Where the centre of a ball may be and go (private), in terms of pixels that block: a seam between two solids or tiles
// is inside of them like any other place. Used by the ball's own step (ball.c) and by the solids that push it
// (ball_push.c).
#ifndef DF_BALL_PATH_H
#define DF_BALL_PATH_H

#include "sweep.h"

/// A straight way of a centre, at most a pixel long, sub.
struct df_ball_way {
    int32_t x, y;
};

/// Returns true if a pixel blocks.
static inline bool df_ball_path_pixel_blocked(const struct df_space *space, int32_t x, int32_t y)
{
    return df_sweep_blocked(space, (struct df_box){x, y, 1, 1});
}

/// Returns true if the centre is inside of what blocks: all pixels that it touches do, two or four of them on a seam.
bool df_ball_path_is_enclosed(const struct df_space *space, const struct df_ball *ball);

/// Returns true if a way leads the centre through what blocks, if only through the tip of a corner. None is blocked
/// that begins inside.
bool df_ball_path_is_blocked(const struct df_space *space, const struct df_ball *ball, struct df_ball_way way);

#endif
