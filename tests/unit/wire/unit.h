// SPDX-License-Identifier: MIT
//
// Every unit test of this room includes this header: it includes cmocka and a small random number generator.
#ifndef UNIT_WIRE_H
#define UNIT_WIRE_H

#include "test.h"

/// The next number of a sequence; the state is any number.
static inline uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(*state >> 32);
}

#endif
