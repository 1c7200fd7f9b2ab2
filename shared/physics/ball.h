// SPDX-License-Identifier: MIT
//
// Balls: circles that bounce off solids, tiles and blocks and keep their speed exactly.
// A ball moves in sub-steps no longer than its radius, and never gets inside of anything (law P8), unless it began so
// or `rules.ball_squish` left it so. Balls ignore actors, balls, one-ways and hazards. A moving solid pushes a ball out
// along the axis of its move and hits it like a paddle.
//
// Sub-steps: a tick has the fewest, n, with ceil(|vx| / n)^2 + ceil(|vy| / n)^2 <= 256^2, so none is longer than a
// pixel. In sub-step i, 1 to n, each axis moves by sign(v) * (|v| * i / n - |v| * (i - 1) / n) with the speed it has
// then, x and y at once; if a rule has sped the ball up, by half of that, and again, until it is as short. A ball stays
// for a sub-step that would take it beyond the coordinates, or would lead its centre straight through
// anything, if only through the tip of a corner or along a seam (then it meets again what it touches). Then the table
// applies to each touched rectangle, solids in index order, tiles row by row, all with the speed before this sub-step's
// bounces. Some corners are not real: of the four pixels around its point the rectangle covers one; where another of
// them is blocked, the surface continues and the neighbour's face decides. Such a corner is skipped, except that a
// centre exactly in line with the seam (gap 0 on the axis along the surface) meets the face itself. Then vx is negated
// if any result was left/right, vy if any was top/bottom. If neither was, corners turn the ball, but corners on both
// sides of it in x act as one top/bottom, on both sides in y as one left/right (else the mirrored ball would differ).
// If one axis was negated, corners act as the face of the other axis (else a ball that rolls on a floor would sink into
// a step); if both were, they are skipped. A corner is reported as what it acted as.
//
// A full solid runs into a ball in a unit step if it then overlaps the circle (distance < r) and is nearer to the
// centre than before the step, or is around it; a platform that slides beneath a ball does not. After the actors, a
// ball is pushed by the fewest whole pixels that clear it of all solids that ran into it. Where it would then be more
// than one pixel deep (a bounce leaves it up to one deep) in another full solid or tile, nearer to it than before or
// around its centre, or its centre would be on a seam between such, it is squished where it stands. The first push of a
// call along an axis adds the amount of the call to the ball's speed on it, unless that speed leads away from the
// solid; the sum stays within the 64 px.
#ifndef DF_BALL_H
#define DF_BALL_H

#include "types.h"

/// Returns the face of a rectangle (px) that a ball meets where it stands, by position and speed: the table of the
/// contract for one ball and one rectangle. Does not change the ball. DF_BOUNCE_NONE beyond the limits.
DF_API enum df_bounce df_ball_against(const struct df_ball *ball, struct df_box rectangle);

/// Applies the bounce of df_ball_against() to the ball's speed and returns it.
DF_API enum df_bounce df_ball_bounce(struct df_ball *ball, struct df_box rectangle);

/// Moves a ball by one tick: it travels its velocity in sub-steps and bounces. After the bounces of a
/// sub-step, `rules.ball_hit` gets each thing that the ball met, in order (at most DF_BALL_HITS_CAPACITY per sub-step;
/// more still bounce). DF_OUT_OF_RANGE for a bad index, place, radius or speed.
DF_API enum df_result df_ball_step(struct df_space *space, int32_t ball);

#endif
