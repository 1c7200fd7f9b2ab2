// SPDX-License-Identifier: MIT
//
// Plays a match in virtual time over a bad network and prints every message that clients send and receive, and the
// datagrams of a handshake, and a path that is proven, for tests/system/protocol_check.py, which describes the format.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "memory_network.h"
#include "net/crypto/handshake.h"
#include "net/crypto/vouch.h"
#include "net/path.h"
#include "session.h"
#include "sync/world.h"
#include "test.h"

enum { CLIENTS = 6, PROTOCOL_OF_DENIED = 1 };

// A transport that prints what goes through it.
struct tap {
    struct transport transport;
    struct transport *inner;
    uint32_t client;
};

static void print(uint32_t client, const char *way, const uint8_t *bytes, size_t byte_count)
{
    printf("%u %s ", client, way);
    for (size_t i = 0; i < byte_count; i++)
        printf("%02x", bytes[i]);
    printf("\n");
}

static bool tap_poll(struct transport *transport, struct net_event *event)
{
    struct tap *tap = (struct tap *)transport;
    bool found = transport_poll(tap->inner, event);
    if (found && event->kind == NET_MESSAGE)
        print(tap->client, "<", event->bytes, event->byte_count);
    return found;
}

static bool tap_send(struct transport *transport, uint32_t peer, enum net_channel channel, const uint8_t *bytes,
                     size_t byte_count)
{
    struct tap *tap = (struct tap *)transport;
    print(tap->client, ">", bytes, byte_count);
    return transport_send(tap->inner, peer, channel, bytes, byte_count);
}

static void tap_flush(struct transport *transport)
{
    transport_flush(((struct tap *)transport)->inner);
}

static void tap_disconnect(struct transport *transport, uint32_t peer, uint32_t reason, bool now)
{
    transport_disconnect(((struct tap *)transport)->inner, peer, reason, now);
}

static void tap_totals(const struct transport *transport, struct net_totals *totals)
{
    transport_totals(((const struct tap *)transport)->inner, totals);
}

static uint32_t tap_rtt_ms(const struct transport *transport, uint32_t peer)
{
    return transport_rtt_ms(((const struct tap *)transport)->inner, peer);
}

static void tap_close(struct transport *transport)
{
    transport_close(((struct tap *)transport)->inner);
    free(transport);
}

static const struct transport_table tap_table = {.poll = tap_poll,
                                                 .send = tap_send,
                                                 .flush = tap_flush,
                                                 .disconnect = tap_disconnect,
                                                 .totals = tap_totals,
                                                 .rtt_ms = tap_rtt_ms,
                                                 .close = tap_close};

static void print_fresh(uint32_t client)
{
    const char *comma = "";
    printf("%u fresh ", client);
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++) {
        const uint32_t *words = replication_table_words_const(&REPLICATION_TABLES[t], &session.match->first_world);
        uint32_t count = replication_table_used(&REPLICATION_TABLES[t], &session.match->first_world) *
                         REPLICATION_TABLES[t].field_count;
        for (uint32_t i = 0; i < count; i++, comma = ",")
            printf("%s%x", comma, words[i]);
    }
    printf("\n");
}

// A server that trusts two others, vouches for the players and has records of them. A vouch is bytes to all but those
// who judge it.
static void fill_vouch(uint8_t vouch[MESSAGE_VOUCH_BYTES])
{
    static const uint8_t seed[IDENTITY_SEED_BYTES] = {3};
    uint8_t secret[VOUCH_SECRET_BYTES];
    struct vouch said = {.local = 1, .name = "Zo\xc3\xab", .mean = -5, .deviation = 7, .matches = 9, .expires_s = 11};
    vouch_keys(seed, said.server, secret);
    vouch_write(&said, secret, vouch);
}

static bool find_vouch(void *context, uint32_t local, const char *fingerprint, uint8_t bytes[MESSAGE_VOUCH_BYTES])
{
    (void)context, (void)local;
    fill_vouch(bytes);
    return fingerprint[0] == 'a';
}

static void come(uint32_t index)
{
    static uint32_t number;
    struct tap *tap = calloc(1, sizeof *tap);
    if (!tap)
        abort();
    *tap = (struct tap){{&tap_table}, memory_network_client(session.network), number++};
    struct client_config config = {
        .player = {.colour = index, .hat = (index + 1) % HATS}, .light = index == 3, .vouches = {.find = find_vouch}};
    snprintf(config.player.name, sizeof config.player.name, "Zo\xc3\xab %u", index);
    print_fresh(tap->client);
    session.clients[index] = client_create(&tap->transport, &config);
    session.compared[index] = 0;
}

static void take_shown(void *context, const struct seat_key *key, const uint8_t bytes[MESSAGE_VOUCH_BYTES])
{
    (void)context, (void)key, (void)bytes;
}

static void vouch(void)
{
    struct message message = {.kind = MESSAGE_VOUCH};
    fill_vouch(message.as.vouch);
    peer_send(session.match, 0, &message);
    message = (struct message){
        .kind = MESSAGE_RECORD,
        .as.record = {3, -5, 7, UINT32_MAX, 4, 9, 120, 80, 6, 5, 900, 200, 36000, 1, 2, "Zo\xc3\xab's server"}};
    peer_send(session.match, 0, &message);
}

static void chat(void)
{
    struct message vote = {
        .kind = MESSAGE_VOTE,
        .as.vote = {2, 1, 1800, "Zo\xc3\xab asks: the map duel?", {{3, "Yes"}, {PLAYER_CAPACITY, "No"}}}};
    client_chat_send(session.clients[0], 0, false, "gr\xc3\xbc\xc3\x9f euch");
    client_chat_send(session.clients[2], 0, true, "to my team");
    client_chat_send(session.clients[3], 0, false, "/help");
    peer_send(session.match, 0, &vote);
    session_run(0.5);
    vote.as.vote = (struct vote_message){0}; // it is over
    peer_send(session.match, 0, &vote);
}

static void order(const struct command *command)
{
    match_enqueue_command(session.match, command);
    session_run(0.5);
}

static void play(void)
{
    struct impairment bad = {
        .delay_us = 40000, .jitter_us = 10000, .loss_ppm = 50000, .duplicate_ppm = 20000, .reorder_ppm = 20000};
    session_begin(1, "foundry", &bad);
    session.match->vouches = (struct vouch_listener){
        .shown = take_shown, .trusted = {2, {"abcdefghijklmnopqrstuvwxyz234567", "77777777777777777777777777777777"}}};
    for (uint32_t i = 0; i < 4; i++)
        come(i);
    session_run(5);
    chat();
    vouch();
    session_run(0.5);
    order(&(struct command){.kind = COMMAND_PAUSE, .paused = 1});
    order(&(struct command){.kind = COMMAND_RULES,
                            .score_limit = 30,
                            .time_limit_ticks = 7200,
                            .friendly_fire = 1,
                            .bot_skill = SKILL_HARD});
    order(&(struct command){.kind = COMMAND_PAUSE});
    come(4);
    session_run(3);
    session_leave(1);
    session_run(1);
    come(1);
    session_run(3);
    for (uint32_t local = 1; local < LOCAL_PLAYERS; local++)
        session_join_beside(2, local);
    session_run(3);
    client_leave_player(session.clients[2], 1);
    session_run(1);
    peer_drop(session.match, 0, DENY_KICKED);
    session_run(1);
    match_close(session.match);
    session_run(0.5);
    session_end();
}

// One handshake that is accepted, and one of another version.
static void do_handshake(uint32_t protocol)
{
    static const uint8_t server_seed[32] = {1}, client_seed[32] = {2};
    struct handshake_server server;
    struct handshake_client client;
    struct packet_crypto crypto;
    struct session_grant grant = {.session = {7, 9}};
    struct join join;
    enum denial denial;
    uint8_t hello[HELLO_BYTES], cookie[COOKIE_BYTES], accept[ACCEPT_BYTES], deny[DENY_BYTES], encrypted[64],
        reset[SESSION_RESET_BYTES];
    handshake_server_init(&server, server_seed, PROTOCOL_VERSION);
    handshake_client_init(&client, client_seed, protocol);
    handshake_hello_write(&client, hello);
    struct datagram asked = {.from = {{127, 0, 0, 1, 1, 2}, 6}, .bytes = hello, .byte_count = sizeof hello};
    handshake_server_renew(&server, 0);
    handshake_cookie_write(&server, &asked, cookie);
    if (!handshake_cookie_read(&client, cookie, sizeof cookie) ||
        !handshake_join_read(&server, client.join, &join, &denial))
        abort();
    print(0, "datagram", hello, sizeof hello);
    print(0, "datagram", cookie, sizeof cookie);
    print(0, "datagram", client.join, JOIN_BYTES);
    if (denial != DENIAL_NONE) {
        handshake_deny_write(&join, handshake_nonce(hello), denial, "", deny);
        print(0, "datagram", deny, sizeof deny);
        return;
    }
    handshake_accept_write(&server, &join, handshake_nonce(hello), &grant, accept, &crypto);
    print(0, "datagram", accept, sizeof accept);
    print(0, "datagram", encrypted,
          packet_crypto_encrypt(&crypto, grant.session, (const uint8_t *)"ping", 4, encrypted));
    handshake_reset_write(&grant, reset);
    print(0, "datagram", reset, sizeof reset);
}

// A client moves to another port.
static void move_path(void)
{
    struct path path;
    struct datagram datagram = {.from = {{127, 0, 0, 1, 1, 2}, 6}, .byte_count = 60};
    uint8_t message[PATH_MESSAGE_BYTES];
    path_init(&path, &datagram.from);
    datagram.from.bytes[5]++;
    path_receive(&path, &datagram, true);
    if (!path_challenge(&path, 0, message))
        abort();
    print(0, "path", message, sizeof message);
    if (!path_answer(message, sizeof message))
        abort();
    print(0, "path", message, sizeof message);
}

int main(void)
{
    if (sodium_init() < 0)
        return 1;
    do_handshake(PROTOCOL_VERSION);
    do_handshake(PROTOCOL_OF_DENIED);
    move_path();
    play();
    return ferror(stdout) ? 1 : 0;
}
