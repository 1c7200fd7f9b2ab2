// SPDX-License-Identifier: MIT
//
// Balls: circles that bounce off solids, tiles and blocks with their speed preserved exactly.
// A ball travels in sub-steps of at most one pixel, so it cannot tunnel. Balls ignore actors, balls, one-ways and
// hazards. A moving solid pushes a ball out along the move's axis and hits it like a paddle.
//
// Sub-steps: a tick has n = max(1, ceil(max(|vx|, |vy|) / 256)) of them; in the i-th, 1 to n, each axis travels
// sign(v) * (|v| * i / n - |v| * (i - 1) / n) with the speed it has then, x and y at once. Then the table is asked of
// each touched rectangle, solids in index order, tiles row by row, all with the speed before this sub-step's bounces.
// A corner that is no real corner: of the four pixels around its point the rectangle covers one; where another of them
// is blocked, the surface goes on there and the neighbour's face answers. Such a corner is passed over, except that a
// centre exactly in line with the seam (gap 0 on the axis along the surface) sees the face itself.
// Then vx is negated if any answer was left/right, vy if any was top/bottom. If neither was, corners turn the ball, but
// corners on both sides of it in x act as one top/bottom, on both sides in y as one left/right (else the mirrored ball
// would differ). If one axis was negated, corners act as the face of the other axis (else a ball that rolls on a floor
// would sink into a step); if both were, they are passed over. Corners are told as what they acted as.
//
// A full solid comes onto a ball in a unit step if it then overlaps the circle (distance < r) and is nearer to the
// centre than before the step, or is around it; a platform that slides beneath a ball does not. After the actors, a
// ball is pushed by the fewest whole pixels that clear it of all solids that came onto it. Where it would then be more
// than one pixel deep (a bounce leaves it up to one deep) in another full solid or tile, nearer to it than before or
// around its centre, it is squished where it stands. The first push of a call along an axis adds the amount of the call
// to the ball's speed on it, unless that speed leads away from the solid; the sum stays within the 64 px.
#ifndef DF_BALL_H
#define DF_BALL_H

#include "box.h"

struct df_space;

/// Most things met that are told in one sub-step.
#define DF_BALL_HITS_CAPACITY 32

/// Bits of `df_ball.flags`.
enum df_ball_flags {
    DF_BALL_ALIVE = 1u << 0,
    DF_BALL_INSIDE = 1u << 1, ///< its centre lay inside a rectangle when last stepped; never silent
};

/// One ball: six 32-bit fields without padding.
struct df_ball {
    int32_t cx, cy;    ///< centre, sub
    int32_t radius_px; ///< radius, px, 1 to 64
    int32_t vx, vy;    ///< velocity, sub per tick, each at most 64 px per tick
    uint32_t flags;    ///< enum df_ball_flags
};

/// Which face a ball met.
enum df_bounce {
    DF_BOUNCE_NONE,
    DF_BOUNCE_CORNER,     ///< maps the mirrored (u, v) to (-v, -u)
    DF_BOUNCE_LEFT_RIGHT, ///< negates vx
    DF_BOUNCE_TOP_BOTTOM, ///< negates vy
    DF_BOUNCE_INSIDE,     ///< centre inside the rectangle: reported, speed unchanged
};

/// What a ball met in a sub-step.
struct df_ball_hit {
    enum df_bounce bounce;
    int32_t solid;       ///< index, or -1 for a tile
    int32_t column, row; ///< of the tile
};

/// The table of the contract for one ball and one rectangle (px) where they stand: which face, by position and speed.
/// Does not change the ball.
enum df_bounce df_ball_against(const struct df_ball *ball, struct df_box rectangle);

/// Applies the bounce of df_ball_against() to the ball's speed and returns it.
enum df_bounce df_ball_bounce(struct df_ball *ball, struct df_box rectangle);

/// One tick of a ball: it travels its velocity in sub-steps of at most 1 px and bounces. Each thing met is told to
/// `rules.ball_hit`, in order, after the sub-step's bounce (at most DF_BALL_HITS_CAPACITY in a sub-step; more still
/// bounce). DF_OUT_OF_RANGE for a bad index, place, radius or speed.
enum df_result df_ball_step(struct df_space *space, int32_t ball);

#endif
