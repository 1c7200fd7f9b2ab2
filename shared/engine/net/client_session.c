// SPDX-License-Identifier: MIT
#include "client_session.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "path.h"

#define AGAIN_NS 100000000u
// JOINs on one cookie. Then it may be that of a server that has ended, or too old: a new attempt. The answer to a JOIN
// takes as long as the one to a HELLO, so a slow line gets more.
#define JOINS_MIN 5u
#define JOINS_MAX 15u
// The expected server may still answer if another one was quicker.
#define UNEXPECTED_NS 1000000000u

static const struct net_ticket no_ticket = {.bytes = {0}};

static void begin_attempt(struct client_session *session)
{
    struct handshake_client *attempt = &session->attempt;
    handshake_client_init(attempt, session->seed, attempt->protocol);
    memcpy(attempt->password, session->password, strnlen(session->password, sizeof attempt->password));
    if (session->ticket)
        memcpy(attempt->ticket, session->ticket->bytes, sizeof attempt->ticket);
    session->state = CLIENT_SESSION_HELLO;
    session->join_count = 0;
    session->asked_ns = 0;
}

void client_session_begin(struct client_session *session, uint32_t protocol, const char *password, uint64_t now_ns)
{
    session->attempt.protocol = protocol;
    snprintf(session->password, sizeof session->password, "%s", password);
    session->next_ns = now_ns;
    begin_attempt(session);
}

// Forgets what only another attempt would need.
static void conclude(struct client_session *session, enum client_session_state state)
{
    session->state = state;
    sodium_memzero(session->seed, sizeof session->seed);
    sodium_memzero(session->password, sizeof session->password);
    if (state != CLIENT_SESSION_OPEN) {
        sodium_memzero(&session->attempt, sizeof session->attempt);
        sodium_memzero(&session->crypto, sizeof session->crypto);
    }
}

size_t client_session_due(struct client_session *session, uint64_t now_ns, uint8_t out[HELLO_BYTES])
{
    // Nobody but an unexpected server has answered.
    if (session->state == CLIENT_SESSION_HELLO && session->unexpected_ns != 0 &&
        now_ns - session->unexpected_ns >= UNEXPECTED_NS) {
        session->error = session->unexpected;
        conclude(session, CLIENT_SESSION_REFUSED);
    }
    bool asks = session->state == CLIENT_SESSION_HELLO || session->state == CLIENT_SESSION_JOIN;
    if (!asks || now_ns < session->next_ns)
        return 0;
    session->next_ns = now_ns + AGAIN_NS;
    if (session->state == CLIENT_SESSION_JOIN && session->join_count++ == session->joins_max)
        begin_attempt(session);
    if (session->state == CLIENT_SESSION_HELLO) {
        session->asked_ns = session->asked_ns ? session->asked_ns : now_ns;
        handshake_hello_write(&session->attempt, out);
        return HELLO_BYTES;
    }
    memcpy(out, session->attempt.join, JOIN_BYTES);
    return JOIN_BYTES;
}

// Asked before the server gets a secret.
static bool is_expected_server(struct client_session *session)
{
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    identity_fingerprint(session->attempt.server_key, fingerprint);
    const char *wanted = session->fingerprint[0] ? session->fingerprint : session->claimed;
    if (wanted[0] && strcmp(wanted, fingerprint) != 0)
        return error_set(&session->unexpected,
                         "%s has the key %s, but you asked for %s: either the address is out of date, or somebody else "
                         "answers in its place",
                         session->server_name, fingerprint, wanted);
    const char *known = session->known_servers_path;
    if (session->fingerprint[0])
        return true;
    if (known[0] && !known_servers_check(known, session->server_name, fingerprint, &session->unexpected))
        return false;
    // Somebody in the place of a server with a password could let the player in without it, and they would not notice.
    if (session->attempt.needs_password || !session->password[0] ||
        (known[0] && known_servers_has(known, session->server_name, fingerprint)))
        return true;
    return error_set(&session->unexpected,
                     "%s asks for no password, but you gave one: either it needs none, or somebody else answers in its "
                     "place; if you trust it, join without a password",
                     session->server_name);
}

// Reads a cookie, for a join with the ticket if this server has given it.
static bool read_cookie(struct client_session *session, const struct datagram *datagram)
{
    struct handshake_client *attempt = &session->attempt;
    attempt->has_ticket = session->ticket && memcmp(session->ticket, &no_ticket, sizeof no_ticket) != 0;
    if (!handshake_cookie_read(attempt, datagram->bytes, datagram->byte_count))
        return false;
    if (!attempt->has_ticket || memcmp(session->ticket->server, attempt->server_key, sizeof attempt->server_key) == 0)
        return true;
    attempt->has_ticket = false;
    return handshake_cookie_read(attempt, datagram->bytes, datagram->byte_count);
}

static void take_cookie(struct client_session *session, const struct datagram *datagram)
{
    uint64_t now_ns = datagram->now_ns;
    if (session->state != CLIENT_SESSION_HELLO || !read_cookie(session, datagram))
        return;
    if (!is_expected_server(session)) {
        session->unexpected_ns = session->unexpected_ns ? session->unexpected_ns : now_ns;
        return;
    }
    session->state = CLIENT_SESSION_JOIN;
    session->round_trip_ns = now_ns - session->asked_ns;
    session->joined_ns = session->next_ns = now_ns;
    // Twice the time that the cookie took, which is longer than a round trip if a HELLO was lost.
    uint64_t joins = 2 * session->round_trip_ns / AGAIN_NS;
    session->joins_max = joins < JOINS_MIN ? JOINS_MIN : joins > JOINS_MAX ? JOINS_MAX : (uint32_t)joins;
}

static void take_answer(struct client_session *session, const struct datagram *datagram)
{
    struct handshake_client *attempt = &session->attempt;
    char reason[NET_REASON_BYTES], fingerprint[FINGERPRINT_TEXT_BYTES];
    enum denial denial = handshake_deny_read(attempt, datagram->bytes, datagram->byte_count, reason);
    utf8_clean(reason, sizeof reason, reason, strlen(reason));
    if (denial == DENIAL_PASSWORD && attempt->has_ticket) {
        // The password has changed, or the ticket is out of date: try again with the password, if there is one.
        *session->ticket = no_ticket;
        if (*session->password) {
            session->next_ns = datagram->now_ns;
            begin_attempt(session);
            return;
        }
    }
    if (denial != DENIAL_NONE) {
        error_set(&session->error, "%s%s%s", handshake_denial_text(denial), *reason ? " It says: " : "", reason);
        session->denial = denial;
        conclude(session, CLIENT_SESSION_REFUSED);
    } else if (handshake_accept_read(attempt, datagram->bytes, datagram->byte_count, &session->grant,
                                     &session->crypto)) {
        identity_fingerprint(attempt->server_key, fingerprint);
        if (session->proven)
            memcpy(session->proven, fingerprint, sizeof fingerprint);
        if (session->ticket) {
            memcpy(session->ticket->bytes, attempt->ticket, NET_TICKET_BYTES);
            memcpy(session->ticket->server, attempt->server_key, sizeof session->ticket->server);
        }
        uint64_t answered_ns = datagram->now_ns - session->joined_ns; // longer if a JOIN was lost
        session->round_trip_ns = answered_ns < session->round_trip_ns ? answered_ns : session->round_trip_ns;
        bool is_same =
            !session->known_servers_path[0] || session->fingerprint[0] ||
            known_servers_add(session->known_servers_path, session->server_name, fingerprint, &session->error);
        conclude(session, is_same ? CLIENT_SESSION_OPEN : CLIENT_SESSION_REFUSED);
    }
}

static enum datagram_outcome take_encrypted(struct client_session *session, const struct datagram *datagram,
                                            struct datagram_output *output)
{
    struct session_id id;
    bool newest;
    output->session = (struct session_id){0, 1}; // a client has one
    output->byte_count = datagram->byte_count - PACKET_CRYPTO_OVERHEAD_BYTES;
    if (!packet_crypto_claims(datagram->bytes, datagram->byte_count, &id) || id.index != session->grant.session.index ||
        id.generation != session->grant.session.generation ||
        !packet_crypto_decrypt(&session->crypto, datagram->bytes, datagram->byte_count, output->bytes, &newest))
        return DATAGRAM_CONSUMED;
    if (!path_answer(output->bytes, output->byte_count))
        return DATAGRAM_DELIVERED;
    // At once, from where the client is: so the server knows that it is there.
    uint8_t message[PATH_MESSAGE_BYTES];
    memcpy(message, output->bytes, sizeof message);
    output->byte_count =
        packet_crypto_encrypt(&session->crypto, session->grant.session, message, sizeof message, output->bytes);
    return DATAGRAM_ANSWERED;
}

enum datagram_outcome client_session_take(struct client_session *session, const struct datagram *datagram,
                                          struct datagram_output *output)
{
    if (session->state == CLIENT_SESSION_OPEN) {
        if (!handshake_reset_claims(&session->grant, datagram->bytes, datagram->byte_count))
            return take_encrypted(session, datagram, output);
        conclude(session, CLIENT_SESSION_RESET);
        return DATAGRAM_CONSUMED;
    }
    if (session->state == CLIENT_SESSION_JOIN)
        take_answer(session, datagram);
    else
        take_cookie(session, datagram);
    return DATAGRAM_CONSUMED;
}
