// SPDX-License-Identifier: MIT
//
// Answers strangers who ask what a server plays: the A2S queries (Valve's, which every server browser speaks) on the
// game's own port. Each answer is only for an address that has sent back the challenge it was given, a challenge is
// smaller than the request, and nothing is kept of who asks. What the answers say is written elsewhere. No socket; time
// and bytes are arguments. Source: developer.valvesoftware.com/wiki/Server_Queries.
#ifndef NET_QUERY_H
#define NET_QUERY_H

#include "datagram.h"
#include "rate_limit.h"
#include "transport.h"

/// An epoch; a challenge is good in its own and the next.
#define QUERY_EPOCH_NS 30000000000u
/// Bytes that every datagram of a query begins with, all FF; no other kind of ours does.
#define QUERY_MARK_BYTES 4

struct query {
    uint8_t key[RATE_LIMIT_KEY_BYTES]; ///< of the challenges, random
    struct rate_limit_table askers;
    struct net_replies replies; ///< none of them set: not a word is said
    uint64_t answered;          ///< queries
};

/// Begins silent, with all chance taken from the system.
void query_init(struct query *query);
/// True if a datagram is a query, well-formed or not.
bool query_claims(const uint8_t *bytes, size_t byte_count);
/// Takes what query_claims() and writes the challenge or the reply: DATAGRAM_ANSWERED or DATAGRAM_REJECTED.
enum datagram_outcome query_take(struct query *query, const struct datagram *datagram, struct datagram_output *output);

#endif
