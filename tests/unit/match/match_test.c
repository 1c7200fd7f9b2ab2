// SPDX-License-Identifier: MIT
//
// Tests whole sessions in virtual time: a match, a network with a seed, and the simplest clients.
#include <stdlib.h>
#include <string.h>

#include "match/match.h"
#include "memory_network.h"
#include "net/crypto/identity.h"
#include "prepared_map.h"
#include "probe.h"
#include "sync/world.h"
#include "test.h"
#include "test_map.h"

static const struct impairment perfect = {0};
static const struct impairment bad = {
    .delay_us = 40000, .jitter_us = 20000, .loss_ppm = 100000, .duplicate_ppm = 50000, .reorder_ppm = 50000};

static struct map map;

static struct match_config config; // of the next match
static struct session session;
static struct match *match;

static void end(void)
{
    if (match)
        session_end(&session);
    match = NULL;
}

// Begins a match in place of the one before, and runs it for some ticks.
static void begin(const struct impairment *impairment, uint32_t probes, uint32_t ticks)
{
    end();
    session_begin(&session, &config, impairment, probes);
    match = session.match;
    session_run(&session, ticks);
}

static void before(void)
{
    test_map_random(&map, 4, 60, 40);
    config = (struct match_config){.map = &map,
                                   .rules = {.mode = MODE_FFA, .seed = 7, .bot_skill = SKILL_NORMAL},
                                   .players_max = 4,
                                   .snapshot_rate = 60};
}

EACH_TEST(before, end);

TEST(a_client_gets_the_map_then_the_world_then_snapshots)
{
    begin(&perfect, 1, 60);
    const struct probe *probe = &session.probes[0];
    assert_true(probe->map_parts > 0);
    uint8_t address[CONTENT_HASH_BYTES];
    identity_of_content(probe->blob, probe->map_bytes, address);
    assert_memory_equal(probe->welcome.map_address, address, sizeof address);
    assert_int_equal(probe->welcome.map_blob_bytes, probe->map_bytes);
    assert_int_equal(match->statistics.joins, 1);
    assert_int_equal(match->statistics.ticks, 60);
    assert_int_equal(probe->full_snapshots, 1);
    assert_true(probe->snapshots >= 50);
    assert_int_equal(probe->desyncs + probe->undecodable, 0);
    assert_true(world_hash(&probe->world) == world_hash(&match->world));
    assert_int_equal(match->world.players[probe->slot].state, PLAYER_ALIVE);
}

TEST(every_client_knows_every_hat)
{
    config.bots = 4;
    begin(&bad, 2, 0);
    session.probes[0].hat = HAT_CONE;
    session.probes[1].hat = HAT_BOWLER;
    for (int round = 0; round < 2; round++) {
        session_run(&session, 300);
        for (uint32_t i = 0; i < 2; i++) {
            const struct probe *probe = &session.probes[i];
            assert_int_equal(probe->hats[session.probes[0].slot], HAT_CONE);
            assert_int_equal(probe->hats[session.probes[1].slot], HAT_BOWLER);
            for (uint32_t slot = 0; slot < config.players_max; slot++)
                assert_int_equal(probe->hats[slot], match->roster.seats[slot].hat);
        }
        match_change(match, prepared_map(&map), &config.rules, session.now_us);
    }
}

TEST(a_client_that_has_the_map_gets_no_part_of_it)
{
    begin(&perfect, 1, 0);
    session.probes[0].map = map;
    session.probes[0].map_hash_held = map_hash(&map);
    session_run(&session, 60);
    assert_int_equal(session.probes[0].map_parts, 0);
    assert_true(session.probes[0].snapshots > 50);
}

TEST(sixteen_clients_stay_in_step_over_a_bad_network)
{
    enum { SECONDS = 12 };
    config.players_max = 16;
    begin(&bad, 16, 0);
    for (uint32_t i = 0; i < 16; i++)
        session.probes[i].lead_ticks += 8; // as jitter and reordering require
    for (uint32_t second = 0; second < SECONDS; second++) {
        for (uint32_t i = 0; i < 16; i++)
            session.probes[i].buttons = (second * 2654435761u + i * 40503u) >> 7 & 0x7F;
        session_run(&session, 60);
    }
    for (uint32_t i = 0; i < 16; i++) {
        const struct probe *probe = &session.probes[i];
        if (probe->ended || probe->desyncs > 0)
            fail_msg("client %u: ended %d, %u desyncs", i, probe->ended, probe->desyncs);
        // One in ten is lost, and none is sent again.
        if (probe->snapshots < (SECONDS - 2) * 60 * 85 / 100 || probe->snapshots > SECONDS * 60 * 95 / 100)
            fail_msg("client %u: %u snapshots", i, probe->snapshots);
    }
    assert_true(match->statistics.inputs_missed < 16 * SECONDS * 60 / 200); // 0.5 %
    assert_int_equal(match->statistics.malformed, 0);
}

TEST(clients_with_the_same_baseline_share_one_encoding)
{
    config.players_max = 8;
    begin(&perfect, 8, 60);
    struct match_statistics before = match->statistics;
    session_run(&session, 60);
    assert_int_equal(match->statistics.snapshots - before.snapshots, 8 * 60);
    assert_int_equal(match->statistics.bodies_encoded - before.bodies_encoded, 60);
}

TEST(the_snapshot_rate_is_kept)
{
    static const uint32_t rates[] = {60, 30, 20};
    for (size_t i = 0; i < 3; i++) {
        config.snapshot_rate = rates[i];
        begin(&perfect, 1, 0);
        session_run(&session, 60);
        uint32_t before = session.probes[0].snapshots;
        session_run(&session, 60);
        assert_int_equal(session.probes[0].snapshots - before, rates[i]);
        assert_int_equal(session.probes[0].welcome.snapshot_rate, rates[i]);
    }
}

TEST(inputs_take_effect_in_their_tick_and_report_their_margin)
{
    begin(&perfect, 1, 0);
    struct probe *probe = &session.probes[0];
    probe->lead_ticks = 3;
    session_run(&session, 60);
    probe->buttons = BUTTON_RIGHT;
    session_run(&session, 1);
    tick first = probe->input_tick; // earlier ones have been sent without it
    while (match->world.tick < first - 1)
        session_run(&session, 1);
    assert_int_equal(match->inputs[probe->slot].buttons, 0);
    session_run(&session, 1);
    assert_int_equal(match->inputs[probe->slot].buttons, BUTTON_RIGHT);
    session_run(&session, 30);
    assert_int_equal(probe->head.margin_quarter_ticks, 12); // it arrives right after the snapshot: three before its own
    assert_int_equal(probe->head.inputs_missed, 0);
    assert_true(probe->head.input_tick > probe->head.tick);
}

TEST(a_client_that_lost_its_world_gets_a_full_snapshot)
{
    begin(&bad, 1, 120);
    struct probe *probe = &session.probes[0];
    uint32_t full_before = probe->full_snapshots;
    memset(probe->held, 0, sizeof probe->held);
    probe->acknowledge = 0;
    session_run(&session, 120);
    assert_int_equal(match->statistics.full_requests, 1);
    assert_true(probe->full_snapshots > full_before);
    assert_int_equal(probe->desyncs, 0);
    assert_true(probe->newest + 30 > match->world.tick);
}

TEST(a_client_gets_as_many_repeats_as_it_asks_for)
{
    static const struct {
        uint32_t repeats, snapshot_rate;
        tick age;
    } rows[] = {
        /* 0 */ {0, 60, 14}, // all since what it has acknowledged: two ways of 100 ms
        /* 1 */ {1, 60, 1},   /* 2 */ {2, 60, 2}, /* 3 */ {7, 60, 7},
        /* 4 */ {15, 60, 14}, // no more than it needs
        /* 5 */ {2, 20, 6},   // two snapshots
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        config.snapshot_rate = rows[i].snapshot_rate;
        begin(&(struct impairment){.delay_us = 100000}, 1, 0);
        struct probe *probe = &session.probes[0];
        probe->repeats = rows[i].repeats;
        session_run(&session, 180);
        uint32_t full = probe->full_snapshots;
        if (probe->head.tick - probe->head.baseline_tick != rows[i].age)
            fail_msg("row %zu: %u ticks", i, probe->head.tick - probe->head.baseline_tick);
        probe->acknowledge = 0; // asks for a full snapshot, and nothing is sent until it has that
        session_run(&session, 120);
        match_change(match, prepared_map(&map), &config.rules, session.now_us);
        session_run(&session, 120);
        assert_true(probe->full_snapshots > full && probe->newest + 20 > match->world.tick);
        assert_int_equal(probe->desyncs + probe->undecodable, 0);
    }
}

TEST(a_client_that_has_the_map_is_ready_at_once)
{
    begin(&perfect, 1, 0);
    while (match->peers[0].state != PEER_LOADING)
        session_run(&session, 1);
    match->peers[0].map_sent_bytes = 0; // as if nothing had been sent
    uint8_t bytes[MESSAGE_BYTES_MAX];
    size_t size =
        message_encode(&(struct message){.kind = MESSAGE_READY, .as.ready = match->peers[0].welcome_tick}, bytes);
    peer_messages_handle(match, 0, bytes, size, session.now_us);
    assert_int_equal(match->peers[0].state, PEER_PLAYING);
    assert_int_equal(match->statistics.malformed, 0);
    uint32_t parts = session.probes[0].map_parts;
    session_run(&session, 30);
    assert_int_equal(session.probes[0].map_parts, parts);
    assert_true(match->statistics.snapshots > 0);
}

TEST(a_client_continues_after_a_blackout_of_two_seconds)
{
    begin(&perfect, 2, 60);
    memory_network_impair(session.network, &(struct impairment){.loss_ppm = 1000000});
    session_run(&session, 120);
    memory_network_impair(session.network, &perfect);
    session_run(&session, 60);
    for (uint32_t i = 0; i < 2; i++) {
        assert_false(session.probes[i].ended);
        assert_int_equal(session.probes[i].newest, match->world.tick);
        assert_int_equal(session.probes[i].desyncs, 0);
    }
}

TEST(a_full_server_refuses_clients_and_a_bot_makes_room)
{
    config.players_max = 2;
    config.bots = 2;
    begin(&perfect, 3, 60);
    uint32_t full = 0;
    for (uint32_t i = 0; i < 3; i++)
        full += session.probes[i].denied == DENY_FULL && session.probes[i].ended;
    assert_int_equal(full, 1);
    assert_int_equal(roster_count(&match->roster, SEAT_PLAYER), 2);
    assert_int_equal(roster_count(&match->roster, SEAT_BOT), 0);
}

TEST(a_client_of_another_version_is_refused_with_that_reason)
{
    config.players_max = 2;
    begin(&perfect, 1, 0);
    session.probes[0].mute = true;
    session_run(&session, 2);
    probe_send(&session.probes[0],
               &(struct message){.kind = MESSAGE_JOIN, .as.join = {.protocol = PROTOCOL_VERSION + 1}}, NET_RELIABLE);
    session_run(&session, 5);
    assert_int_equal(session.probes[0].denied, DENY_VERSION);
    assert_true(session.probes[0].ended && match_is_empty(match));
}

TEST(a_silent_client_is_dropped_and_its_seat_freed)
{
    static const struct {
        uint32_t ticks_before; // until it falls silent
        uint64_t patience_us;
    } rows[] = {
        /* 1 */ {0, PEER_JOIN_US_MAX},    // connects and says nothing
        /* 2 */ {60, PEER_SILENT_US_MAX}, // plays, then acknowledges nothing
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        config.players_max = 2;
        begin(&perfect, 1, 0);
        session.probes[0].mute = rows[i].ticks_before == 0;
        session_run(&session, rows[i].ticks_before);
        session.probes[0].mute = true;
        session_run(&session, (uint32_t)(rows[i].patience_us / TICK_US) - 3);
        if (session.probes[0].ended)
            fail_msg("row %zu: too early", i + 1);
        session_run(&session, 10);
        if (!session.probes[0].ended || session.probes[0].denied != DENY_SILENT)
            fail_msg("row %zu: still there", i + 1);
        assert_int_equal(roster_count(&match->roster, SEAT_FREE), 2);
        assert_true(match_is_empty(match));
    }
}

TEST(malformed_messages_are_counted_and_end_the_connection)
{
    begin(&perfect, 2, 60);
    uint32_t random = 1;
    for (int i = 0; i < 100; i++) {
        uint8_t bytes[NET_MESSAGE_BYTES_MAX];
        for (size_t b = 0; b < sizeof bytes; b++)
            bytes[b] = (uint8_t)((random = random * 1664525u + 1013904223u) >> 24);
        bytes[0] |= 0x10; // no kind of message
        transport_send(session.probes[0].transport, 0, i % 2 ? NET_RELIABLE : NET_UNSEQUENCED, bytes,
                       1 + random % NET_MESSAGE_BYTES_MAX);
    }
    session_run(&session, 30);
    assert_int_equal(match->statistics.malformed, PEER_MALFORMED_MAX);
    assert_int_equal(session.probes[0].denied, DENY_PROTOCOL);
    assert_false(session.probes[1].ended);
}

// Every message kind, in every state, with every byte of an honest message changed.
TEST(mutated_messages_do_no_harm)
{
    config.players_max = 16;
    begin(&perfect, 16, 30);
    struct message honest[] = {
        {.kind = MESSAGE_JOIN, .as.join = {.protocol = PROTOCOL_VERSION}},
        {.kind = MESSAGE_READY},
        {.kind = MESSAGE_INPUT, .as.input = {.newest_tick = 40, .snapshot_tick = 20, .count = 3, .players = 1}},
    };
    for (uint32_t i = 0; i < 16; i++) {
        uint8_t bytes[MESSAGE_BYTES_MAX];
        size_t size = message_encode(&honest[i % 3], bytes);
        for (size_t at = 0; at < size; at++)
            for (uint32_t value = 0; value < 256; value += 5) {
                uint8_t before = bytes[at];
                bytes[at] = (uint8_t)value;
                peer_messages_handle(match, i, bytes, size, session.now_us);
                bytes[at] = before;
            }
    }
    session_run(&session, 60);
    assert_true(match->statistics.malformed > 0);
}

TEST(a_closing_server_ends_all_connections_with_a_reason)
{
    begin(&bad, 3, 120);
    match_close(match);
    for (int i = 0; i < 120 && !match_is_empty(match); i++) {
        memory_network_advance(session.network, session.now_us += TICK_US);
        match_receive(match, session.now_us);
        for (uint32_t p = 0; p < 3; p++)
            probe_receive(&session.probes[p]);
    }
    assert_true(match_is_empty(match));
    for (uint32_t i = 0; i < 3; i++) {
        probe_receive(&session.probes[i]);
        assert_int_equal(session.probes[i].denied, DENY_CLOSING);
        assert_true(session.probes[i].ended && session.probes[i].notice[0]);
    }
}

TEST(a_restart_is_announced_by_a_message_as_well)
{
    begin(&(struct impairment){.delay_us = 10000}, 3, 120);
    match_announce_restart(match);
    memory_network_advance(session.network, session.now_us += 2 * TICK_US);
    for (uint32_t i = 0; i < 3; i++) {
        probe_receive(&session.probes[i]);
        assert_int_equal(session.probes[i].denied, DENY_RESTARTING);
        assert_true(session.probes[i].ended);
    }
}

TEST(a_bot_fills_a_free_seat_until_the_next_client_joins)
{
    config.bots = 4;
    begin(&perfect, 2, 60);
    assert_int_equal(roster_count(&match->roster, SEAT_BOT), 2);
    transport_close(session.probes[0].transport);
    session_run(&session, 60);
    assert_int_equal(roster_count(&match->roster, SEAT_BOT), 3);
    assert_int_equal(match->peer_count, 1);
    session.probes[0] = (struct probe){.transport = memory_network_client(session.network), .lead_ticks = 3};
    session_run(&session, 60);
    assert_int_equal(roster_count(&match->roster, SEAT_PLAYER), 2);
    assert_int_equal(session.probes[1].desyncs + session.probes[0].desyncs, 0);
}

TEST(a_large_snapshot_comes_in_parts)
{
    begin(&perfect, 1, 60);
    struct probe *probe = &session.probes[0];
    for (uint32_t slot = 10; slot < PLAYER_CAPACITY; slot++) {
        assert_true(match_enqueue_command(
            match, &(struct command){.kind = COMMAND_JOIN, .slot = slot, .name = {'a' + slot % 26}}));
        session_run(&session, 1);
    }
    probe->mute = true; // it acknowledges nothing
    session_run(&session, 2);
    match->peers[0].acknowledged = match->peers[0].full_tick = 0;
    uint32_t full = probe->full_snapshots, parts = probe->parts, snapshots = probe->snapshots;
    session_run(&session, 1);
    assert_int_equal(probe->full_snapshots, full + 1);
    assert_true(probe->parts - parts > 3 * (probe->snapshots - snapshots));
    assert_int_equal(probe->desyncs + probe->undecodable, 0);
    assert_true(world_hash(&probe->world) == world_hash(&match->world));
}

TEST(a_match_may_sleep_until_something_comes)
{
    begin(&perfect, 0, 0);
    assert_true(match_may_sleep(match) && match_is_empty(match));
    assert_true(match_enqueue_command(match, &(struct command){.kind = COMMAND_PAUSE, .paused = 1}));
    assert_false(match_may_sleep(match));
    session_run(&session, 1);
    assert_true(match_may_sleep(match));
    assert_int_equal(match->world.round.paused, 1);
    roster_fill(&match->roster, 1); // a bot that the world does not have yet
    assert_false(match_may_sleep(match));
    begin(&perfect, 1, 60);
    assert_true(roster_is_shown(&match->roster));
    assert_false(match_may_sleep(match) || match_is_empty(match));
}

TEST(a_tick_takes_32_commands_once_and_skips_refused_ones)
{
    begin(&perfect, 0, 0);
    for (uint32_t i = 0; i < MATCH_COMMAND_CAPACITY - 1; i++) // nobody is there
        assert_true(match_enqueue_command(match, &(struct command){.kind = COMMAND_LEAVE, .slot = 2}));
    struct command join = {.kind = COMMAND_JOIN, .slot = 2, .name = {'A'}, .colour = 7};
    assert_true(match_enqueue_command(match, &join));
    assert_false(match_enqueue_command(match, &join));
    session_run(&session, 1);
    assert_int_equal(match->world.players[2].colour, 7);
    uint32_t generation = match->world.players[2].generation;
    assert_int_equal(match->command_count, 0);
    session_run(&session, 1);
    assert_int_equal(match->world.players[2].generation, generation);
    join.slot = 0; // before all others
    assert_true(match_enqueue_command(match, &join));
    join.slot = 1;
    assert_true(match_enqueue_command(match, &join));
    session_run(&session, 1);
    assert_int_not_equal(match->world.players[0].state, PLAYER_ABSENT);
    assert_int_not_equal(match->world.players[1].state, PLAYER_ABSENT);
}

TEST(a_new_match_forgets_commands_and_votes_of_the_old_one)
{
    begin(&perfect, 1, 60);
    assert_true(match_enqueue_command(match, &(struct command){.kind = COMMAND_PAUSE, .paused = 1}));
    assert_true(vote_open(match, "?", (const char *const[]){"a", "b"}, 2, 100));
    match_change(match, prepared_map(&map), &config.rules, session.now_us);
    assert_int_equal(match->world.tick, 60);
    assert_int_equal(match->vote.message.choice_count, 0);
    session_run(&session, 1);
    assert_int_equal(match->world.round.paused, 0);
}

// The players of a restored match have as long to come back when ticks begin at 0 again.
TEST(the_time_to_return_goes_on_in_a_new_match)
{
    static const struct {
        tick before, deadline, after, deadline_after;
    } rows[] = {
        /* 0 */ {500, 700, 500, 700},
        /* 1 */ {MATCH_TICKS_OLD - 1, MATCH_TICKS_OLD + 99, MATCH_TICKS_OLD - 1, MATCH_TICKS_OLD + 99},
        /* 2 */ {MATCH_TICKS_OLD, MATCH_TICKS_OLD + 100, 0, 100},
        /* 3 */ {MATCH_TICKS_OLD + 7, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(&perfect, 0, 0);
        match->world.tick = rows[i].before;
        match->return_deadline = rows[i].deadline;
        match_change(match, prepared_map(&map), &config.rules, 0);
        if (match->world.tick != rows[i].after || match->return_deadline != rows[i].deadline_after)
            fail_msg("row %zu: tick %u, deadline %u", i, match->world.tick, match->return_deadline);
    }
}

static uint64_t hash_of_a_match_of_bots(uint32_t bots, enum skill skill)
{
    config.bots = bots;
    config.rules.bot_skill = skill;
    begin(&perfect, 0, 0);
    assert_true((match_map_nav_graph(match->prepared) != NULL) == (bots > 0));
    session_run(&session, 300);
    uint64_t hash = world_hash(&match->world);
    return hash;
}

TEST(bots_know_the_map_and_play_as_well_as_asked)
{
    hash_of_a_match_of_bots(0, SKILL_EASY);
    hash_of_a_match_of_bots(1, SKILL_EASY);
    assert_true(hash_of_a_match_of_bots(2, SKILL_EASY) == hash_of_a_match_of_bots(2, SKILL_EASY));
    assert_true(hash_of_a_match_of_bots(2, SKILL_EASY) != hash_of_a_match_of_bots(2, SKILL_NORMAL));
}

TEST(a_round_that_begins_clears_the_points_of_players_who_left)
{
    begin(&perfect, 2, 0);
    int32_t *score = &match->roster.seats[3].record.score; // nobody is there any more
    for (uint32_t t = 0; t < 3600 && match->world.round.phase != ROUND_PLAYING; t++) {
        *score = 5;
        session_run(&session, 1);
        assert_int_equal(*score, match->world.round.phase == ROUND_PLAYING ? 0 : 5);
    }
    assert_int_equal(match->world.round.phase, ROUND_PLAYING);
    *score = 5;
    assert_true(match_enqueue_command(match, &(struct command){.kind = COMMAND_PAUSE, .paused = 1}));
    session_run(&session, 30); // the round does not begin again meanwhile
    assert_int_equal(*score, 5);
    assert_true(match_enqueue_command(match, &(struct command){.kind = COMMAND_PAUSE}));
    session_run(&session, 30);
    assert_int_equal(*score, 5);
}

// Events of a transport with more numbers than the match has places.
static const struct net_client stranger;
static struct net_event events[4];
static uint32_t events_left;

static bool next_event(struct transport *transport, struct net_event *event)
{
    (void)transport;
    if (events_left == 0)
        return false;
    *event = events[--events_left];
    return true;
}

TEST(a_connection_beyond_the_places_is_ignored)
{
    begin(&perfect, 0, 0);
    const struct transport_table *real = match->transport->table;
    struct transport_table table = *real;
    table.poll = next_event;
    match->transport->table = &table;
    events[3] = (struct net_event){.kind = NET_CONNECTED, .peer = MATCH_PEER_CAPACITY, .client = &stranger};
    events[2] = (struct net_event){.kind = NET_NOTHING, .peer = 3, .client = &stranger};
    events[1] = (struct net_event){.kind = NET_CONNECTED, .peer = 3, .client = &stranger};
    events[0] = (struct net_event){.kind = NET_CONNECTED, .peer = MATCH_PEER_CAPACITY - 1, .client = &stranger};
    events_left = 4;
    match_receive(match, 1);
    assert_int_equal(match->peer_count, 2);
    assert_int_equal(match->peers[3].state, PEER_CONNECTED);
    events[0] = (struct net_event){.kind = NET_DISCONNECTED, .peer = 3};
    events_left = 1;
    match_receive(match, 2);
    assert_int_equal(match->peer_count, 1);
    match->transport->table = real;
}

// Snapshots say what happened: all decode to the server's world, and none shows the pause.
TEST(a_match_that_stands_still_goes_on_where_it_was)
{
    config.bots = 4;
    begin(&perfect, 1, 0);
    struct probe *probe = &session.probes[0];
    probe->buttons = BUTTON_RIGHT;
    session_run(&session, 120);
    struct world before = match->world;
    uint32_t missed = match->peers[0].inputs.missed, snapshots = probe->snapshots;
    uint64_t ticks = match->statistics.ticks;
    match_stand_still(match, 9);
    assert_int_equal(match->world.tick, before.tick + 9);
    assert_int_equal(match->world.round.paused, 0);
    assert_int_equal(match->world.round.paused_ticks, before.round.paused_ticks + 9);
    assert_int_equal(match->world.round.since_tick, before.round.since_tick + 9);
    for (uint32_t slot = 0; slot < 4; slot++) {
        assert_int_equal(match->world.players[slot].buttons, before.players[slot].buttons);
        assert_int_equal(match->world.actors[slot].x, before.actors[slot].x);
        assert_int_equal(match->world.actors[slot].y, before.actors[slot].y);
    }
    assert_int_equal(match->peers[0].inputs.missed, missed);
    assert_int_equal(match->statistics.ticks_stood_still, 9);
    assert_int_equal(match->statistics.ticks, ticks + 9);
    session_run(&session, 1);
    assert_int_equal(match->world.tick, before.tick + 10);
    assert_int_equal(match->world.round.paused_ticks, before.round.paused_ticks + 9);
    assert_int_equal(probe->snapshots, snapshots + 1);
    session_run(&session, 60);
    assert_int_equal(probe->desyncs + probe->undecodable, 0);
    assert_true(world_hash(&probe->world) == world_hash(&match->world));
}

TEST(a_match_may_stand_still_twice_between_two_ticks_and_in_a_pause)
{
    struct command pause = {.kind = COMMAND_PAUSE, .paused = 1};
    begin(&perfect, 1, 60);
    match_stand_still(match, 2);
    match_stand_still(match, 3);
    assert_true(match_enqueue_command(match, &pause)); // by an operator
    session_run(&session, 2);
    assert_int_equal(match->world.round.paused, 1);
    match_stand_still(match, 4);
    assert_int_equal(match->world.round.paused, 1);
    session_run(&session, 2);
    assert_int_equal(match->world.round.paused, 1);
    assert_int_equal(match->world.round.paused_ticks, 2 + 3 + 2 + 4 + 2);
    assert_int_equal(session.probes[0].desyncs + session.probes[0].undecodable, 0);
    assert_true(world_hash(&session.probes[0].world) == world_hash(&match->world));
    match_stand_still(match, 1);
    match_change(match, prepared_map(&map), &config.rules, session.now_us);
    session_run(&session, 60);
    assert_int_equal(session.probes[0].desyncs + session.probes[0].undecodable, 0);
    assert_int_equal(match->world.round.paused_ticks, 0);
}

// What the server finds after it was held up may have arrived at any time since.
TEST(margins_are_not_measured_after_a_gap_between_two_receptions)
{
    begin(&perfect, 1, 60);
    for (int late = 0; late < 2; late++) {
        uint64_t measured = match->statistics.input_margins;
        probe_send_input(&session.probes[0]);
        session.now_us += late ? 25001 : 25000;
        memory_network_advance(session.network, session.now_us);
        match_receive(match, session.now_us);
        assert_int_equal(match->statistics.input_margins - measured > 0, !late);
        session_run(&session, 1);
    }
    uint64_t count = 0;
    for (uint32_t i = 0; i < INPUT_MARGIN_CLASSES; i++)
        count += match->statistics.input_margin_classes[i];
    assert_int_equal(match->statistics.input_margins, count);
}

TEST(a_margin_counts_from_the_arrival_however_late_the_server_looks)
{
    begin(&perfect, 1, 60);
    struct input_queue *inputs = &match->peers[0].inputs;
    for (uint64_t wait_us = 0; wait_us <= 16000; wait_us += 4000) {
        session_run(&session, 1);
        session.now_us += 3000; // less than a quarter of a tick
        memory_network_advance(session.network, session.now_us);
        probe_send_input(&session.probes[0]);
        session.now_us += wait_us;
        memory_network_advance(session.network, session.now_us);
        match_receive(match, session.now_us);
        int32_t ahead = (int32_t)(session.probes[0].input_tick - match->world.tick);
        assert_int_equal(inputs->margins[(inputs->margin_count - 1) % INPUT_MARGIN_TICKS], 4 * ahead - 1);
    }
}
