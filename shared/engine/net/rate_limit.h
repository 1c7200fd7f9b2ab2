// SPDX-License-Identifier: MIT
//
// Limits how much work others may cause: token buckets for each household and for all, and the rates of joins, queries
// and sessions. A household that asks seldom is quiet, and the quiet ones have a bucket of all that the busy ones
// cannot empty. The table has a fixed size and no chains: SipHash with a random key gives each household two rows of
// it, so a packet always costs the same, and nobody can choose to share a bucket with somebody else. The fuller of the
// two buckets counts, so who shares one of them by chance with somebody busy notices nothing (a count-min sketch with
// conservative update: Estan and Varghese, "New Directions in Traffic Measurement and Accounting", 2002). Time is an
// argument.
#ifndef NET_RATE_LIMIT_H
#define NET_RATE_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "household.h"

#define RATE_LIMIT_ROWS      4096
#define RATE_LIMIT_KEY_BYTES 16

/// How fast a bucket fills and how much it holds.
struct rate_limit_rate {
    uint32_t per_s; ///< tokens a second
    uint32_t burst; ///< tokens it holds at most
};

/// What a kind of request may cost.
struct rate_limit_rates {
    struct rate_limit_rate household; ///< of a household
    struct rate_limit_rate quiet;     ///< of a household, as long as it is quiet
    struct rate_limit_rate all_quiet; ///< of all households while they are quiet
    struct rate_limit_rate all_busy;  ///< of all households beyond that
};

/// JOINs of the handshake that bring a cookie, each of which may cost a key exchange.
extern const struct rate_limit_rates RATE_LIMIT_JOINS;
/// A2S queries that bring a challenge.
extern const struct rate_limit_rates RATE_LIMIT_QUERIES;
/// Questions of directories that bring a challenge, each of which costs a multiplication on the curve.
extern const struct rate_limit_rates RATE_LIMIT_PROOFS;
/// Answers to datagrams of unknown sessions.
extern const struct rate_limit_rates RATE_LIMIT_RESETS;
/// Datagrams of a session. An honest client sends one a tick, and what the network held back comes at once.
extern const struct rate_limit_rate RATE_LIMIT_SESSION;

/// A bucket. Zero-initialised it is full.
struct rate_limit {
    uint64_t full_ns; ///< when it will be full again if nobody takes from it
};

/// The buckets of the households that share a row.
struct rate_limit_row {
    struct rate_limit household, quiet;
};

struct rate_limit_table {
    uint8_t key[RATE_LIMIT_KEY_BYTES];
    struct rate_limit_rates rates;
    struct rate_limit_row rows[RATE_LIMIT_ROWS];
    struct rate_limit all_quiet, all_busy;
    uint64_t refused_household; ///< requests beyond the rate of a household
    uint64_t refused_all;       ///< requests beyond the rate of all
    uint64_t newest_refused;    ///< the last household that was refused; 0: none
};

/// Takes a token. False if there is none. `now_ns` never goes back.
bool rate_limit_take(struct rate_limit *bucket, struct rate_limit_rate rate, uint64_t now_ns);

/// Begins with full buckets; `key` is random.
void rate_limit_table_init(struct rate_limit_table *table, const uint8_t key[RATE_LIMIT_KEY_BYTES],
                           const struct rate_limit_rates *rates);
/// Takes a token of a household and one of all; of all quiet ones only while the household is quiet. The households of
/// a site have HOUSEHOLD_SITE_MAX times the rates of one together. False, and counted, if a token is missing; then no
/// other is taken.
bool rate_limit_table_take(struct rate_limit_table *table, uint64_t household, uint64_t now_ns);

#endif
