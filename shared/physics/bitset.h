// SPDX-License-Identifier: MIT
//
// Sets of indices (private), in memory that the caller owns: one bit per index, and above each 64 words one bit per
// word, and so on up to one word. So a set costs what its members cost, however many bodies there are. Walking over a
// set goes in index order, which is what makes every result independent of where things hang in memory.
#ifndef DF_BITSET_H
#define DF_BITSET_H

#include <stdbool.h>
#include <stdint.h>

/// Levels of words at most; enough for 64^4 indices.
#define DF_BITSET_LEVELS 4

/// A set of indices below `capacity`.
struct df_bitset {
    int32_t capacity;
    int32_t levels;                    ///< as many as it takes until the last is one word
    uint64_t *words[DF_BITSET_LEVELS]; ///< of each level: bit i says whether word i of the level below is not 0
    uint64_t *top;                     ///< the last level
};

/// Adds an index.
static inline void df_bitset_add(struct df_bitset *set, int32_t i)
{
    uint32_t at = (uint32_t)i;
    for (int32_t level = 0; level < set->levels; level++, at /= 64)
        set->words[level][at / 64] |= UINT64_C(1) << at % 64;
}

/// Removes an index.
static inline void df_bitset_remove(struct df_bitset *set, int32_t i)
{
    uint32_t at = (uint32_t)i;
    for (int32_t level = 0; level < set->levels; level++, at /= 64)
        if ((set->words[level][at / 64] &= ~(UINT64_C(1) << at % 64)) != 0)
            return;
}

/// Returns true if the set contains an index.
static inline bool df_bitset_has(const struct df_bitset *set, int32_t i)
{
    return (set->words[0][(uint32_t)i / 64] >> (uint32_t)i % 64 & 1) != 0;
}

/// Returns true if the set has no members.
static inline bool df_bitset_is_empty(const struct df_bitset *set)
{
    return *set->top == 0;
}

/// Returns the first member at or after `i`, or -1.
static inline int32_t df_bitset_next(const struct df_bitset *set, int32_t i)
{
    uint32_t at = (uint32_t)i, capacity = (uint32_t)set->capacity;
    for (int32_t level = 0; level < set->levels && at < capacity; level++) {
        uint64_t bits = set->words[level][at / 64] >> at % 64;
        if (bits != 0) {
            at += (uint32_t)__builtin_ctzll(bits);
            while (level-- > 0)
                at = at * 64 + (uint32_t)__builtin_ctzll(set->words[level][at]);
            return (int32_t)at;
        }
        at = at / 64 + 1;
        capacity = (capacity + 63) / 64;
    }
    return -1;
}

/// Removes all, word by word.
static inline void df_bitset_clear(struct df_bitset *set)
{
    while (!df_bitset_is_empty(set)) {
        uint32_t word = 0;
        for (int32_t level = set->levels - 1; level > 0; level--)
            word = word * 64 + (uint32_t)__builtin_ctzll(set->words[level][word]);
        set->words[0][word] = 0;
        for (int32_t level = 1; level < set->levels; level++, word /= 64)
            if ((set->words[level][word / 64] &= ~(UINT64_C(1) << word % 64)) != 0)
                break;
    }
}

#endif
