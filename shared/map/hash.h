// SPDX-License-Identifier: MIT
//
// The 64-bit hash of a sequence of 32-bit words, taken as values, so that byte order does not matter.
// It tells equal from different; it is not a defence against somebody who looks for collisions.
//
// Four lanes start at lane[k] = K * (k + 1), K = 0x9E3779B97F4A7C15. Word i (from 0) goes to lane i mod 4:
//     lane = rotate_left(lane ^ word, 29) * K
// At the end, with n words in all:
//     h = n;  for k = 0..3: h = rotate_left(h ^ lane[k], 29) * K
//     h ^= h >> 32;  h *= K;  h ^= h >> 29
// All arithmetic is modulo 2^64. The hash of a world runs over the used elements of every table in
// field.h, in order, each element's words in order; nothing else.
#ifndef MAP_HASH
#define MAP_HASH

#include <stddef.h>
#include <stdint.h>

/// A hash under way. Begin with hash_begin().
struct hash {
    uint64_t lanes[4]; ///< see above
    uint64_t count;    ///< words so far
};

/// No words yet.
struct hash hash_begin(void);

/// Takes `count` words more.
void hash_words(struct hash *hash, const uint32_t *words, size_t count);

/// The hash of all words taken.
uint64_t hash_end(const struct hash *hash);

#endif
