// SPDX-License-Identifier: MIT
//
// Arithmetic of boxes and of sub-pixels: overlap, rounding and division as the whole library uses them.
// Pure functions of any arguments.
#ifndef DF_BOX_H
#define DF_BOX_H

#include "types.h"

/// Returns the box of an actor.
static inline struct df_box df_actor_box(const struct df_actor *actor)
{
    struct df_box box = {actor->x, actor->y, actor->w, actor->h}; // also C++
    return box;
}

/// Returns the box of a solid.
static inline struct df_box df_solid_box(const struct df_solid *solid)
{
    struct df_box box = {solid->x, solid->y, solid->w, solid->h}; // also C++
    return box;
}

/// Returns true if the two boxes share at least one pixel.
static inline bool df_box_overlaps(struct df_box a, struct df_box b)
{
    return a.x < (int64_t)b.x + b.w && b.x < (int64_t)a.x + a.w && a.y < (int64_t)b.y + b.h && b.y < (int64_t)a.y + a.h;
}

/// Returns the whole pixel nearest to an amount in sub, ties away from zero, so that left and right mirror.
static inline int32_t df_round_px(int32_t amount_sub)
{
    int64_t wide = amount_sub;
    return (int32_t)((wide < 0 ? wide - DF_SUB / 2 : wide + DF_SUB / 2) / DF_SUB);
}

/// Returns the quotient rounded toward minus infinity: the tile column of x = -35 at edge 40 is -1. 0 for a divisor
/// below 1.
static inline int32_t df_floor_div(int32_t value, int32_t divisor)
{
    if (divisor < 1)
        return 0;
    return value / divisor - (value % divisor < 0);
}

#endif
