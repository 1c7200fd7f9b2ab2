// SPDX-License-Identifier: MIT
//
// Whole-pixel boxes and the arithmetic that everything else in the library rounds with.
// y grows downward. A box is half-open: two boxes that share an edge do not overlap.
// Pure functions of their arguments; called from every other file of the library.
#ifndef DF_BOX_H
#define DF_BOX_H

#include <stdbool.h>
#include <stdint.h>

/// Sub-pixels ("sub") in one pixel. Speeds are sub per tick, at 60 ticks a second.
#define DF_SUB 256

/// Largest absolute coordinate or size of anything, in px. Beyond it is an error, never overflow.
#define DF_COORDINATE_PX_MAX (1 << 20)

/// Largest absolute amount of one move, in sub (16,384 px).
#define DF_AMOUNT_SUB_MAX (1 << 22)

/// What a call that can refuse its arguments answers.
enum df_result {
    DF_OK,           ///< done
    DF_QUEUED,       ///< asked from inside a solid's move: it runs when that move has ended
    DF_OUT_OF_RANGE, ///< an index, coordinate or amount beyond the limits above; nothing was changed
    DF_QUEUE_FULL,   ///< asked from inside a solid's move, and DF_QUEUE_CAPACITY wait already
};

/// Position and size in px.
struct df_box {
    int32_t x; ///< left edge
    int32_t y; ///< top edge
    int32_t w; ///< width, at least 1
    int32_t h; ///< height, at least 1
};

/// True if the two boxes share at least one pixel.
static inline bool df_box_overlaps(struct df_box a, struct df_box b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/// Nearest whole pixel to an amount in sub, ties away from zero, so that left and right mirror.
static inline int32_t df_round_px(int32_t amount_sub)
{
    return (amount_sub < 0 ? amount_sub - DF_SUB / 2 : amount_sub + DF_SUB / 2) / DF_SUB;
}

/// Quotient rounded toward minus infinity: tile column of x = -35 at edge 40 is -1. `divisor` > 0.
static inline int32_t df_floor_div(int32_t value, int32_t divisor)
{
    return value / divisor - (value % divisor < 0);
}

#endif
