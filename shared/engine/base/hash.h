// SPDX-License-Identifier: MIT
//
// Two checksums: the CRC-32 of bytes, and the hash of a world.
//
// The latter is the 64-bit hash of a sequence of 32-bit words, taken as values, so byte order does not matter.
// It tells equal from different; it does not defend against somebody who looks for collisions.
//
// Four lanes start at lane[k] = K * (k + 1), K = 0x9E3779B97F4A7C15. Word i (from 0) goes to lane i mod 4:
//     lane = rotate_left(lane ^ word, 29) * K
// At the end, with n words in all:
//     h = n;  for k = 0..3: h = rotate_left(h ^ lane[k], 29) * K
//     h ^= h >> 32;  h *= K;  h ^= h >> 29
// All arithmetic is modulo 2^64. The hash of a world (world_hash) runs over the used elements of every
// table of sync/world.h, in order, each element's words in order, and nothing else.
#ifndef BASE_HASH
#define BASE_HASH

#include <stddef.h>
#include <stdint.h>

/// A hash in progress. Begin with hash_begin().
struct hash {
    uint64_t lanes[4]; ///< see above
    uint64_t count;    ///< words so far
};

/// Returns the hash of no words, to begin with.
struct hash hash_begin(void);

/// Adds `count` words.
void hash_words(struct hash *hash, const uint32_t *words, size_t count);

/// Returns the hash of all words added.
uint64_t hash_end(const struct hash *hash);

/// Returns the CRC-32 of some bytes as in zlib, PNG and gzip (polynomial 0xEDB88320, reflected), which detects damage,
/// but not forgery: 0xCBF43926 for "123456789".
uint32_t hash_crc32(const void *bytes, size_t byte_count);

#endif
