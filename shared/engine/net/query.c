// SPDX-License-Identifier: MIT
#include "query.h"

#include <sodium.h>
#include <string.h>

#include "base/little_endian.h"
#include "household.h"

#define INFO_HEAD        "TSource Engine Query" // and its final zero
#define KIND_PROOF       NET_REPLIES
#define KINDS            (NET_REPLIES + 1)
#define PROOF_LETTER     'k'
#define CHALLENGE_LETTER 'A'
#define CHALLENGE_BYTES  4
#define NO_CHALLENGE     UINT32_MAX // for the first request

static const uint8_t mark[QUERY_MARK_BYTES] = {0xFF, 0xFF, 0xFF, 0xFF};

// How each query begins after the mark.
static const struct request {
    const char *head;
    size_t head_bytes;
    size_t more_bytes; // that follow the head
    bool may_lack_challenge;
} requests[KINDS] = {
    [NET_REPLY_INFO] = {INFO_HEAD, sizeof INFO_HEAD, 0, true},
    [NET_REPLY_PLAYERS] = {"U", 1, 0, false},
    [NET_REPLY_RULES] = {"V", 1, 0, false},
    [KIND_PROOF] = {"K", 1, QUERY_PROOF_KEY_BYTES + NET_ADDRESS_PLACE_BYTES, true},
};

void query_init(struct query *query)
{
    uint8_t key[RATE_LIMIT_KEY_BYTES];
    *query = (struct query){.answered = 0};
    randombytes_buf(query->key, sizeof query->key);
    randombytes_buf(key, sizeof key);
    rate_limit_table_init(&query->askers, key, &RATE_LIMIT_QUERIES);
    rate_limit_table_init(&query->provers, key, &RATE_LIMIT_PROOFS);
}

bool query_claims(const uint8_t *bytes, size_t byte_count)
{
    return byte_count > sizeof mark && memcmp(bytes, mark, sizeof mark) == 0;
}

// The low half of a cookie.
static uint32_t challenge_of(const struct query *query, const struct net_address *from, uint64_t now_ns)
{
    uint32_t challenge = (uint32_t)net_address_cookie(query->key, from, now_ns);
    return challenge == NO_CHALLENGE ? 0 : challenge;
}

bool query_proof_tag(const struct query_proof *proof, const uint8_t secret[QUERY_PROOF_KEY_BYTES],
                     const uint8_t theirs[QUERY_PROOF_KEY_BYTES], uint8_t tag[QUERY_PROOF_TAG_BYTES])
{
    static const char PURPOSE[] = "deadfall reach proof 2";
    uint8_t shared[crypto_scalarmult_BYTES];
    crypto_generichash_state state;
    if (crypto_scalarmult(shared, secret, theirs) != 0)
        return false;
    crypto_generichash_init(&state, shared, sizeof shared, QUERY_PROOF_TAG_BYTES);
    crypto_generichash_update(&state, (const uint8_t *)PURPOSE, sizeof PURPOSE - 1);
    crypto_generichash_update(&state, proof->asker, sizeof proof->asker);
    crypto_generichash_update(&state, proof->place, sizeof proof->place);
    crypto_generichash_update(&state, proof->server, sizeof proof->server);
    crypto_generichash_final(&state, tag, QUERY_PROOF_TAG_BYTES);
    sodium_memzero(shared, sizeof shared);
    sodium_memzero(&state, sizeof state);
    return true;
}

bool query_proof_ask(struct query_proof *proof, uint8_t tag[QUERY_PROOF_TAG_BYTES])
{
    uint8_t secret[QUERY_PROOF_KEY_BYTES];
    crypto_box_keypair(proof->asker, secret);
    bool good = query_proof_tag(proof, secret, proof->server, tag);
    sodium_memzero(secret, sizeof secret);
    return good;
}

// Somebody else may carry questions and answers between a directory and the server, to be listed in its place. A server
// that no directory has told where it is yet cannot know.
static bool is_at(const struct query *query, const uint8_t place[NET_ADDRESS_PLACE_BYTES])
{
    uint8_t own[NET_ADDRESS_PLACE_BYTES];
    bool is_own = query->replies.own_count == 0;
    for (uint32_t i = 0; i < query->replies.own_count; i++) {
        net_address_write_place(&query->replies.own[i], own);
        is_own |= memcmp(own, place, sizeof own) == 0;
    }
    return is_own;
}

enum datagram_outcome query_take(struct query *query, const struct datagram *datagram, struct datagram_output *output)
{
    const struct net_address *from = &datagram->from;
    const uint8_t *body = datagram->bytes + sizeof mark;
    size_t body_bytes = datagram->byte_count - sizeof mark, kind = 0, own_bytes = 0;
    for (; kind < KINDS; kind++) {
        const struct request *request = &requests[kind];
        own_bytes = request->head_bytes + request->more_bytes;
        bool is_whole =
            body_bytes == own_bytes + CHALLENGE_BYTES || (request->may_lack_challenge && body_bytes == own_bytes);
        if (is_whole && memcmp(body, request->head, request->head_bytes) == 0)
            break;
    }
    if (kind == KINDS || (kind == KIND_PROOF ? !query->secret_key : query->replies.of[kind].byte_count == 0))
        return DATAGRAM_REJECTED;
    uint8_t *answer = output->bytes + sizeof mark;
    memcpy(output->bytes, mark, sizeof mark);
    uint64_t given = body_bytes == own_bytes ? NO_CHALLENGE : little_endian_read(body + own_bytes, CHALLENGE_BYTES);
    if (given == NO_CHALLENGE || (given != challenge_of(query, from, datagram->now_ns) &&
                                  given != challenge_of(query, from, datagram->now_ns - NET_ADDRESS_COOKIE_EPOCH_NS))) {
        answer[0] = CHALLENGE_LETTER;
        little_endian_write(answer + 1, challenge_of(query, from, datagram->now_ns), CHALLENGE_BYTES);
        output->byte_count = sizeof mark + 1 + CHALLENGE_BYTES;
        query->challenges++;
        return DATAGRAM_ANSWERED;
    }
    if (kind == KIND_PROOF && !is_at(query, body + requests[kind].head_bytes + QUERY_PROOF_KEY_BYTES))
        return DATAGRAM_REJECTED;
    // Only now: the sender of a query without a challenge may be forged, so it must cost nobody a token.
    if (!rate_limit_table_take(kind == KIND_PROOF ? &query->provers : &query->askers, household_of(from),
                               datagram->now_ns))
        return DATAGRAM_REJECTED;
    if (kind == KIND_PROOF) {
        struct query_proof proof;
        memcpy(proof.asker, body + requests[kind].head_bytes, sizeof proof.asker);
        memcpy(proof.place, body + requests[kind].head_bytes + sizeof proof.asker, sizeof proof.place);
        memcpy(proof.server, query->public_key, sizeof proof.server);
        answer[0] = PROOF_LETTER;
        if (!query_proof_tag(&proof, query->secret_key, proof.asker, answer + 1))
            return DATAGRAM_REJECTED; // the key of who asks is bad
        output->byte_count = sizeof mark + 1 + QUERY_PROOF_TAG_BYTES;
    } else {
        const struct net_reply *reply = &query->replies.of[kind];
        memcpy(answer, reply->bytes, reply->byte_count);
        output->byte_count = sizeof mark + reply->byte_count;
    }
    query->answered++;
    return DATAGRAM_ANSWERED;
}
