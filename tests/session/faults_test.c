// SPDX-License-Identifier: MIT
//
// Each fault of a network, as a match in virtual time. The session compares every world of a client with the server's;
// none may differ. The tests check what else the fault costs.
#include <stdlib.h>
#include <string.h>

#include "core/view.h"
#include "memory_network.h"
#include "seeds.h"
#include "session.h"
#include "test.h"

EACH_TEST(NULL, session_end);

enum { PLAYERS = 4, SETTLE_S = 5 };

static struct view view;

// The counts at the beginning of a measurement.
struct mark {
    uint64_t step;
    uint32_t missed[PLAYERS], snapshots[PLAYERS];
};

static struct mark mark(void)
{
    struct mark mark = {.step = session.step};
    for (uint32_t i = 0; i < PLAYERS; i++) {
        uint32_t peer = peer_at_slot(session.match, client_slot(session.clients[i]));
        session_check(peer < MATCH_PEER_CAPACITY && session.match->peers[peer].state == PEER_PLAYING);
        mark.missed[i] = session.match->peers[peer].inputs.missed;
        mark.snapshots[i] = session_statistics(i).snapshots;
    }
    return mark;
}

static void begin(uint64_t seed, const struct impairment *impairment)
{
    session_begin(seed, "foundry", impairment);
    session_join_first(PLAYERS, PLAYERS);
    session_run(SETTLE_S);
}

// Checks that since the mark no client saw a desync, at most so many inputs in 10,000 were missed, and at least so many
// snapshots a second were decoded.
static void held(struct mark since, uint32_t missed_max, uint32_t snapshots_per_s)
{
    struct mark now = mark();
    uint64_t ticks = (session.step - since.step) * TICKS_PER_SECOND / SESSION_STEPS;
    for (uint32_t i = 0; i < PLAYERS; i++) {
        session_check(client_state(session.clients[i]) == CLIENT_PLAYING);
        session_check(session_statistics(i).desyncs == 0);
        session_check((now.missed[i] - since.missed[i]) * UINT64_C(10000) <= ticks * missed_max);
        session_check((now.snapshots[i] - since.snapshots[i]) * UINT64_C(60) >= ticks * snapshots_per_s);
    }
}

TEST(each_fault_costs_some_inputs_and_snapshots)
{
    static const struct {
        struct impairment line;
        uint32_t missed_max, snapshots_per_s; // of 10,000 inputs; at least
    } rows[] = {
        /* 0 */ {{.delay_us = 30000, .jitter_us = 5000, .loss_ppm = 10000}, 20, 58},
        /* 1 */ {{.delay_us = 30000, .jitter_us = 10000, .loss_ppm = 50000}, 50, 55},
        /* 2 */ {{.delay_us = 30000, .jitter_us = 10000, .loss_ppm = 100000}, 100, 52},
        /* 3 */ {{.delay_us = 30000, .jitter_us = 10000, .loss_ppm = 250000}, 400, 40},
        /* 4 */ {{.delay_us = 30000, .duplicate_ppm = 250000}, 0, 60},
        /* 5 */ {{.delay_us = 30000, .reorder_ppm = 50000}, 20, 59},
        /* 6 */ {{.delay_us = 20000, .jitter_us = 100000}, 50, 59}, // overtaken packets come too late
    };
    for (size_t i = 0; i < COUNT_OF(rows) * seeds_asked(2); i++) {
        size_t row = i % COUNT_OF(rows);
        print_message("row %zu\n", row);
        begin(1 + i / COUNT_OF(rows), &rows[row].line);
        struct mark start = mark();
        session_run(30);
        held(start, rows[row].missed_max, rows[row].snapshots_per_s);
    }
}

// Inputs of the dead time arrive too late, except within the margin of a tick. Recovery is quick: the first input that
// arrives makes the following ones arrive in time.
TEST(a_burst_of_losses_costs_its_ticks_and_one_round_trip)
{
    static const uint32_t burst_ticks[] = {3, 9, 18}; // 50, 150, 300 ms; a batch of inputs covers 267
    begin(3, &(struct impairment){.delay_us = 40000});
    for (uint32_t burst = 0; burst < 12; burst++) {
        uint32_t ticks = burst_ticks[burst % 3];
        struct mark before = mark();
        memory_network_block(session.network, true, true);
        session_run(ticks / 60.0);
        memory_network_block(session.network, false, false);
        session_run(0.08 + 0.02);
        struct mark after = mark();
        uint32_t missed = 0;
        for (uint32_t i = 0; i < PLAYERS; i++)
            missed += after.missed[i] - before.missed[i];
        session_check(missed <= PLAYERS * ticks);
        session_run(1.5);
        held(after, 0, 60);
    }
}

// Returns the largest distance that the own player moves between two frames, sub, without deaths and spawns.
static int32_t farthest_frame_sub(uint32_t index, double seconds)
{
    int32_t farthest = 0;
    struct view_point before = {0};
    uint32_t deaths_before = UINT32_MAX;
    for (int frame = 0; frame < (int)(seconds * 60); frame++) {
        session_run(1 / 60.0);
        session_check(client_view(session.clients[index], session_client_us(index), &view));
        const struct player *own = &view.world->players[view.slot];
        struct view_point at = view.actors[view.slot];
        bool same = own->state == PLAYER_ALIVE && own->stats.deaths == deaths_before;
        int32_t x = abs(at.x - before.x), y = abs(at.y - before.y);
        int32_t step = x > y ? x : y;
        bool wrapped = step > 200 * 256;
        if (same && !wrapped && step > farthest)
            farthest = step;
        deaths_before = own->state == PLAYER_ALIVE ? own->stats.deaths : UINT32_MAX;
        before = at;
    }
    return farthest;
}

TEST(round_trip_step_of_200_ms)
{
    struct impairment near = {.delay_us = 20000}, far = {.delay_us = 120000};
    begin(4, &near);
    memory_network_impair(session.network, &far);
    session_check(farthest_frame_sub(0, 2) <= 24 * 256); // two bodies
    struct mark adapted = mark();
    session_run(10);
    held(adapted, 0, 60);
    memory_network_impair(session.network, &near);
    session_check(farthest_frame_sub(0, 2) <= 24 * 256);
    adapted = mark();
    session_run(10);
    held(adapted, 0, 60);
}

// The directions that a blackout blocks.
static const struct blackout {
    bool to_server, to_clients;
} BLACKOUTS[] = {{true, true}, {true, false}, {false, true}};
enum { BLACKOUT_KINDS = sizeof BLACKOUTS / sizeof *BLACKOUTS };

static void black_out(struct blackout ways, double seconds)
{
    memory_network_block(session.network, ways.to_server, ways.to_clients);
    session_run(seconds);
    memory_network_block(session.network, false, false);
}

TEST(blackouts_of_up_to_3_s_one_way_and_both_resume_in_place)
{
    static const double seconds[] = {0.3, 1, 3};
    begin(5, &(struct impairment){.delay_us = 30000});
    for (size_t i = 0; i < COUNT_OF(seconds) * BLACKOUT_KINDS; i++) {
        uint32_t slot = client_slot(session.clients[0]);
        uint32_t generation = session.match->world.players[slot].generation;
        black_out(BLACKOUTS[i % BLACKOUT_KINDS], seconds[i / BLACKOUT_KINDS]);
        session_run(1);
        struct mark resumed = mark();
        session_run(2);
        held(resumed, 0, 60);
        session_check(client_slot(session.clients[0]) == slot);
        session_check(session.match->world.players[slot].generation == generation);
    }
}

TEST(a_blackout_is_reported_as_silence_until_it_ends)
{
    struct impairment good = {.delay_us = 30000}, dead = {.delay_us = 30000, .loss_ppm = 1000000};
    begin(8, &good);
    memory_network_impair(session.network, &dead);
    session_run(0.6);
    session_check(client_silence_us(session.clients[0], session_client_us(0)) >= 500000);
    memory_network_impair(session.network, &good);
    session_run(0.2);
    session_check(client_silence_us(session.clients[0], session_client_us(0)) <= 20000);
}

TEST(after_a_blackout_of_8_s_clients_rejoin_by_themselves)
{
    struct impairment good = {.delay_us = 30000}, dead = {.delay_us = 30000, .loss_ppm = 1000000};
    begin(9, &good);
    memory_network_impair(session.network, &dead);
    session_run(8);
    for (uint32_t i = 0; i < PLAYERS; i++) {
        session_check(client_state(session.clients[i]) == CLIENT_CONNECTING);
        session_check(strstr(client_status_text(session.clients[i]), "again") != NULL);
        struct client_retry retry;
        session_check(client_retry(session.clients[i], session_client_us(i), &retry));
        session_check(retry.attempt >= 1 && retry.attempt <= retry.attempts_max && retry.wait_us <= 2000000);
    }
    memory_network_impair(session.network, &good);
    session_run(5);
    struct mark back = mark();
    session_run(5);
    held(back, 0, 60);
    session_check(session.match->peer_count == PLAYERS);
}

// The server counts each connection from zero, in 16 bits; a client adds them up.
TEST(missed_inputs_add_up_over_connections)
{
    begin(15, &(struct impairment){.delay_us = 30000});
    black_out((struct blackout){.to_server = true}, 1);
    session_run(2);
    uint32_t before[PLAYERS];
    for (uint32_t i = 0; i < PLAYERS; i++) {
        before[i] = session_statistics(i).inputs_missed;
        session_check(before[i] >= 50 && before[i] < 70);
    }
    black_out(BLACKOUTS[0], 8);
    session_run(8);
    for (uint32_t i = 0; i < PLAYERS; i++) {
        uint32_t missed = session_statistics(i).inputs_missed;
        session_check(client_state(session.clients[i]) == CLIENT_PLAYING);
        session_check(missed >= before[i] && missed < before[i] + 10);
    }
}

TEST(a_removed_client_does_not_rejoin)
{
    begin(10, &(struct impairment){.delay_us = 30000});
    peer_drop(session.match, 0, DENY_KICKED);
    session_run(5);
    uint32_t ended = 0;
    for (uint32_t i = 0; i < PLAYERS; i++)
        ended += client_state(session.clients[i]) == CLIENT_ENDED;
    session_check(ended == 1 && session.match->peer_count == PLAYERS - 1);
}

TEST(clock_drift_of_500_ppm)
{
    session_begin(6, "duel", &(struct impairment){.delay_us = 30000, .jitter_us = 2000});
    for (uint32_t i = 0; i < PLAYERS; i++) {
        session.drift_ppm[i] = i % 2 ? 500 : -500;
        session_join(i, false);
    }
    session_run(SETTLE_S);
    struct mark start = mark();
    session_run(length_asked(120));
    held(start, 5, 59);
    for (uint32_t i = 0; i < PLAYERS; i++)
        session_check(session_statistics(i).clock_restarts == 0);
}

TEST(clocks_may_pass_32_bits_of_us_and_of_ms)
{
    session_begin(7, "duel", &(struct impairment){.delay_us = 30000});
    for (uint32_t i = 0; i < PLAYERS; i++) {
        uint64_t unit_us = i % 2 ? 1 : 1000;
        session.clock_start_us[i] = (UINT64_C(1) << 32) * unit_us - 7000000;
        session_join(i, false);
    }
    session_run(SETTLE_S);
    struct mark start = mark();
    session_run(5);
    held(start, 0, 60);
}

TEST(an_hour_of_16_clients_with_all_of_these)
{
    if (!getenv("DEADFALL_TEST_LONG"))
        skip(); // a long run: DEADFALL_TEST_LONG=1
    struct impairment bad = {
        .delay_us = 50000, .jitter_us = 10000, .loss_ppm = 50000, .duplicate_ppm = 20000, .reorder_ppm = 20000};
    struct impairment dead = {.delay_us = 50000, .loss_ppm = 1000000};
    session_begin(12, "foundry", &bad);
    session_join_first(16, PLAYERS); // those that predict join first
    session_run(SETTLE_S);
    for (int minute = 0; minute < 60; minute++) {
        struct mark start = mark();
        session_run(57);
        held(start, 50, 56);
        memory_network_impair(session.network, &dead);
        session_run(minute % 3 + 0.5);
        memory_network_impair(session.network, &bad);
        session_run(2);
    }
    session_check(session.match->peer_count == 16);
}
