// SPDX-License-Identifier: MIT
//
// Answers A2S queries on the game's port: Valve's protocol, by which server browsers ask what a server plays; and a
// question of our own beside them, by which a directory has the server prove that it listens here (struct query_proof).
// An address gets an answer only after it has returned its challenge, a challenge is no larger than the request, and no
// state is kept of who asks: what costs a token of a household brings its challenge. The caller writes the answers. No
// socket; time and bytes are arguments. Source: developer.valvesoftware.com/wiki/Server_Queries.
#ifndef NET_QUERY_H
#define NET_QUERY_H

#include "datagram.h"
#include "rate_limit.h"
#include "transport.h"

/// How many bytes FF every query begins with; no other kind of datagram does.
#define QUERY_MARK_BYTES 4

#define QUERY_PROOF_KEY_BYTES 32 ///< X25519
#define QUERY_PROOF_TAG_BYTES 32

/// What a proof is about.
struct query_proof {
    uint8_t asker[QUERY_PROOF_KEY_BYTES];   ///< public key, ephemeral, of who asks
    uint8_t place[NET_ADDRESS_PLACE_BYTES]; ///< where they ask, net_address_write_place()
    uint8_t server[QUERY_PROOF_KEY_BYTES];  ///< public key; its fingerprint names the server
};

struct query {
    uint8_t key[NET_ADDRESS_COOKIE_KEY_BYTES]; ///< of the challenges, random
    const uint8_t *public_key, *secret_key;    ///< of the server, X25519; null: it proves nothing
    struct rate_limit_table askers;
    struct rate_limit_table provers; ///< who has the server prove something
    struct net_replies replies;      ///< none set: the server is silent
    uint64_t answered;               ///< queries
    uint64_t challenges;             ///< sent
};

/// Begins silent, with random keys.
void query_init(struct query *query);
/// Returns whether a datagram is a query, well-formed or not.
bool query_claims(const uint8_t *bytes, size_t byte_count);
/// Takes a datagram that query_claims(). Returns DATAGRAM_ANSWERED with the challenge or the reply, or
/// DATAGRAM_REJECTED.
enum datagram_outcome query_take(struct query *query, const struct datagram *datagram, struct datagram_output *output);

/// Computes the tag from the secret of one side and the keys of both; `theirs` is the key of the other side, in
/// `proof`. False if that key is one of those that give the same result to everybody.
bool query_proof_tag(const struct query_proof *proof, const uint8_t secret[QUERY_PROOF_KEY_BYTES],
                     const uint8_t theirs[QUERY_PROOF_KEY_BYTES], uint8_t tag[QUERY_PROOF_TAG_BYTES]);
/// Draws an ephemeral key for a question to the server of the key at the place, and computes the tag that answers it.
/// False if the server's key is bad.
bool query_proof_ask(struct query_proof *proof, uint8_t tag[QUERY_PROOF_TAG_BYTES]);

#endif
