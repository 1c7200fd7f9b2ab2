// SPDX-License-Identifier: MIT
//
// Judges balls (law P8): none is inside of anything, and none flies through anything. It knows only pixels that block
// and points, and shares nothing with the library or with the literal implementation: it has no table of bounces, no
// rectangles and no sub-steps of theirs. It follows a flight in steps of an eighth of a pixel.
#ifndef BALL_JUDGE_H
#define BALL_JUDGE_H

#include "physics/types.h"

/// A place, sub.
struct ball_judge_point {
    int64_t x, y;
};

/// Returns true if a place is inside of solids and tiles that block: all pixels that it touches do. A place on a face
/// touches a free pixel, too.
bool ball_judge_is_inside(const struct df_space *space, struct ball_judge_point at);

/// Returns true if a circle, its radius in px, overlaps something. One that only touches does not.
bool ball_judge_overlaps(const struct df_space *space, struct ball_judge_point centre, int64_t radius_px);

/// Returns true if the straight way from one place, by this much, leads through something: more than `slack` sub deep.
bool ball_judge_crosses(const struct df_space *space, struct ball_judge_point from, struct ball_judge_point way,
                        int64_t slack);

#endif
