// SPDX-License-Identifier: MIT
//
// Whole numbers that are limited, or moved toward a target.
#ifndef GAME_SCALAR_H
#define GAME_SCALAR_H

#include <stdint.h>

/// `value` moved toward `target` by at most `by` >= 0.
static inline int32_t scalar_approach(int32_t value, int32_t target, int32_t by)
{
    if (value > target)
        return value - by > target ? value - by : target;
    return value + by < target ? value + by : target;
}

/// `value` brought into [least, most].
static inline int32_t scalar_clamp(int32_t value, int32_t least, int32_t most)
{
    return value < least ? least : value > most ? most : value;
}

#endif
