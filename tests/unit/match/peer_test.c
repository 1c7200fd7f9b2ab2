// SPDX-License-Identifier: MIT
//
// Tests one connection from state to state: its time-outs to the microsecond, counts that survive a new match, parts
// of maps, baselines, and disconnected players.
#include "match/match.h"
#include "sync/player_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match/roster.h"
#include "net/impairment.h"
#include "prepared_map.h"
#include "probe.h"
#include "test.h"
#include "test_map.h"

static struct session session;
static struct match *match;
static struct map map, second_map;

static void begin(void)
{
    test_map_random(&map, 4, 60, 40);
    test_map_random(&second_map, 5, 60, 40);
    struct match_config config = {
        .map = &map, .rules = {.mode = MODE_FFA, .seed = 7}, .players_max = 4, .snapshot_rate = 60};
    session_begin(&session, &config, &(struct impairment){0}, 2);
    match = session.match;
    session_run(&session, 60);
    assert_true(match->peers[0].state == PEER_PLAYING && match->peers[1].state == PEER_PLAYING);
}

static void end(void)
{
    session_end(&session);
}

EACH_TEST(begin, end);

TEST(each_state_times_out_to_the_microsecond)
{
    static const struct {
        enum peer_state state, after;
        uint64_t patience_us;
    } rows[] = {
        /* 0 */ {PEER_CONNECTED, PEER_LEAVING, 5000000},
        /* 1 */ {PEER_LOADING, PEER_LEAVING, 30000000},
        /* 2 */ {PEER_PLAYING, PEER_LEAVING, 7000000},
        /* 3 */ {PEER_LEAVING, PEER_FREE, 5000000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct peer *peer = &match->peers[9];
        *peer = (struct peer){.state = rows[i].state, .heard_us = 1000, .seats = {{4}}};
        match->peer_count++;
        peer_expire(match, 9, 1000 + rows[i].patience_us - 1);
        if (peer->state != rows[i].state)
            fail_msg("row %zu: too early", i);
        peer_expire(match, 9, 1000 + rows[i].patience_us);
        if (peer->state != rows[i].after)
            fail_msg("row %zu: state %d", i, (int)peer->state);
        if (peer->state == PEER_LEAVING)
            assert_true(peer->heard_us == 1000 + rows[i].patience_us); // now the end of the connection is awaited
        match->peer_count -= peer->state != PEER_FREE;
        peer->state = PEER_FREE;
    }
    assert_int_equal(match->peer_count, 2);
    peer_expire(match, 9, UINT64_MAX); // nobody
    assert_int_equal(match->peers[9].state, PEER_FREE);
}

TEST(a_tick_looks_after_a_connection_of_any_number)
{
    static const uint32_t numbers[] = {2, 40, MATCH_PEER_CAPACITY - 1};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct peer *peer = &match->peers[numbers[i]];
        peer_connected(match, numbers[i], &(struct net_client){.identity = {1}}, session.now_us);
        assert_int_equal(match->peer_end, numbers[i] + 1);
        peer->heard_us -= PEER_JOIN_US_MAX;
        match_tick(match, session.now_us);
        assert_int_equal(peer->state, PEER_LEAVING);
        peer_connected(match, 20, &(struct net_client){.identity = {2}}, session.now_us);
        peer_disconnected(match, numbers[i]);
        assert_int_equal(match->peer_end, 21);
        peer_disconnected(match, 20);
        assert_int_equal(match->peer_end, 2); // there are two other clients
    }
}

TEST(the_sixteenth_malformed_message_ends_a_connection)
{
    static const uint8_t noise[] = {0xFF, 0xFF};
    for (uint32_t i = 1; i < PEER_MALFORMED_MAX; i++)
        peer_messages_handle(match, 0, noise, sizeof noise, session.now_us);
    assert_int_equal(match->peers[0].state, PEER_PLAYING);
    assert_int_equal(match->peers[0].malformed, PEER_MALFORMED_MAX - 1);
    match_change(match, prepared_map(&second_map), &match->world.rules, session.now_us);
    assert_int_equal(match->peers[0].malformed, PEER_MALFORMED_MAX - 1);
    peer_messages_handle(match, 0, noise, sizeof noise, session.now_us);
    assert_int_equal(match->peers[0].state, PEER_LEAVING);
    assert_int_equal(match->statistics.malformed, PEER_MALFORMED_MAX);
    assert_int_equal(match->statistics.denials, 1);
    peer_messages_handle(match, 0, noise, sizeof noise, session.now_us);
    assert_int_equal(match->statistics.malformed, PEER_MALFORMED_MAX); // messages of a leaving client do not count
}

// A client connects and asks for a seat. Returns its state.
static enum peer_state join(uint32_t index, struct net_client client)
{
    uint8_t bytes[MESSAGE_BYTES_MAX];
    struct message message = {.kind = MESSAGE_JOIN, .as.join = {.protocol = PROTOCOL_VERSION}};
    peer_connected(match, index, &client, session.now_us);
    peer_messages_handle(match, index, bytes, message_encode(&message, bytes), session.now_us);
    return match->peers[index].state;
}

static enum peer_state ask_for_seat_as(uint32_t index, uint64_t household)
{
    return join(index, (struct net_client){.household = household, .identity = {(uint8_t)index}});
}

// The same of the household 203.0.113.HOUSEHOLD.
static enum peer_state ask_for_seat(uint32_t index, uint32_t household)
{
    return ask_for_seat_as(index, (uint64_t)4 << 56 | 0xCB007100u | household);
}

TEST(the_fifth_household_of_a_site_shares_its_seats)
{
    struct household_rules rules = {.players_max = 8};
    uint64_t site = (uint64_t)6 << 56 | 0x20010DB8000100;
    match->players_max = match->roster.seat_count = 16; // two of them are taken
    match_limit_households(match, &rules);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(ask_for_seat_as(10 + i, site + i), PEER_LOADING);
    assert_int_equal(ask_for_seat_as(20, site + 4), PEER_LOADING); // more than half of the seats are free
    assert_int_equal(ask_for_seat_as(21, site + 5), PEER_LOADING);
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(ask_for_seat_as(30 + i, site + 6 + i), PEER_LEAVING);
    assert_int_equal(ask_for_seat_as(22, site), PEER_LEAVING);
    assert_int_equal(ask_for_seat_as(23, site + 0x100), PEER_LOADING); // another site
    assert_int_equal(ask_for_seat(24, 1), PEER_LOADING);
}

TEST(a_household_gets_its_share_of_the_seats)
{
    struct household_rules rules = {.players_max = 3};
    match->players_max = match->roster.seat_count = 16;
    match_limit_households(match, &rules);
    for (uint32_t i = 10; i < 13; i++)
        assert_int_equal(ask_for_seat(i, 1), PEER_LOADING);
    assert_int_equal(ask_for_seat(13, 1), PEER_LEAVING);
    assert_int_equal(ask_for_seat(14, 2), PEER_LOADING);
    assert_int_equal(match->statistics.household_denials, 1);
    uint32_t slot = local_seats_first(&match->peers[10].seats);
    match->peers[20].client = match->peers[10].client;
    assert_int_equal(ask_for_seat(20, 1), PEER_LEAVING);
    // The same player from elsewhere has a seat already.
    assert_int_equal(join(21, match->peers[10].client), PEER_LOADING);
    assert_int_equal(local_seats_first(&match->peers[21].seats), slot);
    assert_int_equal(match->peers[10].state, PEER_LEAVING);
    rules.players_max = 4;
    match_limit_households(match, &rules);
    assert_int_equal(ask_for_seat(22, 1), PEER_LOADING);
    for (uint32_t i = 30; i < 40; i++)
        ask_for_seat(i, i);
    assert_int_equal(roster_count(&match->roster, SEAT_RESERVED), 14); // with two players the server is full
    assert_int_equal(ask_for_seat(50, 50), PEER_LEAVING);
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++)
        if (i >= 2 && match->peers[i].state != PEER_FREE)
            peer_disconnected(match, i);
    rules = (struct household_rules){.players_max = 1, .limits_lan = true, .exempt_count = 1};
    assert_true(household_range_parse("203.0.113.1", &rules.exempt[0]));
    match_limit_households(match, &rules);
    for (uint32_t i = 10; i < 24; i++)
        assert_int_equal(ask_for_seat(i, 1), PEER_LOADING);
}

TEST(refusals_of_a_household_are_logged_every_ten_seconds)
{
    static const struct {
        uint32_t after_s, lines; // so far
    } rows[] = {{0, 1}, {0, 1}, {9, 1}, {1, 2}, {9, 2}, {2, 3}};
    char text[4000] = "";
    FILE *file = fmemopen(text, sizeof text, "w");
    struct log log = {.out = file, .level = LOG_INFO};
    struct household_rules rules = {.players_max = 1};
    match_limit_households(match, &rules);
    assert_int_equal(ask_for_seat(10, 1), PEER_LOADING);
    match->log = &log;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t lines = 0;
        session.now_us += rows[i].after_s * UINT64_C(1000000);
        assert_int_equal(ask_for_seat(20 + i, 1), PEER_LEAVING);
        fflush(file);
        for (const char *at = text; (at = strstr(at, "203.0.113.1 has 1 of")) != NULL; at++)
            lines++;
        assert_int_equal(lines, rows[i].lines);
    }
    assert_int_equal(match->statistics.household_denials, sizeof rows / sizeof *rows);
    match->log = NULL;
    fclose(file);
}

TEST(a_new_match_keeps_identities_and_clears_baselines)
{
    struct peer *peer = &match->peers[0];
    struct net_client client = peer->client;
    uint32_t slot = local_seats_first(&peer->seats);
    peer->chat_sender.warned = true;
    peer->inputs.missed = 5;
    match->journaled_joins = 5;
    assert_true(peer->acknowledged > 0 && peer->inputs.newest_tick > 0);
    match_change(match, prepared_map(&second_map), &match->world.rules, session.now_us + 7);
    assert_int_equal(peer->state, PEER_LOADING);
    assert_memory_equal(&peer->client, &client, sizeof client);
    assert_int_equal(local_seats_first(&peer->seats), slot);
    assert_true(peer->chat_sender.warned);
    assert_int_equal(peer->inputs.missed, 5);
    assert_int_equal(peer->acknowledged, 0);
    assert_int_equal(peer->inputs.newest_tick, 0);
    assert_int_equal(peer->map_sent_bytes, 0);
    assert_int_equal(peer->acknowledge_after, match->world.tick);
    assert_true(peer->heard_us == session.now_us + 7);
    assert_int_equal(match->journaled_joins, 0); // the next journal receives all seats
    session_run(&session, 60);
    assert_int_equal(peer->state, PEER_PLAYING);
    assert_int_equal(session.probes[0].desyncs, 0);
}

TEST(a_ready_for_an_earlier_welcome_is_ignored)
{
    uint8_t bytes[MESSAGE_BYTES_MAX];
    tick before = match->peers[0].welcome_tick;
    match_change(match, prepared_map(&second_map), &match->world.rules, session.now_us);
    size_t count = message_encode(&(struct message){.kind = MESSAGE_READY, .as.ready = before}, bytes);
    peer_messages_handle(match, 0, bytes, count, session.now_us);
    assert_int_equal(match->peers[0].state, PEER_LOADING);
    assert_int_equal(match->statistics.malformed, 0); // it was honest when it was sent
    count = message_encode(&(struct message){.kind = MESSAGE_READY, .as.ready = match->world.tick}, bytes);
    peer_messages_handle(match, 0, bytes, count, session.now_us);
    assert_int_equal(match->peers[0].state, PEER_PLAYING);
    assert_int_equal(match->peers[0].map_sent_bytes, match->map_blob_bytes);
    peer_messages_handle(match, 0, bytes, count, session.now_us);
    assert_int_equal(match->statistics.malformed, 1);
}

static void send_inputs(const struct input_message *input, uint64_t now_us)
{
    uint8_t bytes[MESSAGE_BYTES_MAX];
    struct message message = {.kind = MESSAGE_INPUT, .as.input = *input};
    message.as.input.players = 1;
    peer_messages_handle(match, 0, bytes, message_encode(&message, bytes), now_us);
}

static void send_input(tick newest, tick snapshot)
{
    send_inputs(&(struct input_message){.newest_tick = newest, .snapshot_tick = snapshot, .count = 1}, session.now_us);
}

TEST(acknowledgements_never_go_back)
{
    enum { NONE = INT32_MIN }; // nothing is acknowledged
    static const struct {
        int32_t newest, snapshot; // after the present tick; NONE: asks for a full snapshot
        int32_t acknowledged;     // then
        uint32_t full_requests;   // so far
    } rows[] = {
        /* 0 */ {3, 1, -1, 0},  // a tick in the future
        /* 1 */ {4, -2, -1, 0}, // older than what is known
        /* 2 */ {6, 0, 0, 0},
        /* 3 */ {5, NONE, 0, 0},                       // asks, but a later input has arrived before
        /* 4 */ {MATCH_TICKS_OLD / 2 + 1, NONE, 0, 0}, // from before the ticks started again
        /* 5 */ {7, NONE, NONE, 1},                    // asks
        /* 6 */ {6, -1, NONE, 1},                      // sent before it asked
        /* 7 */ {8, 0, NONE, 1},                       // a baseline from before it lost its world
        /* 8 */ {9, NONE, NONE, 1},                    // asked once
    };
    const struct peer *peer = &match->peers[0];
    tick now = match->world.tick;
    match->peers[0].acknowledged = now - 1;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        send_input(now + (uint32_t)rows[i].newest, rows[i].snapshot == NONE ? 0 : now + (uint32_t)rows[i].snapshot);
        tick expected = rows[i].acknowledged == NONE ? 0 : now + (uint32_t)rows[i].acknowledged;
        if (peer->acknowledged != expected || match->statistics.full_requests != rows[i].full_requests)
            fail_msg("row %zu: tick %u, %" PRIu64 " requests", i, peer->acknowledged, match->statistics.full_requests);
    }
    session.probes[0].mute = true;
    session_run(&session, 1);
    send_input(now + 10, now + 1);
    assert_int_equal(peer->acknowledged, now + 1);
}

TEST(an_input_is_measured_from_the_last_tick_in_quarters_rounded_up)
{
    static const struct {
        int64_t after_us;
        int32_t margin;
    } rows[] = {{0, 8}, {1, 7}, {4166, 7}, {4167, 6}, {-5000, 8}, {3600000000, -120}};
    struct peer *peer = &match->peers[0];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memset(&peer->inputs, 0, sizeof peer->inputs);
        send_inputs(&(struct input_message){.newest_tick = match->world.tick + 2, .count = 1},
                    match->stepped_us + (uint64_t)rows[i].after_us);
        if (peer->inputs.margin != rows[i].margin)
            fail_msg("row %zu: %d", i, peer->inputs.margin);
    }
}

TEST(a_message_has_the_inputs_of_the_last_ticks_in_order)
{
    struct peer *peer = &match->peers[0];
    tick now = match->world.tick;
    struct input_message input = {.newest_tick = now + 3,
                                  .count = 3,
                                  .players = 1,
                                  .inputs = {{{{BUTTON_LEFT}}}, {{{BUTTON_RIGHT}}}, {{{BUTTON_JUMP}}}}};
    memset(&peer->inputs, 0, sizeof peer->inputs);
    match->statistics.inputs_late = 0;
    input_queue_push(&peer->inputs, &(struct input_message){.newest_tick = now - 3, .count = 1}, now - 4, 0);
    for (tick stepped = now - 3; stepped != now + 1; stepped++)
        input_queue_take(&peer->inputs, stepped);
    send_inputs(&input, session.now_us);
    assert_int_equal(input_queue_take(&peer->inputs, now + 1).of[0].buttons, BUTTON_LEFT);
    assert_int_equal(input_queue_take(&peer->inputs, now + 2).of[0].buttons, BUTTON_RIGHT);
    assert_int_equal(input_queue_take(&peer->inputs, now + 3).of[0].buttons, BUTTON_JUMP);
    assert_int_equal(match->statistics.inputs_late, 0);
    input.newest_tick = now; // all are late
    send_inputs(&input, session.now_us);
    assert_int_equal(match->statistics.inputs_late, 3);
    send_inputs(&input, session.now_us);
    assert_int_equal(match->statistics.inputs_late, 3);
}

TEST(missed_inputs_of_all_clients_add_up)
{
    uint64_t before = match->statistics.inputs_missed;
    uint32_t missed[2] = {match->peers[0].inputs.missed, match->peers[1].inputs.missed};
    session.probes[0].mute = true;
    session_run(&session, 20);
    session.probes[1].mute = true;
    session_run(&session, 20);
    missed[0] = match->peers[0].inputs.missed - missed[0];
    missed[1] = match->peers[1].inputs.missed - missed[1];
    assert_true(missed[0] > missed[1] && missed[1] > 0);
    assert_int_equal(match->statistics.inputs_missed - before, missed[0] + missed[1]);
}

TEST(an_input_may_be_for_as_many_ticks_as_matches_are_apart)
{
    tick now = match->world.tick;
    send_input(now + MATCH_TICKS_OLD / 2, 0);
    assert_int_equal(match->peers[0].newest_input, now + MATCH_TICKS_OLD / 2);
    send_input(now + MATCH_TICKS_OLD / 2 + 1, 0); // of the match before
    assert_int_equal(match->peers[0].newest_input, now + MATCH_TICKS_OLD / 2);
}

TEST(the_newest_reported_input_is_one_that_was_accepted)
{
    struct peer *peer = &match->peers[0];
    session.probes[0].mute = true;
    session_run(&session, 3);
    tick taken = peer->inputs.newest_tick;
    send_input(match->world.tick + 100, peer->acknowledged); // too far ahead to be accepted
    assert_int_equal(peer->newest_input, match->world.tick + 100);
    session_run(&session, 3);
    assert_int_equal(session.probes[0].head.input_tick, taken);
}

TEST(an_unanswered_full_snapshot_is_repeated_after_half_a_second)
{
    struct peer *peer = &match->peers[0];
    session.probes[0].mute = true;
    session_run(&session, 3);
    peer->acknowledged = 0;
    peer->full_tick = 0;
    tick first = match->world.tick + 1, sent[4] = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < 95; i++) {
        match_tick(match, session.now_us += TICK_US);
        if (peer->full_tick == match->world.tick && count < 4)
            sent[count++] = match->world.tick;
    }
    assert_int_equal(count, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(sent[i], first + 30 * i);
}

TEST(four_parts_of_a_map_are_sent_per_tick)
{
    struct peer *peer = &match->peers[0];
    match->map_blob_bytes = 6 * MAP_PART_BYTES_MAX + 1;
    peer->state = PEER_LOADING;
    peer->map_sent_bytes = 0;
    broadcast_map_parts(match);
    assert_int_equal(peer->map_sent_bytes, 4 * MAP_PART_BYTES_MAX);
    broadcast_map_parts(match);
    assert_int_equal(peer->map_sent_bytes, 6 * MAP_PART_BYTES_MAX + 1);
    broadcast_map_parts(match);
    assert_int_equal(peer->map_sent_bytes, 6 * MAP_PART_BYTES_MAX + 1);
    peer->state = PEER_FREE;
    match->peer_count--;
}

static bool refuse_to_send(struct transport *transport, uint32_t peer, enum net_channel channel, const uint8_t *bytes,
                           size_t byte_count)
{
    (void)transport, (void)peer, (void)channel, (void)bytes, (void)byte_count;
    return false;
}

// What the match asks of its transport, which does it.
static struct {
    const struct transport_table *real;
    struct transport_table table;
    uint32_t sent[3], flushed, disconnected; // sent: by enum net_channel
    uint64_t bytes[3];
    uint32_t peer, reason; // of the last disconnection
    bool now;
} tap;

static bool tap_send(struct transport *transport, uint32_t peer, enum net_channel channel, const uint8_t *bytes,
                     size_t byte_count)
{
    tap.sent[channel]++;
    tap.bytes[channel] += byte_count;
    return tap.real->send(transport, peer, channel, bytes, byte_count);
}

static void tap_flush(struct transport *transport)
{
    tap.flushed++;
    tap.real->flush(transport);
}

static void tap_disconnect(struct transport *transport, uint32_t peer, uint32_t reason, bool now)
{
    tap.disconnected++;
    tap.peer = peer, tap.reason = reason, tap.now = now;
    tap.real->disconnect(transport, peer, reason, now);
}

static void tap_begin(void)
{
    memset(&tap, 0, sizeof tap);
    tap.real = match->transport->table;
    tap.table = *tap.real;
    tap.table.send = tap_send;
    tap.table.flush = tap_flush;
    tap.table.disconnect = tap_disconnect;
    match->transport->table = &tap.table;
    memset(&match->statistics, 0, sizeof match->statistics);
}

static void tap_end(void)
{
    match->transport->table = tap.real;
}

TEST(a_full_snapshot_is_sent_apart_and_all_are_counted)
{
    tap_begin();
    match_tick(match, session.now_us += TICK_US);
    assert_int_equal(match->statistics.ticks, 1);
    assert_int_equal(tap.flushed, 1);
    assert_int_equal(match->statistics.snapshots, 2);
    assert_int_equal(match->statistics.bodies_encoded, 1);
    assert_int_equal(tap.sent[NET_APART] + tap.sent[NET_RELIABLE], 0);
    assert_int_equal(match->statistics.snapshot_parts, tap.sent[NET_UNSEQUENCED]);
    assert_int_equal(match->statistics.snapshot_bytes, tap.bytes[NET_UNSEQUENCED]);
    match->peers[1].acknowledged = 0;
    match->peers[1].full_tick = 0;
    match_tick(match, session.now_us += TICK_US);
    assert_int_equal(match->statistics.snapshots, 4);
    assert_int_equal(match->statistics.bodies_encoded, 3);
    assert_true(tap.sent[NET_APART] > 0);
    assert_int_equal(match->statistics.snapshot_parts, tap.sent[NET_UNSEQUENCED] + tap.sent[NET_APART]);
    assert_int_equal(match->statistics.snapshot_bytes, tap.bytes[NET_UNSEQUENCED] + tap.bytes[NET_APART]);
    assert_int_equal(match->statistics.unsent, 0);
    tap.table.send = refuse_to_send;
    match_tick(match, session.now_us += TICK_US);
    assert_int_equal(match->statistics.unsent, 1); // the other one waits for its full snapshot
    tap_end();
}

TEST(a_snapshot_tells_the_client_of_its_missed_inputs_in_16_bits)
{
    match->peers[0].inputs.missed = 0x12345;
    session_run(&session, 2);
    assert_int_equal(session.probes[0].head.inputs_missed, 0x2345);
    assert_int_equal(session.probes[0].desyncs, 0);
}

TEST(a_dropped_client_is_first_asked_to_leave_and_then_cut_off)
{
    struct peer *peer = &match->peers[1];
    tap_begin();
    peer_drop(match, 1, DENY_KICKED);
    peer_drop(match, 1, DENY_SILENT); // it leaves already
    assert_int_equal(tap.sent[NET_RELIABLE], 1);
    assert_int_equal(match->statistics.denials, 1);
    assert_int_equal(tap.disconnected, 1);
    assert_int_equal(tap.peer, 1);
    assert_int_equal(tap.reason, DENY_KICKED);
    assert_false(tap.now);
    assert_int_equal(match->peer_count, 2);
    peer_expire(match, 1, peer->heard_us + PEER_JOIN_US_MAX);
    assert_int_equal(tap.disconnected, 2);
    assert_int_equal(tap.peer, 1);
    assert_int_equal(tap.reason, DENY_SILENT);
    assert_true(tap.now);
    assert_int_equal(match->peer_count, 1);
    assert_int_equal(peer->state, PEER_FREE);
    peer_disconnected(match, 1); // the transport reports the end as well
    assert_int_equal(match->peer_count, 1);
    tap_end();
}

TEST(a_closing_match_says_so_to_players_and_flushes)
{
    match->peers[1].state = PEER_LOADING;
    tap_begin();
    match_close(match);
    assert_int_equal(tap.sent[NET_RELIABLE], 3); // a sentence to the player, a reason to both
    assert_int_equal(tap.disconnected, 2);
    assert_int_equal(tap.flushed, 1);
    assert_int_equal(match->peers[0].state, PEER_LEAVING);
    assert_int_equal(match->peers[1].state, PEER_LEAVING);
    tap_end();
}

TEST(a_new_match_sends_a_welcome_and_hats_if_there_are_any)
{
    tap_begin();
    match_change(match, prepared_map(&second_map), &match->world.rules, session.now_us);
    assert_int_equal(tap.sent[NET_RELIABLE], 4); // with the seats, to both
    match->hats[3] = HAT_TOP;
    match_change(match, prepared_map(&second_map), &match->world.rules, session.now_us);
    assert_int_equal(tap.sent[NET_RELIABLE], 10);
    tap_end();
}

static uint32_t shown_count;

static void take_shown(void *context, const struct seat_key *key, const uint8_t bytes[MESSAGE_VOUCH_BYTES])
{
    assert_ptr_equal(context, &shown_count);
    assert_memory_equal(key->identity, match->peers[0].client.identity, sizeof key->identity);
    shown_count += bytes[0] == 7;
}

// As many as servers are trusted for each local player, in all matches of a connection; not one unless some are.
TEST(a_client_shows_a_vouch_for_each_player_and_trusted_server_at_most)
{
    uint8_t bytes[MESSAGE_BYTES_MAX];
    struct message message = {.kind = MESSAGE_SHOW, .as.show = {7}};
    size_t byte_count = message_encode(&message, bytes);
    shown_count = 0;
    peer_messages_handle(match, 0, bytes, byte_count, session.now_us);
    assert_int_equal(match->peers[0].malformed, 1);
    match->peers[0].shown = 0;
    match->vouches = (struct vouch_listener){.shown = take_shown, .context = &shown_count, .trusted = {.count = 2}};
    for (uint32_t i = 0; i < 2 * LOCAL_PLAYERS; i++) {
        if (i == 3)
            match_change(match, prepared_map(&second_map), &match->world.rules, session.now_us);
        peer_messages_handle(match, 0, bytes, byte_count, session.now_us);
    }
    assert_int_equal(shown_count, 2 * LOCAL_PLAYERS);
    assert_int_equal(match->peers[0].malformed, 1);
    peer_messages_handle(match, 0, bytes, byte_count, session.now_us);
    assert_int_equal(shown_count, 2 * LOCAL_PLAYERS);
    assert_int_equal(match->peers[0].malformed, 2);
    match->peers[0].shown = 0;
    message.as.show[64] = 1; // of a local player who is not here
    peer_messages_handle(match, 0, bytes, message_encode(&message, bytes), session.now_us);
    assert_int_equal(match->peers[0].malformed, 2);
    message.as.show[64] = LOCAL_PLAYERS; // of nobody
    peer_messages_handle(match, 0, bytes, message_encode(&message, bytes), session.now_us);
    assert_int_equal(match->peers[0].malformed, 3);
    assert_int_equal(shown_count, 2 * LOCAL_PLAYERS);
}

static uint32_t joined_count;

static void count_joined(void *context, const struct seat_key *key)
{
    assert_ptr_equal(context, &joined_count);
    assert_memory_equal(key, &match->roster.seats[local_seats_first(&match->peers[0].seats)].key, sizeof *key);
    joined_count++;
}

// Once for each connection: not again when another match begins.
TEST(a_listener_learns_who_joins)
{
    uint8_t bytes[MESSAGE_BYTES_MAX];
    struct message message = {.kind = MESSAGE_JOIN, .as.join = {.protocol = PROTOCOL_VERSION, .name = {'A'}}};
    size_t byte_count = message_encode(&message, bytes);
    joined_count = 0;
    match->joins = (struct join_listener){count_joined, &joined_count};
    match->peers[0].state = PEER_CONNECTED;
    peer_messages_handle(match, 0, bytes, byte_count, session.now_us);
    assert_int_equal(joined_count, 1);
    match_change(match, prepared_map(&second_map), &match->world.rules, session.now_us);
    assert_int_equal(joined_count, 1);
    match->peers[0].state = PEER_CONNECTED;
    message.as.join.protocol++; // refused
    byte_count = message_encode(&message, bytes);
    peer_messages_handle(match, 0, bytes, byte_count, session.now_us);
    assert_int_equal(joined_count, 1);
}

static bool keep_names(void *context, const struct seat_key *key, const char *name)
{
    (void)context;
    return strcmp(name, "Ann") == 0 &&
           !(key && memcmp(key, &match->roster.seats[local_seats_first(&match->peers[1].seats)].key, sizeof *key) == 0);
}

// The wearer gets another name and a sentence about it, and then the owner gets theirs.
TEST(a_name_that_is_kept_goes_to_its_owner)
{
    uint32_t first = local_seats_first(&match->peers[0].seats), second = local_seats_first(&match->peers[1].seats);
    char name[PLAYER_NAME_BYTES + 1];
    for (uint32_t i = 0; i < 2; i++)
        player_name_from_text(match->roster.seats[local_seats_first(&match->peers[i].seats)].wanted, "Ann");
    player_name_from_text(match->roster.seats[first].name, "Ann");
    player_name_from_text(match->roster.seats[second].name, "Ann 2");
    match->roster.names.is_kept = keep_names;
    match_refresh_names(match);
    session_run(&session, 30);
    player_name_to_text(match->world.players[second].name, name);
    assert_string_equal(name, "Ann");
    player_name_to_text(match->world.players[first].name, name);
    assert_string_equal(name, "Ann 3");
    assert_string_equal(session.probes[0].notice, "Ann is the name of another player here: you are Ann 3.");
    assert_string_equal(session.probes[1].notice, "");
}

TEST(a_number_that_is_used_again_is_another_connection)
{
    struct peer *peer = &match->peers[0];
    struct net_client client = {.identity = {1, 2, 3}};
    uint32_t slot = local_seats_first(&peer->seats);
    assert_true(peer->acknowledged > 0);
    peer_connected(match, 0, &client, 777);
    assert_int_equal(match->peer_count, 2);
    assert_int_equal(peer->state, PEER_CONNECTED);
    assert_true(peer->heard_us == 777);
    assert_int_equal(peer->acknowledged, 0);
    assert_memory_equal(&peer->client, &client, sizeof client);
    assert_int_equal(match->roster.seats[slot].kind, SEAT_FREE);
    assert_int_equal(peer_at_slot(match, slot), MATCH_PEER_CAPACITY);
}

TEST(a_message_the_network_refuses_is_counted_and_sent_again)
{
    struct peer *peer = &match->peers[0];
    tap_begin();
    tap.table.send = refuse_to_send;
    assert_false(peer_send(match, 0, &(struct message){.kind = MESSAGE_SYSTEM, .as.system = "x"}));
    assert_int_equal(match->statistics.unsent, 1);
    peer->state = PEER_LOADING;
    peer->map_sent_bytes = 0;
    broadcast_map_parts(match);
    assert_int_equal(peer->map_sent_bytes, 0);
    assert_int_equal(match->statistics.unsent, 2); // and no more is sent in this tick
    tap_end();
    broadcast_map_parts(match);
    assert_true(peer->map_sent_bytes > 0);
    peer->state = PEER_PLAYING;
}

TEST(hats_are_sent_to_clients_that_play_or_load)
{
    match->roster.seats[local_seats_first(&match->peers[0].seats)].hat = HAT_TOP;
    match->peers[1].state = PEER_LOADING;
    match_tick(match, session.now_us += TICK_US);
    match->peers[1].state = PEER_PLAYING;
    session_run(&session, 5);
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(session.probes[i].hats[local_seats_first(&match->peers[0].seats)], HAT_TOP);
    match->roster.seats[local_seats_first(&match->peers[0].seats)].hat = HAT_NONE;
    session_run(&session, 5);
    assert_int_equal(session.probes[1].hats[local_seats_first(&match->peers[0].seats)], HAT_NONE);
}

static struct seat_key place(uint32_t number, uint32_t local)
{
    struct seat_key name = {.local = local};
    memcpy(name.identity, &number, sizeof number);
    name.identity[IDENTITY_BYTES - 1] = 1;
    return name;
}

TEST(a_replaced_client_keeps_the_seat_taken_and_a_kick_frees_it)
{
    uint32_t slot = local_seats_first(&match->peers[0].seats);
    peer_drop(match, 0, DENY_REPLACED);
    assert_int_equal(match->roster.seats[slot].kind, SEAT_PLAYER);
    assert_int_equal(match->peers[0].state, PEER_LEAVING);
    slot = local_seats_first(&match->peers[1].seats);
    peer_drop(match, 1, DENY_KICKED);
    assert_int_equal(match->roster.seats[slot].kind, SEAT_FREE);
}

TEST(the_journal_records_only_taken_seats_with_a_key)
{
    static struct roster roster = {.seat_count = 3};
    struct replay_seat seats[PLAYER_CAPACITY];
    struct player players[3] = {0};
    uint8_t hats[PLAYER_CAPACITY];
    struct seat_key ada = place(1, 2);
    uint32_t name[PLAYER_NAME_BYTES / 4];
    player_name_from_text(name, "Ada");
    roster_fill(&roster, 3);
    roster_hats(&roster, hats);
    assert_int_equal(hats[1], 1 % HATS);
    roster_fill(&roster, 2); // the last bot leaves
    assert_int_equal(roster_reserve(&roster, NULL, name, 9), 2);
    assert_int_equal(roster_seats(&roster, seats), 0);           // without a key they would not be recognised
    assert_int_equal(roster_reserve(&roster, &ada, name, 9), 0); // in a bot's place
    roster.seats[1].has_key = true;                              // a bot's seat, with the key of a player who left
    assert_int_equal(roster_seats(&roster, seats), 1);
    assert_int_equal(seats[0].slot, 0);
    assert_int_equal(seats[0].local, 2);
    roster_leave(&roster, 0, players);
    assert_int_equal(roster_seats(&roster, seats), 0);
    roster_fill(&roster, 3);
    assert_int_equal(roster_reserve(&roster, NULL, name, 0), 0);
    roster.seats[0].kind = SEAT_BOT;
    roster.seats[0].hat = HAT_TOP;
    assert_int_equal(roster_reserve(&roster, NULL, name, 0), 0);
    assert_int_equal(roster.seats[0].hat, HAT_NONE); // not the bot's
}

TEST(a_client_that_chats_too_fast_is_warned_again_after_a_pause)
{
    struct chat_send_message line = {.text = "hello"};
    struct chat_sender *sender = &match->peers[0].chat_sender;
    for (uint64_t round = 1; round <= 2; round++) {
        uint64_t now_us = session.now_us + round * 60000000;
        for (uint32_t i = 0; i < CHAT_BURST; i++) {
            chat_handle(match, 0, &line, now_us);
            assert_false(sender->warned);
        }
        chat_handle(match, 0, &line, now_us);
        assert_true(sender->warned);
        chat_handle(match, 0, &line, now_us + 999999);
        assert_true(sender->warned);
        chat_handle(match, 0, &line, now_us + 1000000);
        assert_false(sender->warned);
    }
}

BARE_TEST(a_disconnected_player_is_stored_and_returned_once)
{
    static struct roster roster = {.seat_count = 1};
    struct disconnected_players *table = &roster.disconnected;
    struct player_record record = {.team = 2, .score = 5, .stats.kills = 3};
    struct seat_key ada = place(1, 0), bob = place(1, 1);
    uint32_t slot = 0;
    assert_false(roster_disconnected_take(table, &ada, &slot, &record));
    roster_disconnected_add(table, &ada, 6, &record);
    assert_false(roster_disconnected_take(table, &bob, &slot, &record)); // another player at the same machine
    record.score = 9;
    roster_disconnected_add(table, &ada, 7, &record); // again: one row
    record = (struct player_record){0};
    assert_true(roster_disconnected_take(table, &ada, &slot, &record));
    assert_int_equal(slot, 7);
    assert_int_equal(record.score, 9);
    assert_false(roster_disconnected_take(table, &ada, &slot, &record));
    roster_disconnected_add(table, &ada, 1, &(struct player_record){.team = 2, .score = 5, .stats.kills = 3});
    roster_new_round(&roster);
    assert_true(roster_disconnected_take(table, &ada, &slot, &record));
    assert_int_equal(record.team, 2);
    assert_int_equal(record.score + (int32_t)record.stats.kills, 0);
}

BARE_TEST(the_player_who_left_first_is_forgotten_first)
{
    static struct disconnected_players table;
    struct player_record record = {0};
    uint32_t slot;
    for (uint32_t i = 0; i < DISCONNECTED_PLAYERS_CAPACITY; i++) {
        struct seat_key name = place(i, 0);
        roster_disconnected_add(&table, &name, i, &record);
    }
    struct seat_key first = place(0, 0), second = place(1, 0), third = place(2, 0), more = place(9999, 0);
    roster_disconnected_add(&table, &first, 77, &record); // no longer the first who left
    roster_disconnected_add(&table, &more, 88, &record);
    assert_false(roster_disconnected_take(&table, &second, &slot, &record));
    assert_true(roster_disconnected_take(&table, &first, &slot, &record));
    assert_int_equal(slot, 77);
    assert_true(roster_disconnected_take(&table, &third, &slot, &record));
    assert_int_equal(slot, 2);
}
