// SPDX-License-Identifier: MIT
//
// Random numbers from a state that the caller keeps: the same state gives the same numbers everywhere, and every state
// is valid, also one that came over the wire. Not for keys.
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

/// Returns the next 32 random bits and advances the state. The world's is part of the world, so a replayed match draws
/// the same numbers. The algorithm is PCG RXS-M-XS 32.
static inline uint32_t random_next(uint32_t *state)
{
    *state = *state * 747796405u + 2891336453u;
    uint32_t word = ((*state >> ((*state >> 28) + 4)) ^ *state) * 277803737u;
    return word >> 22 ^ word;
}

/// Returns a number from 0 to bound - 1; `bound` is at least 1. Advances the state.
static inline uint32_t random_below(uint32_t *state, uint32_t bound)
{
    return (uint32_t)((uint64_t)random_next(state) * bound >> 32);
}

/// Returns the next 64 random bits and advances the state, for tests and simulated networks, from a seed. The algorithm
/// is splitmix64. Source: prng.di.unimi.it/splitmix64.c.
static inline uint64_t random_next64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

#endif
