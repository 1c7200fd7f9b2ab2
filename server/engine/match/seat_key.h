// SPDX-License-Identifier: MIT
//
// Identifies a player across connections, matches and restarts: the account and the local number at its machine.
#ifndef MATCH_SEAT_KEY_H
#define MATCH_SEAT_KEY_H

#include <stdbool.h>
#include <string.h>

#include "net/transport.h"

/// All bytes count.
struct seat_key {
    uint8_t identity[IDENTITY_BYTES];
    uint32_t local; ///< 0 to LOCAL_PLAYERS - 1
};

/// Returns whether two keys are the same.
static inline bool seat_key_equal(const struct seat_key *a, const struct seat_key *b)
{
    return a->local == b->local && memcmp(a->identity, b->identity, sizeof a->identity) == 0;
}

#endif
