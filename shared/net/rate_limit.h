// SPDX-License-Identifier: MIT
//
// Limits how much work others may cause: a token bucket for each address and one for all, and the rates of joins,
// queries and sessions. The table has a fixed size and no chains: addresses are spread over it by SipHash with a random
// key, so a packet always costs the same, and nobody can choose to share a bucket with somebody else. Time is an
// argument.
#ifndef NET_RATE_LIMIT_H
#define NET_RATE_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RATE_LIMIT_ROWS      4096
#define RATE_LIMIT_KEY_BYTES 16

/// How fast a bucket fills and how much it holds.
struct rate_limit_rate {
    uint32_t per_s; ///< tokens a second
    uint32_t burst; ///< tokens it holds at most
};

/// JOINs of the handshake, each of which may cost a key exchange.
extern const struct rate_limit_rate RATE_LIMIT_JOINS_OF_ADDRESS, RATE_LIMIT_JOINS_OF_ALL;
/// A2S queries.
extern const struct rate_limit_rate RATE_LIMIT_QUERIES_OF_ADDRESS, RATE_LIMIT_QUERIES_OF_ALL;
/// Datagrams of a session. An honest client sends one a tick, and what the network held back comes at once.
extern const struct rate_limit_rate RATE_LIMIT_SESSION;

/// A bucket. Zero-initialised it is full.
struct rate_limit {
    uint64_t full_ns; ///< when it will be full again if nobody takes from it
};

struct rate_limit_table {
    uint8_t key[RATE_LIMIT_KEY_BYTES];
    struct rate_limit_rate each, all; ///< of an address; of all together
    struct rate_limit rows[RATE_LIMIT_ROWS], shared;
};

/// Takes a token. False if there is none. `now_ns` never goes back.
bool rate_limit_take(struct rate_limit *bucket, struct rate_limit_rate rate, uint64_t now_ns);

/// Begins with full buckets; `key` is random.
void rate_limit_table_init(struct rate_limit_table *table, const uint8_t key[RATE_LIMIT_KEY_BYTES],
                           struct rate_limit_rate each, struct rate_limit_rate all);
/// Takes a token of an address (the caller gives the /56 of IPv6) and one of all. False if either is missing; then the
/// other one is not taken.
bool rate_limit_table_take(struct rate_limit_table *table, const uint8_t *address, size_t byte_count, uint64_t now_ns);

#endif
