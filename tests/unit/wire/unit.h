// SPDX-License-Identifier: MIT
//
// What every unit test of this room includes: cmocka with all it needs before it, and a small source of numbers.
#ifndef UNIT_WIRE_H
#define UNIT_WIRE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka comes after what it needs
#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/// The next number of a sequence; the state is any number.
static inline uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(*state >> 32);
}

#endif
