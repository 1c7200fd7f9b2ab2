// SPDX-License-Identifier: MIT
//
// Arithmetic of boxes and of sub-pixels: overlap, rounding and division as the whole library uses them.
// Pure functions of their arguments.
#ifndef DF_BOX_H
#define DF_BOX_H

#include "types.h"

/// Returns true if the two boxes share at least one pixel.
static inline bool df_box_overlaps(struct df_box a, struct df_box b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/// Returns the whole pixel nearest to an amount in sub, ties away from zero, so that left and right mirror.
static inline int32_t df_round_px(int32_t amount_sub)
{
    return (amount_sub < 0 ? amount_sub - DF_SUB / 2 : amount_sub + DF_SUB / 2) / DF_SUB;
}

/// Returns the quotient rounded toward minus infinity: the tile column of x = -35 at edge 40 is -1. `divisor` > 0.
static inline int32_t df_floor_div(int32_t value, int32_t divisor)
{
    return value / divisor - (value % divisor < 0);
}

#endif
