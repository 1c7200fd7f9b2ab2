// SPDX-License-Identifier: MIT
#include "client_handshake.h"
#include "base/utf8.h"
#include "net/path.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define AGAIN_NS  100000000u
#define ASKED_MAX 15 // then the cookie may be too old: a new attempt
// The expected server may still answer if another one was quicker.
#define UNEXPECTED_NS 1000000000u

static const struct net_ticket no_ticket = {{0}};

static void begin_attempt(struct client_handshake *handshake)
{
    struct handshake_client *attempt = &handshake->attempt;
    handshake_client_init(attempt, handshake->seed, attempt->protocol);
    memcpy(attempt->password, handshake->password, strnlen(handshake->password, sizeof attempt->password));
    attempt->has_ticket = handshake->ticket && memcmp(handshake->ticket, &no_ticket, sizeof no_ticket) != 0;
    if (attempt->has_ticket)
        memcpy(attempt->ticket, handshake->ticket->bytes, sizeof attempt->ticket);
    handshake->state = CLIENT_HANDSHAKE_HELLO;
    handshake->join_count = 0;
}

void client_handshake_begin(struct client_handshake *handshake, uint32_t protocol, const char *password,
                            uint64_t now_ns)
{
    handshake->attempt.protocol = protocol;
    snprintf(handshake->password, sizeof handshake->password, "%s", password);
    handshake->next_ns = now_ns;
    begin_attempt(handshake);
}

// Forgets what only another attempt would need.
static void conclude(struct client_handshake *handshake, enum client_handshake_state state)
{
    handshake->state = state;
    sodium_memzero(handshake->seed, sizeof handshake->seed);
    sodium_memzero(handshake->password, sizeof handshake->password);
    if (state != CLIENT_HANDSHAKE_OPEN) {
        sodium_memzero(&handshake->attempt, sizeof handshake->attempt);
        sodium_memzero(&handshake->crypto, sizeof handshake->crypto);
    }
}

// The password has changed, or the ticket is out of date: tries again with the password, if there is one.
static bool retries_with_password(struct client_handshake *handshake, uint64_t now_ns)
{
    if (!handshake->attempt.has_ticket)
        return false;
    *handshake->ticket = no_ticket;
    if (!*handshake->password)
        return false;
    handshake->next_ns = now_ns;
    begin_attempt(handshake);
    return true;
}

// Gives up if nobody but an unexpected server has answered.
static void refuse_unexpected(struct client_handshake *handshake, uint64_t now_ns)
{
    if (handshake->state != CLIENT_HANDSHAKE_HELLO || handshake->unexpected_ns == 0 ||
        now_ns - handshake->unexpected_ns < UNEXPECTED_NS)
        return;
    handshake->error = handshake->unexpected;
    conclude(handshake, CLIENT_HANDSHAKE_REFUSED);
}

size_t client_handshake_due(struct client_handshake *handshake, uint64_t now_ns, uint8_t out[HELLO_BYTES])
{
    refuse_unexpected(handshake, now_ns);
    bool asks = handshake->state == CLIENT_HANDSHAKE_HELLO || handshake->state == CLIENT_HANDSHAKE_JOIN;
    if (!asks || now_ns < handshake->next_ns)
        return 0;
    handshake->next_ns = now_ns + AGAIN_NS;
    if (handshake->state == CLIENT_HANDSHAKE_JOIN && handshake->join_count++ == ASKED_MAX)
        begin_attempt(handshake);
    if (handshake->state == CLIENT_HANDSHAKE_HELLO) {
        handshake_hello_write(&handshake->attempt, out);
        return HELLO_BYTES;
    }
    memcpy(out, handshake->attempt.join, JOIN_BYTES);
    return JOIN_BYTES;
}

// Asked before the server gets a secret.
static bool is_expected_server(struct client_handshake *handshake)
{
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    identity_fingerprint(handshake->attempt.server_key, fingerprint);
    const char *wanted = handshake->fingerprint[0] ? handshake->fingerprint : handshake->claimed;
    if (wanted[0] && strcmp(wanted, fingerprint) != 0)
        return error_set(&handshake->unexpected,
                         "%s has the key %s, but you asked for %s: either the address is out of date, or somebody else "
                         "answers in its place",
                         handshake->server_name, fingerprint, wanted);
    return handshake->fingerprint[0] || !handshake->known_servers_path[0] ||
           known_servers_check(handshake->known_servers_path, handshake->server_name, fingerprint,
                               &handshake->unexpected);
}

static bool is_same_server(struct client_handshake *handshake)
{
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    identity_fingerprint(handshake->attempt.server_key, fingerprint);
    return !handshake->known_servers_path[0] || handshake->fingerprint[0] ||
           known_servers_add(handshake->known_servers_path, handshake->server_name, fingerprint, &handshake->error);
}

static void take_cookie(struct client_handshake *handshake, const struct datagram *datagram)
{
    if (handshake->state != CLIENT_HANDSHAKE_HELLO ||
        !handshake_cookie_read(&handshake->attempt, datagram->bytes, datagram->byte_count))
        return;
    if (is_expected_server(handshake)) {
        handshake->state = CLIENT_HANDSHAKE_JOIN;
        handshake->next_ns = datagram->now_ns;
    } else if (handshake->unexpected_ns == 0) {
        handshake->unexpected_ns = datagram->now_ns;
    }
}

static void take_answer(struct client_handshake *handshake, const struct datagram *datagram)
{
    char reason[NET_REASON_BYTES];
    enum denial denial = handshake_deny_read(&handshake->attempt, datagram->bytes, datagram->byte_count, reason);
    utf8_clean(reason, sizeof reason, reason, strlen(reason));
    if (denial == DENIAL_PASSWORD && retries_with_password(handshake, datagram->now_ns))
        return;
    if (denial != DENIAL_NONE) {
        error_set(&handshake->error, "%s%s%s", handshake_denial_text(denial), *reason ? " It says: " : "", reason);
        handshake->denial = denial;
        conclude(handshake, CLIENT_HANDSHAKE_REFUSED);
    } else if (handshake_accept_read(&handshake->attempt, datagram->bytes, datagram->byte_count, &handshake->grant,
                                     &handshake->crypto)) {
        if (handshake->ticket)
            memcpy(handshake->ticket->bytes, handshake->attempt.ticket, NET_TICKET_BYTES);
        conclude(handshake, is_same_server(handshake) ? CLIENT_HANDSHAKE_OPEN : CLIENT_HANDSHAKE_REFUSED);
    }
}

// At once, from where the client is: so the server knows that it is there.
static enum datagram_outcome answer_challenge(struct client_handshake *handshake, struct datagram_output *output)
{
    uint8_t message[PATH_MESSAGE_BYTES];
    memcpy(message, output->bytes, sizeof message);
    output->byte_count =
        packet_crypto_encrypt(&handshake->crypto, handshake->grant.session, message, sizeof message, output->bytes);
    return DATAGRAM_ANSWERED;
}

static enum datagram_outcome take_encrypted(struct client_handshake *handshake, const struct datagram *datagram,
                                            struct datagram_output *output)
{
    struct session_id session;
    bool newest;
    output->session = (struct session_id){0, 1}; // a client has one
    output->byte_count = datagram->byte_count - PACKET_CRYPTO_OVERHEAD_BYTES;
    if (!packet_crypto_claims(datagram->bytes, datagram->byte_count, &session) ||
        session.index != handshake->grant.session.index || session.generation != handshake->grant.session.generation ||
        !packet_crypto_decrypt(&handshake->crypto, datagram->bytes, datagram->byte_count, output->bytes, &newest))
        return DATAGRAM_CONSUMED;
    return path_answer(output->bytes, output->byte_count) ? answer_challenge(handshake, output) : DATAGRAM_DELIVERED;
}

enum datagram_outcome client_handshake_take(struct client_handshake *handshake, const struct datagram *datagram,
                                            struct datagram_output *output)
{
    if (handshake->state == CLIENT_HANDSHAKE_OPEN) {
        if (!session_reset_claims(&handshake->grant, datagram->bytes, datagram->byte_count))
            return take_encrypted(handshake, datagram, output);
        conclude(handshake, CLIENT_HANDSHAKE_RESET);
        return DATAGRAM_CONSUMED;
    }
    if (handshake->state == CLIENT_HANDSHAKE_JOIN)
        take_answer(handshake, datagram);
    else
        take_cookie(handshake, datagram);
    return DATAGRAM_CONSUMED;
}
