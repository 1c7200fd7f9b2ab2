// SPDX-License-Identifier: MIT
//
// Sets of indices (private): one bit per index in 64-bit words that the caller owns. Walking over a set goes in index
// order, which is what makes every result independent of where things hang in memory.
#ifndef DF_BITSET_H
#define DF_BITSET_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/// Adds an index.
static inline void df_bitset_add(uint64_t *set, int32_t i)
{
    set[i / 64] |= UINT64_C(1) << (i % 64);
}

/// Removes an index.
static inline void df_bitset_remove(uint64_t *set, int32_t i)
{
    set[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/// Returns true if the set contains an index.
static inline bool df_bitset_has(const uint64_t *set, int32_t i)
{
    return (set[i / 64] >> (i % 64) & 1) != 0;
}

/// Removes all.
static inline void df_bitset_clear(uint64_t *set, int32_t words)
{
    memset(set, 0, (size_t)words * sizeof *set);
}

/// Returns the first member at or after `i`, or -1.
static inline int32_t df_bitset_next(const uint64_t *set, int32_t words, int32_t i)
{
    int32_t word = i / 64;
    if (word >= words)
        return -1;
    uint64_t bits = set[word] & (UINT64_MAX << (i % 64));
    while (bits == 0) {
        if (++word >= words)
            return -1;
        bits = set[word];
    }
    return word * 64 + __builtin_ctzll(bits);
}

#endif
