// SPDX-License-Identifier: MIT
//
// Coordinates of a world that wraps (private). A period is the size of the world along an axis, px; 0 where the world
// does not wrap.
#ifndef DF_TORUS_H
#define DF_TORUS_H

#include <stdbool.h>
#include <stdint.h>

/// Returns the remainder in [0, period). `period` > 0.
static inline int32_t df_torus_mod(int32_t value, int32_t period)
{
    if ((uint32_t)value < (uint32_t)period)
        return value;
    int32_t rest = value % period;
    return rest < 0 ? rest + period : rest;
}

/// Returns a coordinate in the canonical range of a world that wraps; unchanged where `period` is 0.
static inline int32_t df_torus_canonical(int32_t value, int32_t period)
{
    return period == 0 ? value : df_torus_mod(value, period);
}

/// Returns true if two half-open spans share a pixel, around the seam too.
static inline bool df_torus_spans_overlap(int32_t a, int32_t a_length, int32_t b, int32_t b_length, int32_t period)
{
    if (period == 0)
        return a < b + b_length && b < a + a_length;
    return df_torus_mod(b - a, period) < a_length || df_torus_mod(a - b, period) < b_length;
}

#endif
