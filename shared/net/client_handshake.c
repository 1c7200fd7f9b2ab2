// SPDX-License-Identifier: MIT
#include "client_handshake.h"
#include "transport_config.h"

#include <stdio.h>
#include <string.h>

#define AGAIN_NS  100000000u
#define ASKED_MAX 15 // then the cookie may have gone stale: a new attempt

static void begin_attempt(struct client_handshake *joining)
{
    struct handshake_client before = joining->handshake;
    handshake_client_init(&joining->handshake, joining->seed, before.protocol);
    joining->handshake.secret_kind = before.secret_kind;
    memcpy(joining->handshake.secret, before.secret, JOIN_SECRET_BYTES);
    joining->state = CLIENT_HANDSHAKE_GREETS;
    joining->asked = 0;
}

static void use_password(struct handshake_client *handshake, const char *password)
{
    handshake->secret_kind = *password ? SECRET_PASSWORD : SECRET_NONE;
    memset(handshake->secret, 0, JOIN_SECRET_BYTES);
    memcpy(handshake->secret, password, strnlen(password, JOIN_SECRET_BYTES));
}

void client_handshake_begin(struct client_handshake *joining, uint32_t protocol, const char *password, uint64_t now_ns)
{
    joining->handshake = (struct handshake_client){.protocol = protocol};
    snprintf(joining->password, sizeof joining->password, "%s", password);
    static const struct net_ticket none = {{0}};
    if (joining->ticket && memcmp(joining->ticket, &none, sizeof none) != 0) {
        joining->handshake.secret_kind = SECRET_TICKET;
        memcpy(joining->handshake.secret, joining->ticket->bytes, TICKET_BYTES);
    } else {
        use_password(&joining->handshake, joining->password);
    }
    joining->next_ns = now_ns;
    begin_attempt(joining);
}

// The password has changed, or the ticket is out of date: once more with the password, if there is one.
static bool tries_password(struct client_handshake *joining, uint64_t now_ns)
{
    if (joining->handshake.secret_kind != SECRET_TICKET)
        return false;
    *joining->ticket = (struct net_ticket){{0}};
    if (!*joining->password)
        return false;
    use_password(&joining->handshake, joining->password);
    joining->next_ns = now_ns;
    begin_attempt(joining);
    return true;
}

size_t client_handshake_due(struct client_handshake *joining, uint64_t now_ns, uint8_t out[HELLO_BYTES])
{
    if (joining->state == CLIENT_HANDSHAKE_OPEN || joining->state == CLIENT_HANDSHAKE_REFUSED ||
        now_ns < joining->next_ns)
        return 0;
    joining->next_ns = now_ns + AGAIN_NS;
    if (joining->state == CLIENT_HANDSHAKE_ASKS && joining->asked++ == ASKED_MAX)
        begin_attempt(joining);
    if (joining->state == CLIENT_HANDSHAKE_GREETS) {
        handshake_hello_write(&joining->handshake, out);
        return HELLO_BYTES;
    }
    memcpy(out, joining->handshake.join, JOIN_BYTES);
    return JOIN_BYTES;
}

// Before a secret is told to it: is it the server that was meant?
static bool is_expected(struct client_handshake *joining)
{
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    identity_fingerprint(joining->handshake.server_key, fingerprint);
    if (!joining->expected[0])
        return !joining->known[0] || known_servers_check(joining->known, joining->place, fingerprint, &joining->error);
    if (strcmp(joining->expected, fingerprint) == 0)
        return true;
    return error_set(&joining->error,
                     "%s has the key %s, but %s was asked for: the address is out of date, or somebody stands between",
                     joining->place, fingerprint, joining->expected);
}

static bool is_remembered(struct client_handshake *joining)
{
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    identity_fingerprint(joining->handshake.server_key, fingerprint);
    return !joining->known[0] || joining->expected[0] ||
           known_servers_remember(joining->known, joining->place, fingerprint, &joining->error);
}

static void take_cookie(struct client_handshake *joining, uint64_t now_ns, const uint8_t *bytes, size_t byte_count)
{
    if (joining->state != CLIENT_HANDSHAKE_GREETS || !handshake_cookie_read(&joining->handshake, bytes, byte_count))
        return;
    joining->state = is_expected(joining) ? CLIENT_HANDSHAKE_ASKS : CLIENT_HANDSHAKE_REFUSED;
    joining->next_ns = now_ns;
}

static void take_answer(struct client_handshake *joining, uint64_t now_ns, const uint8_t *bytes, size_t byte_count)
{
    char words[NET_REASON_BYTES];
    enum denial denial = handshake_deny_read(&joining->handshake, bytes, byte_count, words);
    for (char *c = words; *c; c++)
        *c = (unsigned char)*c < ' ' || *c == 0x7F ? ' ' : *c; // people see it, maybe in a terminal
    if (denial == DENIAL_PASSWORD && tries_password(joining, now_ns))
        return;
    if (denial != DENIAL_NONE) {
        error_set(&joining->error, "%s%s%s", handshake_denial_text(denial), *words ? " It says: " : "", words);
        joining->denial = denial;
        joining->state = CLIENT_HANDSHAKE_REFUSED;
    } else if (handshake_accept_read(&joining->handshake, bytes, byte_count, &joining->session, &joining->seal)) {
        joining->state = is_remembered(joining) ? CLIENT_HANDSHAKE_OPEN : CLIENT_HANDSHAKE_REFUSED;
        if (joining->ticket)
            memcpy(joining->ticket->bytes, joining->handshake.secret, TICKET_BYTES);
    }
}

bool client_handshake_take(struct client_handshake *joining, uint64_t now_ns, const uint8_t *bytes, size_t byte_count,
                           uint8_t *out, size_t *out_count)
{
    uint16_t session;
    bool newest;
    if (joining->state == CLIENT_HANDSHAKE_OPEN) {
        *out_count = byte_count - PACKET_CRYPTO_OVERHEAD_BYTES;
        return packet_crypto_claims(bytes, byte_count, &session) && session == joining->session &&
               packet_crypto_decrypt(&joining->seal, bytes, byte_count, out, &newest);
    }
    if (joining->state == CLIENT_HANDSHAKE_ASKS)
        take_answer(joining, now_ns, bytes, byte_count);
    else
        take_cookie(joining, now_ns, bytes, byte_count);
    return false;
}
