// SPDX-License-Identifier: MIT
#include "scripted_server.h"

#include "net/crypto/identity.h"
#include "sync/world.h"
#include "test.h"
#include "wire/input_log.h"

// A wall keeps the two players apart.
static const char *const ROWS[] = {
    "..........#.........", "..........#.........", "..S.......#......S..", "..........#.........",
    "..........#.........", "..........#.........", "####################", NULL,
};

struct test_match match;
struct world worlds[256];
uint8_t blob[MAP_BLOB_BYTES_MAX];
uint32_t blob_bytes;
struct memory_network *network;
struct transport *server;
struct client *client;
uint64_t now_us;
uint32_t peer;
struct message heard[64];
uint32_t heard_count;
uint32_t gone_reason;

static struct world fresh; // of the map, without players

void hear(void)
{
    struct net_event event;
    while (transport_poll(server, &event)) {
        if (event.kind == NET_CONNECTED)
            peer = event.peer;
        if (event.kind == NET_DISCONNECTED)
            gone_reason = event.reason;
        if (event.kind != NET_MESSAGE)
            continue;
        assert_true(heard_count < 64);
        assert_true(message_decode(&heard[heard_count++], event.bytes, event.byte_count));
    }
}

void pass_ms(uint64_t ms)
{
    now_us += ms * 1000;
    memory_network_advance(network, now_us);
    hear();
    client_receive(client, now_us);
    memory_network_advance(network, now_us);
    hear();
}

void say_bytes(enum net_channel channel, const uint8_t *bytes, size_t count)
{
    assert_true(transport_send(server, peer, channel, bytes, count));
    transport_flush(server);
    pass_ms(1);
}

void say(struct message message)
{
    uint8_t bytes[MESSAGE_BYTES_MAX];
    say_bytes(NET_RELIABLE, bytes, message_encode(&message, bytes));
}

void begin(void)
{
    test_match_draw(&match, ROWS);
    test_match_start(&match);
    world_copy(&fresh, &match.world);
    test_match_put(&match, 0, 30, 48);
    test_match_put(&match, 1, 120, 48);
    for (tick i = 1; i < 200; i++) {
        test_match_hold(&match, 1, i % 7 ? BUTTON_LEFT : BUTTON_JUMP);
        test_match_step(&match, 1);
        world_copy(&worlds[match.world.tick], &match.world);
    }
    blob_bytes = (uint32_t)map_blob_encode(&match.map, blob, sizeof blob);
    now_us = heard_count = peer = 0;
    network = memory_network_create(1, &(struct impairment){0}, 4);
    server = memory_network_server(network);
    client = client_create(memory_network_client(network),
                           &(struct client_config){.player = {.name = "Zo\xc3\xab", .colour = 5, .hat = HAT_CAP}});
    pass_ms(1);
    pass_ms(1);
}

void finish(void)
{
    client_destroy(client);
    memory_network_destroy(network);
}

struct message welcome_at(tick number)
{
    struct message message = {.kind = MESSAGE_WELCOME,
                              .as.welcome = {.snapshot_rate = 60,
                                             .tick = number,
                                             .rules = match.world.rules,
                                             .map_hash = map_hash(&match.map),
                                             .map_blob_bytes = blob_bytes}};
    identity_of_content(blob, blob_bytes, message.as.welcome.map_address);
    return message;
}

struct message welcome(void)
{
    return welcome_at(99);
}

struct message part(uint32_t offset, uint32_t count)
{
    return (struct message){.kind = MESSAGE_MAP_PART,
                            .as.map_part = {.offset = offset, .count = count, .bytes = blob + offset}};
}

// Encodes what happened since the baseline; a single byte if the baseline is too old.
static size_t encode_moves(tick baseline, tick number, uint8_t *body, size_t capacity)
{
    static struct input_log moves;
    for (tick i = baseline; i <= number; i++)
        input_log_add(&moves, &(struct command){0}, 0, &worlds[i]);
    body[0] = 0;
    return input_log_holds(&moves, baseline) ? input_log_encode(&moves, baseline, number, body, capacity) : 1;
}

void say_snapshot_with(struct snapshot_head head)
{
    static uint8_t body[SNAPSHOT_BODY_BYTES_MAX];
    uint8_t bytes[MESSAGE_BYTES_MAX];
    size_t size = head.baseline_tick ? encode_moves(head.baseline_tick, head.tick, body, sizeof body)
                                     : snapshot_body_encode(&fresh, &worlds[head.tick], body, sizeof body);
    head.world_hash ^= (uint32_t)world_hash(&worlds[head.tick]);
    head.parts = 1;
    assert_true(size > 0 && size <= SNAPSHOT_PART_BYTES);
    say_bytes(NET_UNSEQUENCED, bytes, snapshot_part_encode(&head, body, size, bytes));
}

void say_snapshot(tick number, tick baseline, uint32_t hash_fault, tick input_tick)
{
    say_snapshot_with((struct snapshot_head){.tick = number,
                                             .baseline_tick = baseline,
                                             .world_hash = hash_fault,
                                             .input_tick = input_tick,
                                             .margin_quarter_ticks = input_tick ? 4 : 0});
}

void let_in(void)
{
    say((struct message){.kind = MESSAGE_SEATS, .as.seats.seats.of[0] = 1});
    say(welcome());
    say(part(0, blob_bytes));
    say_snapshot(100, 0, 0, 0);
}

const struct input_message *tick_once(uint32_t buttons)
{
    uint64_t due_us = client_next_tick_us(client);
    now_us = due_us > now_us ? due_us : now_us;
    heard_count = 0;
    assert_true(client_tick_due(client, now_us));
    client_tick(client, &(struct local_inputs){{{buttons}}}, now_us);
    pass_ms(1);
    assert_int_equal(heard_count, 1);
    assert_int_equal(heard[0].kind, MESSAGE_INPUT);
    return &heard[0].as.input;
}

struct client_statistics counted(void)
{
    struct client_statistics statistics;
    client_statistics(client, &statistics);
    return statistics;
}
