// SPDX-License-Identifier: MIT
//
// Whole numbers brought into a range, or moved toward a target.
#ifndef BASE_NUMBER
#define BASE_NUMBER

#include <stdint.h>

/// Returns `value` moved toward `target` by at most `by` >= 0.
static inline int32_t number_approach(int32_t value, int32_t target, int32_t by)
{
    if (value > target)
        return value - by > target ? value - by : target;
    return value + by < target ? value + by : target;
}

/// Returns `value` brought into [least, most].
static inline int32_t number_clamp(int32_t value, int32_t least, int32_t most)
{
    return value < least ? least : value > most ? most : value;
}

#endif
