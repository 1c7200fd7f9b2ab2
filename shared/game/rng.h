// SPDX-License-Identifier: MIT
//
// The world's dice: one 32-bit state that is part of the world, so a replayed match rolls the same.
// Any state is a good state, also one that came over the wire. The algorithm is PCG RXS-M-XS 32.
#ifndef GAME_RNG_H
#define GAME_RNG_H

#include <stdint.h>

/// Next 32 random bits; moves the state on.
static inline uint32_t rng_next(uint32_t *state)
{
    *state = *state * 747796405u + 2891336453u;
    uint32_t word = ((*state >> ((*state >> 28) + 4)) ^ *state) * 277803737u;
    return word >> 22 ^ word;
}

/// A number from 0 to bound - 1; bound at least 1.
static inline uint32_t rng_below(uint32_t *state, uint32_t bound)
{
    return (uint32_t)((uint64_t)rng_next(state) * bound >> 32);
}

#endif
