// SPDX-License-Identifier: MIT
#include "stranger.h"

#include <string.h>

#include "base/random.h"
#include "net/crypto/handshake.h"
#include "virtual_udp.h"

// ENet's commands with the size of each; 0: this server never sends it.
enum { ACKNOWLEDGE = 1, PING = 5, RELIABLE = 6, COMMANDS = 16, KIND = 0x0f, NEEDS_ANSWER = 0x80 };
static const uint8_t command_bytes[COMMANDS] = {0, 8, 0, 0, 8, 4, 6, 0, 0, 0, 12, 16};

enum {
    VICTIM_PORT = 27015,
    CONNECT_PAUSE_STEPS = 6,
    FILL_MESSAGES = 4,
    UNKNOWN_BYTES_MAX = 60,
    REPLAY_PAUSE_STEPS = 12
};

static uint32_t draw(struct stranger *stranger, uint32_t below)
{
    return (uint32_t)(random_next64(&stranger->random) % below);
}

// A connectivity check with the user name deadfallpassword:abcd.
static const uint8_t CHECK[] =
    "\x00\x01\x00\x50\x21\x12\xa4\x42\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x00\x06\x00\x15"
    "\x64\x65\x61\x64\x66\x61\x6c\x6c\x70\x61\x73\x73\x77\x6f\x72\x64\x3a\x61\x62\x63\x64\x00\x00\x00"
    "\x00\x24\x00\x04\x6e\x7f\x1e\xff\x80\x2a\x00\x08\x00\x01\x02\x03\x04\x05\x06\x07\x00\x08\x00\x14"
    "\x23\x29\x64\x38\x14\xb5\xf5\xb0\xd3\x5f\x40\xcc\x71\xe8\x38\x36\x2a\x54\xfc\x23\x80\x28\x00\x04"
    "\xbe\x7b\x11\x2f";

// The smallest ClientHello that gets an answer: one cipher, P-256 (RFC 5246, 6347, 8422).
static const uint8_t DTLS_HELLO[] = "\x16\xfe\xfd\0\0\0\0\0\0\0\1\0\x5b\1\0\0\x4f\0\1\0\0\0\0\0\x4f\xfe\xfd"
                                    "random random random random rand\0\x08"
                                    "cookie  \0\2\xc0\x2b\1\0\0\x1b"
                                    "\0\x0a\0\4\0\2\0\x17\0\x0b\0\2\1\0\0\x0d\0\4\0\2\4\3\xff\1\0\1\0";
enum { DTLS_COOKIE_AT = 61, DTLS_COOKIE_BYTES = 8, DTLS_QUESTION_BYTES = 36, DTLS_QUESTION = 3, DTLS_KIND_AT = 13 };

void stranger_begin(struct stranger *stranger)
{
    stranger->own =
        virtual_udp_stranger(stranger->household, (uint16_t)(stranger->port + draw(stranger, STRANGER_PORTS)));
    stranger->has_echoed = false;
    stranger->is_connected = false;
    stranger->connected_steps = 0;
    stranger->sequence = 1;
    stranger->acknowledged = stranger->messages = 0;
    memset(&stranger->session, 0, sizeof stranger->session);
    for (size_t i = 0; i < sizeof stranger->session.seed; i++)
        stranger->session.seed[i] = (uint8_t)draw(stranger, 256);
    client_session_begin(&stranger->session, 0, "", virtual_udp_now_ns());
}

static struct net_address victim_of(struct stranger *stranger)
{
    return virtual_udp_stranger(stranger->victim, VICTIM_PORT);
}

static void send(struct stranger *stranger, const struct net_address *from, const uint8_t *bytes, size_t byte_count)
{
    bool is_own = net_address_equals(from, &stranger->own);
    stranger->send(from, is_own && stranger->has_echoed, bytes, byte_count);
}

static void send_encrypted(struct stranger *stranger, const uint8_t *bytes, size_t byte_count)
{
    uint8_t encrypted[DATAGRAM_BYTES_MAX];
    bool roams = stranger->lie == LIE_ROAM || (stranger->lie == LIE_BOUNCE && draw(stranger, 3) > 0);
    struct net_address from = roams && stranger->is_connected ? victim_of(stranger) : stranger->own;
    size_t size =
        packet_crypto_encrypt(&stranger->session.crypto, stranger->session.grant.session, bytes, byte_count, encrypted);
    send(stranger, &from, encrypted, size);
}

// One command in a datagram of its own.
static void send_command(struct stranger *stranger, const uint8_t *command, size_t byte_count)
{
    uint8_t bytes[64] = {0x80, 0, 0, 0};
    memcpy(bytes + 4, command, byte_count);
    send_encrypted(stranger, bytes, 4 + byte_count);
}

static void acknowledge(struct stranger *stranger, uint8_t channel, uint16_t number)
{
    uint8_t command[8] = {ACKNOWLEDGE,    channel, (uint8_t)(number >> 8), (uint8_t)number, (uint8_t)(number >> 8),
                          (uint8_t)number};
    send_command(stranger, command, sizeof command);
}

static void ping(struct stranger *stranger)
{
    uint16_t number = ++stranger->sequence;
    uint8_t command[4] = {NEEDS_ANSWER | PING, 0xff, (uint8_t)(number >> 8), (uint8_t)number};
    send_command(stranger, command, sizeof command);
}

static void message(struct stranger *stranger)
{
    static const uint8_t bytes[] = {DATAGRAM_MESSAGE, 1, 2, 3};
    stranger->messages++;
    send_encrypted(stranger, bytes, sizeof bytes);
}

static void take_commands(struct stranger *stranger, const uint8_t *bytes, size_t byte_count)
{
    size_t at = byte_count >= 2 && bytes[0] & 0x80 ? 4 : 2;
    bool acknowledges = stranger->lie == LIE_NONE || stranger->lie == LIE_RESTART || stranger->lie == LIE_FILL ||
                        stranger->lie == LIE_BOUNCE;
    while (at + 4 <= byte_count) {
        const uint8_t *command = bytes + at;
        uint8_t kind = command[0] & KIND;
        size_t size = command_bytes[kind];
        if (size == 0 || size > byte_count - at)
            return;
        if (kind == RELIABLE)
            size += (size_t)(command[4] << 8 | command[5]);
        stranger->connections += !stranger->is_connected;
        stranger->is_connected = true;
        if (command[0] & NEEDS_ANSWER && acknowledges)
            acknowledge(stranger, command[1], (uint16_t)(command[2] << 8 | command[3]));
        at += size;
    }
}

void stranger_take(struct stranger *stranger, const uint8_t *bytes, size_t byte_count)
{
    uint8_t decrypted[DATAGRAM_BYTES_MAX];
    struct datagram datagram = {
        .from = stranger->own, .now_ns = virtual_udp_now_ns(), .bytes = bytes, .byte_count = byte_count};
    struct datagram_output output = {.bytes = decrypted};
    if (stranger->lie == LIE_REPLAY && byte_count == DTLS_QUESTION_BYTES && bytes[DTLS_KIND_AT] == DTLS_QUESTION) {
        memcpy(stranger->cookie, bytes + byte_count - DTLS_COOKIE_BYTES, DTLS_COOKIE_BYTES);
        stranger->has_cookie = true;
    }
    bool was_open = stranger->session.state == CLIENT_SESSION_OPEN;
    if (was_open && stranger->is_deaf && bytes[0] == DATAGRAM_RESET)
        return;
    enum datagram_outcome outcome = client_session_take(&stranger->session, &datagram, &output);
    stranger->has_echoed |= !was_open && stranger->session.state == CLIENT_SESSION_OPEN;
    if (outcome == DATAGRAM_ANSWERED)
        send(stranger, &stranger->own, output.bytes, output.byte_count);
    if (outcome == DATAGRAM_DELIVERED && output.bytes[0] != DATAGRAM_MESSAGE)
        take_commands(stranger, output.bytes, output.byte_count);
}

static void join(struct stranger *stranger)
{
    uint8_t bytes[HELLO_BYTES];
    size_t size = client_session_due(&stranger->session, virtual_udp_now_ns(), bytes);
    bool is_join = size > 0 && bytes[0] == DATAGRAM_JOIN;
    if (is_join && stranger->lie == LIE_FORGED_JOIN)
        for (size_t i = JOIN_BYTES - 100; i < JOIN_BYTES; i++)
            bytes[i] = (uint8_t)draw(stranger, 256);
    struct net_address from = is_join && stranger->lie == LIE_JOIN_AS ? victim_of(stranger) : stranger->own;
    if (size > 0)
        send(stranger, &from, bytes, size);
}

// What it does once it has keys, and the server knows it.
static void lie(struct stranger *stranger)
{
    switch (stranger->lie) {
    case LIE_SILENT:
        return;
    case LIE_RESTART:
        stranger_begin(stranger);
        return;
    case LIE_ANY: // far from what is in flight
        acknowledge(stranger, (uint8_t)(draw(stranger, 3) - 1), (uint16_t)(0x4000 + ++stranger->acknowledged));
        return;
    case LIE_ROAM: // as good as it can guess
        acknowledge(stranger, (uint8_t)(draw(stranger, 3) - 1), ++stranger->acknowledged);
        return;
    case LIE_FILL:
        message(stranger);
        if (stranger->messages == FILL_MESSAGES)
            stranger_begin(stranger);
        return;
    case LIE_NONE:
    case LIE_MUTE:
    case LIE_BOUNCE:
    case LIE_JOIN_AS:
    case LIE_HELLO:
    case LIE_QUERY:
    case LIE_UNKNOWN:
    case LIE_CHECK:
    case LIE_DTLS:
    case LIE_REPLAY:
    case LIE_FORGED_JOIN:
    case LIE_HALF_OPEN:
    case LIE_NO_ENET:
    case LIES:
        if (stranger->steps % 15 == 0)
            ping(stranger);
        else
            message(stranger);
        return;
    }
}

static void use_session(struct stranger *stranger)
{
    static const uint8_t noise[] = {0x40, 1, 2, 3, 4};
    if (stranger->lie == LIE_HALF_OPEN)
        stranger_begin(stranger);
    else if (stranger->lie == LIE_NO_ENET)
        send_encrypted(stranger, noise, sizeof noise);
    else if (stranger->is_connected)
        lie(stranger);
    else if (stranger->steps % CONNECT_PAUSE_STEPS == 0)
        ping(stranger);
}

// As a browser, in a victim's name or its own.
static void send_of_browser(struct stranger *stranger)
{
    struct net_address from = stranger->lie == LIE_REPLAY ? stranger->own : victim_of(stranger);
    uint8_t bytes[sizeof DTLS_HELLO - 1];
    memcpy(bytes, DTLS_HELLO, sizeof bytes);
    if (stranger->has_cookie)
        memcpy(bytes + DTLS_COOKIE_AT, stranger->cookie, DTLS_COOKIE_BYTES);
    bool asks = stranger->lie != LIE_DTLS || draw(stranger, 2);
    if (stranger->lie == LIE_REPLAY) // little, since each datagram pays for an answer
        asks = !stranger->has_cookie && stranger->steps % (2 * REPLAY_PAUSE_STEPS) == 0;
    if (asks)
        send(stranger, &from, CHECK, sizeof CHECK - 1);
    else
        send(stranger, &from, bytes, sizeof bytes);
}

// In a victim's name, without keys.
static void send_in_its_name(struct stranger *stranger)
{
    static const uint8_t query[] = "\xff\xff\xff\xffTSource Engine Query";
    uint8_t bytes[HELLO_BYTES];
    struct net_address victim = victim_of(stranger);
    if (stranger->lie == LIE_HELLO) {
        handshake_hello_write(&stranger->session.attempt, bytes);
        send(stranger, &victim, bytes, sizeof bytes);
    } else if (stranger->lie == LIE_UNKNOWN) {
        for (size_t i = 0; i < UNKNOWN_BYTES_MAX; i++)
            bytes[i] = (uint8_t)draw(stranger, 256);
        bytes[0] = DATAGRAM_ENCRYPTED;
        send(stranger, draw(stranger, 2) ? &victim : &stranger->own, bytes, 1 + draw(stranger, UNKNOWN_BYTES_MAX));
    } else {
        send(stranger, &victim, query, sizeof query);
    }
}

void stranger_step(struct stranger *stranger)
{
    uint32_t count = 1 + draw(stranger, stranger->per_step);
    stranger->steps++;
    stranger->connected_steps += stranger->is_connected;
    for (uint32_t i = 0; i < count; i++) {
        if (stranger->lie == LIE_HELLO || stranger->lie == LIE_QUERY || stranger->lie == LIE_UNKNOWN)
            send_in_its_name(stranger);
        else if (stranger->lie == LIE_CHECK || stranger->lie == LIE_DTLS)
            send_of_browser(stranger);
        else if (stranger->lie == LIE_REPLAY && i == 0 && stranger->steps % REPLAY_PAUSE_STEPS == 0)
            send_of_browser(stranger);
        else if (stranger->lie == LIE_REPLAY)
            return;
        else if (stranger->session.state != CLIENT_SESSION_OPEN)
            join(stranger);
        else
            use_session(stranger);
    }
    if (stranger->session.state == CLIENT_SESSION_REFUSED || stranger->session.state == CLIENT_SESSION_RESET)
        stranger_begin(stranger);
}
