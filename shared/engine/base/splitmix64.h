// SPDX-License-Identifier: MIT
//
// Random numbers from a seed, for tests and simulated networks: the same seed gives the same numbers everywhere. Not
// for keys, and not for the world, which uses base/rng.h. Source: prng.di.unimi.it/splitmix64.c.
#ifndef BASE_SPLITMIX64_H
#define BASE_SPLITMIX64_H

#include <stdint.h>

/// Returns the next 64 random bits and advances the state. Every state is valid.
static inline uint64_t splitmix64_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

#endif
