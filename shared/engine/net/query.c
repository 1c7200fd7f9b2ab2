// SPDX-License-Identifier: MIT
#include "query.h"

#include <sodium.h>
#include <string.h>

#include "address_cookie.h"
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
    size_t key_bytes; // that follow the head
    bool may_lack_challenge;
} requests[KINDS] = {
    [NET_REPLY_INFO] = {INFO_HEAD, sizeof INFO_HEAD, 0, true},
    [NET_REPLY_PLAYERS] = {"U", 1, 0, false},
    [NET_REPLY_RULES] = {"V", 1, 0, false},
    [KIND_PROOF] = {"K", 1, REACH_PROOF_KEY_BYTES, true},
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
static uint32_t shorten(uint64_t cookie)
{
    uint32_t challenge = (uint32_t)cookie;
    return challenge == NO_CHALLENGE ? 0 : challenge;
}

static bool is_met(const struct query *query, const struct net_address *from, uint64_t now_ns, const uint8_t *bytes)
{
    uint64_t challenge = little_endian_read(bytes, CHALLENGE_BYTES);
    return challenge == shorten(address_cookie_of(query->key, from, now_ns)) ||
           challenge == shorten(address_cookie_of(query->key, from, now_ns - ADDRESS_COOKIE_EPOCH_NS));
}

static size_t write_challenge(const struct query *query, const struct net_address *from, uint64_t now_ns, uint8_t *out)
{
    memcpy(out, mark, sizeof mark);
    out[sizeof mark] = CHALLENGE_LETTER;
    little_endian_write(out + sizeof mark + 1, shorten(address_cookie_of(query->key, from, now_ns)), CHALLENGE_BYTES);
    return sizeof mark + 1 + CHALLENGE_BYTES;
}

static size_t write_reply(const struct net_reply *reply, uint8_t *out)
{
    memcpy(out, mark, sizeof mark);
    memcpy(out + sizeof mark, reply->bytes, reply->byte_count);
    return sizeof mark + reply->byte_count;
}

// Returns 0 if the key of who asks is bad.
static size_t write_proof(const struct query *query, const uint8_t *asker, uint8_t *out)
{
    struct reach_proof proof;
    memcpy(proof.asker, asker, sizeof proof.asker);
    memcpy(proof.server, query->public_key, sizeof proof.server);
    memcpy(out, mark, sizeof mark);
    out[sizeof mark] = PROOF_LETTER;
    bool good = reach_proof_tag(&proof, query->secret_key, proof.asker, out + sizeof mark + 1);
    return good ? sizeof mark + 1 + REACH_PROOF_TAG_BYTES : 0;
}

// The kind of a query by its head and its length; KINDS if it is none.
static size_t kind_of(const uint8_t *bytes, size_t byte_count)
{
    size_t kind = 0;
    for (; kind < KINDS; kind++) {
        const struct request *request = &requests[kind];
        size_t own_bytes = request->head_bytes + request->key_bytes;
        bool is_whole =
            byte_count == own_bytes + CHALLENGE_BYTES || (request->may_lack_challenge && byte_count == own_bytes);
        if (is_whole && memcmp(bytes, request->head, request->head_bytes) == 0)
            break;
    }
    return kind;
}

enum datagram_outcome query_take(struct query *query, const struct datagram *datagram, struct datagram_output *output)
{
    const struct net_address *from = &datagram->from;
    const uint8_t *body = datagram->bytes + sizeof mark;
    size_t body_bytes = datagram->byte_count - sizeof mark, kind = kind_of(body, body_bytes);
    if (kind == KINDS || (kind == KIND_PROOF ? !query->secret_key : query->replies.of[kind].byte_count == 0))
        return DATAGRAM_REJECTED;
    size_t own_bytes = requests[kind].head_bytes + requests[kind].key_bytes;
    if (body_bytes == own_bytes || !is_met(query, from, datagram->now_ns, body + own_bytes)) {
        output->byte_count = write_challenge(query, from, datagram->now_ns, output->bytes);
        query->challenges++;
        return DATAGRAM_ANSWERED;
    }
    // Only now: the sender of a query without a challenge may be forged, so it must cost nobody a token.
    if (!rate_limit_table_take(kind == KIND_PROOF ? &query->provers : &query->askers, household_of(from),
                               datagram->now_ns))
        return DATAGRAM_REJECTED;
    output->byte_count = kind == KIND_PROOF ? write_proof(query, body + requests[kind].head_bytes, output->bytes)
                                            : write_reply(&query->replies.of[kind], output->bytes);
    query->answered += output->byte_count > 0;
    return output->byte_count > 0 ? DATAGRAM_ANSWERED : DATAGRAM_REJECTED;
}
