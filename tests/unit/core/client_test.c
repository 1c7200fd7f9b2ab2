// SPDX-License-Identifier: MIT
//
// Tests one client. The test itself is the server and sends anything, even what no server should.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/client.h"
#include "map/map_blob.h"
#include "memory_network.h"
#include "net/content_hash.h"
#include "test_match.h"
#include "wire/input_log.h"
#include "wire/snapshot.h"

// A wall keeps the two players apart.
static const char *const ROWS[] = {
    "..........#.........", "..........#.........", "..S.......#......S..", "..........#.........",
    "..........#.........", "..........#.........", "####################", NULL,
};

static struct test_match match;
static struct world fresh, worlds[256]; // of the server, by tick
static uint8_t blob[MAP_BLOB_BYTES_MAX];
static uint32_t blob_bytes;
static struct memory_network *network;
static struct transport *server;
static struct client *client;
static uint64_t now_us;
static uint32_t peer;            // the client's number at the server
static struct message heard[64]; // messages from the client, newest last
static uint32_t heard_count;
static uint32_t gone_reason; // the reason that the client gave

static void hear(void)
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

static void pass_ms(uint64_t ms)
{
    now_us += ms * 1000;
    memory_network_advance(network, now_us);
    hear();
    client_receive(client, now_us);
    memory_network_advance(network, now_us);
    hear();
}

static void say_bytes(enum net_channel channel, const uint8_t *bytes, size_t count)
{
    assert_true(transport_send(server, peer, channel, bytes, count));
    transport_flush(server);
    pass_ms(1);
}

static void say(struct message message)
{
    uint8_t bytes[MESSAGE_BYTES_MAX];
    say_bytes(NET_RELIABLE, bytes, message_encode(&message, bytes));
}

static int begin(void **state)
{
    (void)state;
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
                           &(struct client_config){.name = "Zo\xc3\xab", .colour = 5, .hat = HAT_CAP});
    pass_ms(1);
    pass_ms(1);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    client_destroy(client);
    memory_network_destroy(network);
    return 0;
}

static struct message welcome_at(tick number)
{
    struct message message = {.kind = MESSAGE_WELCOME,
                              .as.welcome = {.slot = 0,
                                             .snapshot_rate = 60,
                                             .tick = number,
                                             .rules = match.world.rules,
                                             .map_hash = map_hash(&match.map),
                                             .map_blob_bytes = blob_bytes}};
    content_hash(blob, blob_bytes, message.as.welcome.map_address);
    return message;
}

static struct message welcome(void)
{
    return welcome_at(99);
}

static struct message part(uint32_t offset, uint32_t count)
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

// Sends the snapshot of a tick from a baseline, its hash turned by `hash_fault`.
static void say_snapshot(tick number, tick baseline, uint32_t hash_fault, tick input_tick)
{
    static uint8_t body[SNAPSHOT_BODY_BYTES_MAX];
    uint8_t bytes[MESSAGE_BYTES_MAX];
    size_t size = baseline ? encode_moves(baseline, number, body, sizeof body)
                           : snapshot_body_encode(&fresh, &worlds[number], body, sizeof body);
    struct snapshot_head head = {.tick = number,
                                 .baseline_tick = baseline,
                                 .world_hash = (uint32_t)world_hash(&worlds[number]) ^ hash_fault,
                                 .input_tick = input_tick,
                                 .margin_quarter_ticks = input_tick ? 4 : 0,
                                 .parts = 1};
    assert_true(size > 0 && size <= SNAPSHOT_PART_BYTES);
    say_bytes(NET_UNSEQUENCED, bytes, snapshot_part_encode(&head, body, size, bytes));
}

static void let_in(void)
{
    say(welcome());
    say(part(0, blob_bytes));
    say_snapshot(100, 0, 0, 0);
}

static const struct input_message *tick_once(uint32_t buttons)
{
    uint64_t due_us = client_next_tick_us(client);
    now_us = due_us > now_us ? due_us : now_us;
    heard_count = 0;
    assert_true(client_tick_due(client, now_us));
    client_tick(client, (struct player_input){buttons}, now_us);
    pass_ms(1);
    assert_int_equal(heard_count, 1);
    assert_int_equal(heard[0].kind, MESSAGE_INPUT);
    return &heard[0].as.input;
}

static struct client_statistics counted(void)
{
    struct client_statistics statistics;
    client_statistics(client, &statistics);
    return statistics;
}

static void a_client_joins_takes_the_map_and_plays(void **state)
{
    (void)state;
    assert_int_equal(heard_count, 1);
    assert_int_equal(heard[0].kind, MESSAGE_JOIN);
    assert_int_equal(heard[0].as.join.protocol, PROTOCOL_VERSION);
    assert_int_equal(heard[0].as.join.name[0], 0xABC36F5A); // little-endian words
    assert_int_equal(heard[0].as.join.colour, 5);
    assert_int_equal(heard[0].as.join.hat, HAT_CAP);
    say(welcome());
    say(part(0, 10));
    assert_null(client_map(client));
    say(part(10, blob_bytes - 10));
    assert_non_null(client_map(client));
    assert_int_equal(heard[1].kind, MESSAGE_READY);
    assert_null(client_world(client));
    assert_int_equal(client_next_tick_us(client), UINT64_MAX);
    say_snapshot(100, 0, 0, 0);
    assert_int_equal(client_state(client), CLIENT_PLAYING);
    assert_memory_equal(client_world(client), &worlds[100], sizeof(struct world));
}

static void a_map_that_differs_from_the_announced_one_ends_the_join(void **state)
{
    static const struct {
        uint32_t offset, count;
        bool flip_hash;
        uint32_t announced; // bytes; 0: right
        const char *text;
    } rows[] = {
        /* 1 */ {1, 9, false, 0, "do not fit together"},
        /* 2 */ {0, 0, true, 0, "damaged, or not the one"}, // 0: all of it
        /* 3 */ {0, 0, false, 5, "do not fit together"},    // more than announced
        /* 4 */ {0, 5, false, 5, "damaged, or not the one"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct message hello = welcome();
        hello.as.welcome.map_hash ^= rows[i].flip_hash;
        hello.as.welcome.map_blob_bytes = rows[i].announced ? rows[i].announced : blob_bytes;
        say(hello);
        say(part(rows[i].offset, rows[i].count ? rows[i].count : blob_bytes));
        if (client_state(client) != CLIENT_ENDED || !strstr(client_status_text(client), rows[i].text))
            fail_msg("row %zu: %s", i + 1, client_status_text(client));
        assert_null(client_map(client));
        finish(state);
        begin(state);
    }
}

static void a_refusal_is_reported_with_its_reason(void **state)
{
    (void)state;
    say((struct message){.kind = MESSAGE_DENY, .as.deny = DENY_VERSION});
    assert_int_equal(client_state(client), CLIENT_ENDED);
    assert_int_equal(client_reason(client), DENY_VERSION);
    assert_string_equal(client_status_text(client), message_deny_text(DENY_VERSION));
}

static void a_connection_that_ends_is_reported_as_lost(void **state)
{
    (void)state;
    let_in();
    transport_disconnect(server, 0, 0, false);
    pass_ms(10);
    assert_int_equal(client_state(client), CLIENT_ENDED);
    assert_int_equal(client_reason(client), DENY_NONE);
    assert_non_null(strstr(client_status_text(client), "lost"));
}

static uint32_t reopen_count;

// The network is down for the first two attempts.
static struct transport *reopen(void *context)
{
    (void)context;
    return ++reopen_count < 3 ? NULL : memory_network_client(network);
}

static void a_failed_attempt_to_connect_is_repeated(void **state)
{
    (void)state;
    struct client_retry retry;
    reopen_count = 0;
    client_destroy(client);
    client = client_create(memory_network_client(network), &(struct client_config){.name = "Zo", .reopen = reopen});
    pass_ms(1);
    pass_ms(1);
    let_in();
    transport_disconnect(server, peer, 0, false);
    pass_ms(1);
    pass_ms(1);
    for (uint32_t attempt = 1; attempt <= 3; attempt++) {
        assert_int_equal(client_state(client), CLIENT_CONNECTING);
        assert_true(client_retry(client, now_us, &retry));
        assert_int_equal(retry.attempt, attempt);
        assert_int_equal(reopen_count, attempt - 1);
        pass_ms(retry.wait_us / 1000 - 1);
        assert_int_equal(reopen_count, attempt - 1);
        pass_ms(2);
        assert_int_equal(reopen_count, attempt);
    }
    pass_ms(1);
    pass_ms(1);
    assert_int_equal(client_state(client), CLIENT_JOINING);
}

static void a_destroyed_client_disconnects_from_the_server(void **state)
{
    (void)state;
    let_in();
    gone_reason = DENY_REASONS;
    client_destroy(client);
    client = NULL;
    memory_network_advance(network, now_us + 1000);
    hear();
    assert_int_equal(gone_reason, DENY_NONE);
}

static void a_snapshot_is_decoded_from_the_baseline_it_names(void **state)
{
    (void)state;
    let_in();
    say_snapshot(103, 100, 0, 0);
    say_snapshot(104, 100, 0, 0);
    say_snapshot(108, 103, 0, 0);
    assert_memory_equal(client_world_confirmed(client), &worlds[108], sizeof(struct world));
    assert_int_equal(counted().snapshots, 4);
    assert_int_equal(counted().snapshots_lost, 5);
    assert_int_equal(counted().desyncs, 0);
    assert_int_equal(tick_once(0)->snapshot_tick, 108);
}

static void a_late_snapshot_is_not_counted_as_lost_and_changes_nothing(void **state)
{
    static const struct {
        tick number, baseline;
        uint32_t spoilt, snapshots, lost, desyncs;
    } rows[] = {
        /*  1 */ {105, 100, 0, 2, 4, 0},
        /*  2 */ {103, 100, 0, 3, 3, 0},
        /*  3 */ {103, 100, 0, 3, 3, 0}, // twice
        /*  4 */ {105, 100, 0, 3, 3, 0},
        /*  5 */ {104, 103, 0, 4, 2, 0}, // from one that was overtaken, too
        /*  6 */ {102, 100, 1, 4, 2, 1}, // another world: a bug, but harmless
        /*  7 */ {102, 101, 0, 4, 2, 1}, // its baseline never came
        /*  8 */ {99, 98, 0, 4, 2, 1},   // before the first
        /*  9 */ {106, 102, 0, 4, 3, 1}, // a baseline of row 6 is not held: a full one is asked for
    };
    (void)state;
    let_in();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        say_snapshot(rows[i].number, rows[i].baseline, rows[i].spoilt, 0);
        if (counted().snapshots != rows[i].snapshots || counted().snapshots_lost != rows[i].lost ||
            counted().desyncs != rows[i].desyncs)
            fail_msg("row %zu: %u snapshots, %u lost, %u desyncs", i + 1, counted().snapshots, counted().snapshots_lost,
                     counted().desyncs);
        if (i < 8) {
            assert_memory_equal(client_world_confirmed(client), &worlds[105], sizeof(struct world));
            assert_int_equal(tick_once(0)->snapshot_tick, 105);
        }
    }
    assert_int_equal(tick_once(0)->snapshot_tick, 0);
}

static void a_desync_is_counted_and_a_full_snapshot_requested(void **state)
{
    (void)state;
    let_in();
    say_snapshot(101, 100, 1, 0);
    assert_int_equal(counted().desyncs, 1);
    assert_int_equal(client_world(client)->tick, 100);
    assert_int_equal(tick_once(0)->snapshot_tick, 0);
    say_snapshot(102, 101, 0, 0); // the bad world is no baseline
    assert_int_equal(tick_once(0)->snapshot_tick, 0);
    say_snapshot(103, 0, 0, 0);
    assert_int_equal(tick_once(0)->snapshot_tick, 103);
    assert_int_equal(counted().desyncs, 1);
}

static void a_missing_baseline_requests_a_full_snapshot(void **state)
{
    (void)state;
    let_in();
    say_snapshot(164, 100, 0, 0); // would be written over its own baseline
    assert_int_equal(counted().snapshots, 1);
    assert_int_equal(tick_once(0)->snapshot_tick, 0);
    say_snapshot(166, 150, 0, 0); // never had
    assert_int_equal(tick_once(0)->snapshot_tick, 0);
    say_snapshot(168, 0, 0, 0);
    assert_int_equal(tick_once(0)->snapshot_tick, 168);
    assert_int_equal(counted().desyncs, 0);
}

static void inputs_are_repeated_until_they_are_confirmed(void **state)
{
    (void)state;
    let_in();
    const struct input_message *batch = tick_once(BUTTON_LEFT);
    tick first = batch->newest_tick;
    assert_int_equal(batch->count, 1); // there are no older inputs
    tick_once(BUTTON_RIGHT);
    batch = tick_once(BUTTON_JUMP);
    assert_int_equal(batch->newest_tick, first + 2);
    assert_int_equal(batch->count, 3);
    assert_int_equal(batch->inputs[0].buttons, BUTTON_LEFT);
    assert_int_equal(batch->inputs[1].buttons, BUTTON_RIGHT);
    assert_int_equal(batch->inputs[2].buttons, BUTTON_JUMP);
    say_snapshot(101, 100, 0, first + 1);
    batch = tick_once(BUTTON_DASH);
    assert_int_equal(batch->count, 2);
    assert_int_equal(batch->inputs[0].buttons, BUTTON_JUMP);
    for (int i = 0; i < 40; i++)
        batch = tick_once(0);
    assert_int_equal(batch->count, INPUT_BATCH_CAPACITY);
}

static void inputs_that_the_server_skipped_are_not_repeated(void **state)
{
    (void)state;
    let_in();
    tick first = tick_once(0)->newest_tick;
    for (int i = 0; i < 9; i++)
        tick_once(0);
    say_snapshot(first + 5, 100, 0, 0); // it went on without them
    assert_int_equal(tick_once(0)->count, 5);
}

static void a_wrong_prediction_is_counted_and_corrected(void **state)
{
    (void)state;
    let_in();
    tick newest = tick_once(0)->newest_tick + 3;
    for (int i = 0; i < 5; i++)
        tick_once(0);
    for (tick i = 101; i <= newest; i++)
        say_snapshot(i, i - 1, 0, 0);
    assert_true(counted().resimulations > 0); // player 1 jumps now and then
    uint32_t before = counted().corrections;
    worlds[newest + 1].actors[0].x += 2;
    say_snapshot(newest + 1, 0, 0, 0);
    assert_int_equal(counted().corrections, before + 1);
    assert_int_equal(counted().prediction_error_subpx, 2 * 256);
    static struct view view;
    assert_true(client_view(client, now_us, &view));
    assert_int_equal(client_world(client)->actors[0].x, worlds[newest + 1].actors[0].x);
    assert_int_equal(view.actors[0].x, (worlds[newest + 1].actors[0].x - 2) * 256); // drawn where it was
    for (int i = 0; i < 10; i++)
        tick_once(0);
    assert_true(client_view(client, client_next_tick_us(client), &view));
    assert_int_equal(view.actors[0].x, client_world(client)->actors[0].x * 256);
}

static void events_from_before_the_join_are_not_shown(void **state)
{
    (void)state;
    static struct view view;
    let_in();
    assert_true(worlds[100].event_count > 0);
    tick_once(0);
    assert_true(client_view(client, now_us, &view));
    for (uint32_t i = 0; i < view.event_count; i++)
        assert_true(view.events[i].tick > 100);
}

static void hats_are_shown_until_the_next_welcome(void **state)
{
    (void)state;
    static struct view view;
    let_in();
    say((struct message){.kind = MESSAGE_HATS, .as.hats = {0, 3, {HAT_CAP, HAT_NONE, HAT_CROWN}}});
    say((struct message){.kind = MESSAGE_HATS, .as.hats = {1, 1, {HAT_TOP}}});
    tick_once(0);
    assert_true(client_view(client, now_us, &view));
    assert_memory_equal(view.hats, ((uint8_t[4]){HAT_CAP, HAT_TOP, HAT_CROWN, HAT_NONE}), 4);
    const uint8_t *hats = view.hats;
    say(welcome_at(150));
    assert_memory_equal(hats, (uint8_t[4]){0}, 4);
}

static void a_second_welcome_begins_a_new_match(void **state)
{
    (void)state;
    let_in();
    tick_once(0);
    heard_count = 0;
    say(welcome_at(150)); // the map is held: no parts
    assert_int_equal(client_state(client), CLIENT_JOINING);
    assert_int_equal(heard[0].kind, MESSAGE_READY);
    assert_int_equal(heard[0].as.ready, 150);
    say_snapshot(160, 0, 0, 0);
    assert_int_equal(client_state(client), CLIENT_PLAYING);
    assert_int_equal(client_world(client)->tick, 160);
    assert_in_range(tick_once(0)->newest_tick, 161, 170);
}

static void a_second_welcome_clears_the_smoothing_of_the_first_match(void **state)
{
    (void)state;
    static struct view view;
    let_in();
    tick newest = tick_once(0)->newest_tick;
    for (tick i = 101; i <= newest; i++)
        say_snapshot(i, i - 1, 0, 0);
    worlds[newest + 1].actors[0].x += 2;
    say_snapshot(newest + 1, 0, 0, 0);
    assert_true(client_view(client, now_us, &view));
    assert_int_equal(view.actors[0].x, (client_world(client)->actors[0].x - 2) * 256);
    say(welcome_at(150));
    say_snapshot(160, 0, 0, 0);
    assert_true(client_view(client, now_us, &view));
    assert_int_equal(view.actors[0].x, client_world(client)->actors[0].x * 256);
    assert_int_equal(view.event_count, 0); // none of the first match
}

// What a client shows and sends in forty ticks of a match that begins with a WELCOME at tick 99, in both kinds of view.
static uint64_t second_match(void)
{
    static struct view view;
    uint64_t trace = UINT64_C(0xcbf29ce484222325);
    heard_count = 0;
    say(welcome());
    if (!client_map(client))
        say(part(0, blob_bytes));
    uint64_t begun_us = now_us;
    say_snapshot(100, 0, 0, 0);
    for (tick i = 0; i < 40; i++) {
        const struct input_message *input = tick_once(i % 5 ? BUTTON_RIGHT : 0);
        uint64_t said[] = {input->newest_tick, input->count, now_us - begun_us, client_state(client)};
        for (size_t k = 0; k < sizeof said / sizeof *said; k++)
            trace = (trace ^ said[k]) * UINT64_C(0x100000001b3);
        say_snapshot(101 + i, 100 + i, 0, i > 10 ? input->newest_tick : 0);
        view.kind = i % 2 ? VIEW_INTERPOLATED : VIEW_PREDICTED;
        assert_true(client_view(client, now_us, &view));
        uint64_t shown[] = {(uint32_t)view.actors[0].x, (uint32_t)view.actors[0].y, (uint32_t)view.actors[1].x,
                            (uint32_t)view.actors[1].y, view.event_count,           view.between};
        for (size_t k = 0; k < sizeof shown / sizeof *shown; k++)
            trace = (trace ^ shown[k]) * UINT64_C(0x100000001b3);
    }
    return trace;
}

static void a_second_match_is_shown_as_if_it_were_the_first(void **state)
{
    static struct view view = {.kind = VIEW_INTERPOLATED};
    let_in();
    for (tick i = 101; i < 150; i++) { // late, wrong, with others on the way
        tick_once(i % 3 ? BUTTON_LEFT : BUTTON_JUMP);
        pass_ms(i % 7);
        say_snapshot(i, i - 1, 0, i % 2 ? i - 1 : 0);
        client_view(client, now_us, &view);
    }
    say_snapshot(190, 0, 0, 0);
    uint64_t after_another = second_match();
    finish(state);
    begin(state);
    assert_int_equal(second_match(), after_another);
}

static void a_snapshot_of_the_previous_match_delays_nothing(void **state)
{
    (void)state;
    let_in();
    say(welcome_at(150));
    say_snapshot(150, 100, 0, 0); // overtaken by the second WELCOME
    say_snapshot(149, 0, 0, 0);   // a full one as well
    assert_int_equal(client_state(client), CLIENT_JOINING);
    say_snapshot(160, 0, 0, 0);
    assert_int_equal(client_world(client)->tick, 160);
    say_snapshot(148, 101, 0, 0); // overtaken by more
    say_snapshot(161, 160, 0, 0);
    assert_int_equal(client_world_confirmed(client)->tick, 161);
    assert_int_equal(counted().desyncs, 0);
}

static void a_cached_map_is_not_downloaded_again(void **state)
{
    char folder[64];
    snprintf(folder, sizeof folder, "/tmp/deadfall-maps-XXXXXX");
    assert_non_null(mkdtemp(folder));
    for (int round = 0; round < 2; round++) {
        client_destroy(client);
        client =
            client_create(memory_network_client(network), &(struct client_config){.name = "Zo", .map_cache = folder});
        pass_ms(1);
        pass_ms(1);
        heard_count = 0;
        say(welcome());
        assert_int_equal(heard_count, (uint32_t)round);               // ready at once, or not
        for (uint32_t offset = 0; offset < blob_bytes; offset += 900) // under way in any case
            say(part(offset, blob_bytes - offset < 900 ? blob_bytes - offset : 900));
        assert_int_equal(heard_count, 1);
        assert_int_equal(heard[0].kind, MESSAGE_READY);
        say_snapshot(100, 0, 0, 0);
        assert_int_equal(client_state(client), CLIENT_PLAYING);
    }
    finish(state);
    begin(state);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void garbage_is_ignored_in_every_state(void **state)
{
    (void)state;
    uint32_t random = 1;
    for (int phase = 0; phase < 2; phase++) {
        for (int i = 0; i < 500; i++) {
            uint8_t bytes[64];
            for (size_t b = 0; b < sizeof bytes; b++)
                bytes[b] = (uint8_t)((random = random * 1664525u + 1013904223u) >> 24);
            bytes[0] = MESSAGE_SNAPSHOT;
            if (i % 2)
                bytes[0] = (uint8_t)(MESSAGE_KINDS + i % 100);
            say_bytes(NET_UNSEQUENCED, bytes, 1 + (uint32_t)i % 63);
        }
        assert_int_not_equal(client_state(client), CLIENT_ENDED);
        if (phase == 0)
            let_in();
        assert_int_equal(client_state(client), CLIENT_PLAYING);
    }
}

static void a_leaving_client_disconnects_from_the_server(void **state)
{
    (void)state;
    let_in();
    client_leave(client);
    assert_int_equal(client_state(client), CLIENT_ENDED);
    struct net_event event = {0};
    now_us += 1000;
    memory_network_advance(network, now_us);
    while (event.kind != NET_DISCONNECTED && transport_poll(server, &event))
        ;
    assert_int_equal(event.kind, NET_DISCONNECTED);
    assert_false(client_tick_due(client, now_us + 1000000));
}

static void a_client_that_leaves_because_of_a_bad_map_says_why(void **state)
{
    (void)state;
    struct message wrong = welcome();
    wrong.as.welcome.map_address[0] ^= 1;
    say(wrong);
    say(part(0, blob_bytes));
    assert_int_equal(client_state(client), CLIENT_ENDED);
    pass_ms(1);
    assert_int_equal(gone_reason, DENY_PROTOCOL);
}

static void statistics_count_what_was_sent_and_received(void **state)
{
    (void)state;
    struct net_totals totals;
    let_in();
    assert_int_equal(counted().input_acks, 0);
    tick newest = tick_once(0)->newest_tick;
    uint64_t sent_us = now_us - 1000; // tick_once() lets a millisecond pass
    say_snapshot(101, 100, 0, 0);
    assert_int_equal(counted().input_acks, 0);
    for (tick i = 102; i < newest; i++)
        say_snapshot(i, i - 1, 0, 0);
    say_snapshot(newest, newest - 1, 0, newest);
    assert_int_equal(counted().input_acks, 1);
    assert_int_equal(counted().input_ack_us, now_us - sent_us);
    assert_int_equal(counted().lead_ticks, 0);
    assert_int_equal(counted().snapshot_rate, 60);
    assert_int_equal(counted().margin_quarter_ticks, 4);
    transport_totals(server, &totals);
    assert_true(totals.packets_in > 0 && totals.packets_out > totals.packets_in);
    assert_int_equal(counted().packets_out, totals.packets_in);
    assert_int_equal(counted().packets_in, totals.packets_out);
    assert_int_equal(counted().bytes_out, totals.bytes_in);
    assert_int_equal(counted().bytes_in, totals.bytes_out);
}

static void the_round_trip_is_reported_in_ms(void **state)
{
    (void)state;
    struct client_statistics statistics;
    struct memory_network *slow = memory_network_create(1, &(struct impairment){.delay_us = 20000}, 1);
    memory_network_server(slow);
    struct client *far = client_create(memory_network_client(slow), &(struct client_config){.name = "A"});
    client_statistics(far, &statistics);
    assert_int_equal(statistics.rtt_ms, 40);
    client_destroy(far);
    memory_network_destroy(slow);
}

static void a_view_tells_its_fraction_between_two_ticks(void **state)
{
    (void)state;
    static struct view view;
    let_in();
    tick_once(0);
    uint64_t due_us = client_next_tick_us(client);
    assert_true(client_view(client, due_us - 16667, &view));
    assert_in_range(view.between, 0, 1);
    assert_true(client_view(client, due_us - 16667 / 4, &view));
    assert_in_range(view.between, 190, 194);
}

static void a_system_message_stays_for_some_seconds_of_snapshots(void **state)
{
    (void)state;
    let_in();
    assert_string_equal(client_system_message(client, now_us), "");
    say((struct message){.kind = MESSAGE_SYSTEM, .as.notice = "Ten minutes left."});
    say_snapshot(101, 100, 0, 0);
    assert_string_equal(client_system_message(client, now_us), "Ten minutes left.");
    pass_ms(20000);
    assert_string_equal(client_system_message(client, now_us), "");
}

static void a_client_knows_how_long_the_server_has_been_silent(void **state)
{
    (void)state;
    assert_int_equal(client_silence_us(client, now_us + 5000000), 0); // not playing yet
    let_in();
    assert_in_range(client_silence_us(client, now_us), 0, 2000);
    assert_in_range(client_silence_us(client, now_us + 700000), 700000, 702000);
    pass_ms(900);
    say_snapshot(101, 100, 0, 0);
    assert_in_range(client_silence_us(client, now_us), 0, 2000);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
    struct CMUnitTest tests[] = {
        TEST(a_system_message_stays_for_some_seconds_of_snapshots),
        TEST(a_client_knows_how_long_the_server_has_been_silent),
        TEST(a_client_joins_takes_the_map_and_plays),
        TEST(a_map_that_differs_from_the_announced_one_ends_the_join),
        TEST(a_refusal_is_reported_with_its_reason),
        TEST(a_connection_that_ends_is_reported_as_lost),
        TEST(a_failed_attempt_to_connect_is_repeated),
        TEST(a_destroyed_client_disconnects_from_the_server),
        TEST(a_snapshot_is_decoded_from_the_baseline_it_names),
        TEST(a_late_snapshot_is_not_counted_as_lost_and_changes_nothing),
        TEST(a_desync_is_counted_and_a_full_snapshot_requested),
        TEST(a_missing_baseline_requests_a_full_snapshot),
        TEST(inputs_are_repeated_until_they_are_confirmed),
        TEST(inputs_that_the_server_skipped_are_not_repeated),
        TEST(a_wrong_prediction_is_counted_and_corrected),
        TEST(events_from_before_the_join_are_not_shown),
        TEST(hats_are_shown_until_the_next_welcome),
        TEST(a_second_welcome_begins_a_new_match),
        TEST(a_second_welcome_clears_the_smoothing_of_the_first_match),
        TEST(a_second_match_is_shown_as_if_it_were_the_first),
        TEST(a_snapshot_of_the_previous_match_delays_nothing),
        TEST(a_cached_map_is_not_downloaded_again),
        TEST(garbage_is_ignored_in_every_state),
        TEST(a_leaving_client_disconnects_from_the_server),
        TEST(a_client_that_leaves_because_of_a_bad_map_says_why),
        TEST(statistics_count_what_was_sent_and_received),
        TEST(the_round_trip_is_reported_in_ms),
        TEST(a_view_tells_its_fraction_between_two_ticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
