// SPDX-License-Identifier: MIT
//
// Random numbers from one 32-bit state, which the caller keeps: the world's is part of the world, so a replayed match
// draws the same numbers. Every state is valid, also one that came over the wire. The algorithm is PCG RXS-M-XS 32.
#ifndef BASE_RNG
#define BASE_RNG

#include <stdint.h>

/// Returns the next 32 random bits and advances the state.
static inline uint32_t rng_next(uint32_t *state)
{
    *state = *state * 747796405u + 2891336453u;
    uint32_t word = ((*state >> ((*state >> 28) + 4)) ^ *state) * 277803737u;
    return word >> 22 ^ word;
}

/// Returns a number from 0 to bound - 1; `bound` is at least 1. Advances the state.
static inline uint32_t rng_below(uint32_t *state, uint32_t bound)
{
    return (uint32_t)((uint64_t)rng_next(state) * bound >> 32);
}

#endif
