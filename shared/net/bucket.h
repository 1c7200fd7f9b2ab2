// SPDX-License-Identifier: MIT
//
// Bounds how often strangers may cost us work: a token bucket for each address and one for all. The table has a fixed
// size and no chains: addresses are spread over it by SipHash with a random key, so a packet costs the same whatever
// came before, and nobody can choose with whom he shares. Time is an argument.
#ifndef NET_BUCKET_H
#define NET_BUCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUCKET_ROWS      4096
#define BUCKET_KEY_BYTES 16

/// How fast a bucket fills and how much it holds.
struct bucket_rate {
    uint32_t per_s; ///< tokens a second
    uint32_t burst; ///< tokens it holds at most
};

/// A bucket. Zero-initialised it is full.
struct bucket {
    uint64_t full_ns; ///< when it will be full again if nobody takes from it
};

struct bucket_table {
    uint8_t key[BUCKET_KEY_BYTES];
    struct bucket_rate each, all; ///< of an address; of everyone together
    struct bucket rows[BUCKET_ROWS], shared;
};

/// Takes a token. False: none is there. `now_ns` never goes back.
bool bucket_take(struct bucket *bucket, struct bucket_rate rate, uint64_t now_ns);

/// Begins with full buckets; `key` is random.
void bucket_table_init(struct bucket_table *table, const uint8_t key[BUCKET_KEY_BYTES], struct bucket_rate each,
                       struct bucket_rate all);
/// Takes a token of an address (of IPv6 the caller gives the /56) and one of all. False: either
/// is missing; the other keeps its own.
bool bucket_table_take(struct bucket_table *table, const uint8_t *address, size_t byte_count, uint64_t now_ns);

#endif
