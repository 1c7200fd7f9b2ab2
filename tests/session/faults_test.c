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

enum { PLAYERS = 4, SETTLE_S = 5 };

static struct session session;
static struct view view;

// The counts at the beginning of a measurement.
struct mark {
    uint64_t step;
    uint32_t missed[PLAYERS], snapshots[PLAYERS];
};

static const struct peer *peer_of(uint32_t index)
{
    uint32_t slot = client_slot(session.clients[index]);
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++)
        if (session.match->peers[i].state == PEER_PLAYING && session.match->peers[i].slot == slot)
            return &session.match->peers[i];
    return NULL;
}

static struct mark mark(void)
{
    struct mark mark = {.step = session.step};
    for (uint32_t i = 0; i < PLAYERS; i++) {
        const struct peer *peer = peer_of(i);
        session_check(&session, peer != NULL);
        mark.missed[i] = peer ? peer->inputs.missed : 0;
        mark.snapshots[i] = session_statistics(&session, i).snapshots;
    }
    return mark;
}

static void begin(uint64_t seed, const struct impairment *impairment)
{
    session_begin(&session, seed, "foundry", impairment);
    for (uint32_t i = 0; i < PLAYERS; i++)
        session_join(&session, i, false);
    session_run(&session, SETTLE_S);
}

// Checks that since the mark no client saw a desync, at most so many inputs in 10,000 were missed, and at least so many
// snapshots a second were decoded.
static void held(struct mark since, uint32_t missed_max, uint32_t snapshots_per_s)
{
    struct mark now = mark();
    uint64_t ticks = (session.step - since.step) * TICKS_PER_SECOND / SESSION_STEPS;
    for (uint32_t i = 0; i < PLAYERS; i++) {
        session_check(&session, client_state(session.clients[i]) == CLIENT_PLAYING);
        session_check(&session, session_statistics(&session, i).desyncs == 0);
        session_check(&session, (now.missed[i] - since.missed[i]) * UINT64_C(10000) <= ticks * missed_max);
        session_check(&session, (now.snapshots[i] - since.snapshots[i]) * UINT64_C(60) >= ticks * snapshots_per_s);
    }
}

static void survives(const struct impairment *impairment, uint32_t missed_max, uint32_t snapshots_per_s)
{
    for (uint64_t seed = 1; seed <= seeds_asked(2); seed++) {
        begin(seed, impairment);
        struct mark start = mark();
        session_run(&session, 30);
        held(start, missed_max, snapshots_per_s);
        session_end(&session);
    }
}

TEST(loss_of_1_percent)
{
    survives(&(struct impairment){.delay_us = 30000, .jitter_us = 5000, .loss_ppm = 10000}, 20, 58);
}

TEST(loss_of_5_percent)
{
    survives(&(struct impairment){.delay_us = 30000, .jitter_us = 10000, .loss_ppm = 50000}, 50, 55);
}

TEST(loss_of_10_percent)
{
    survives(&(struct impairment){.delay_us = 30000, .jitter_us = 10000, .loss_ppm = 100000}, 100, 52);
}

TEST(loss_of_25_percent)
{
    survives(&(struct impairment){.delay_us = 30000, .jitter_us = 10000, .loss_ppm = 250000}, 400, 40);
}

TEST(duplication_of_25_percent)
{
    survives(&(struct impairment){.delay_us = 30000, .duplicate_ppm = 250000}, 0, 60);
}

TEST(reordering_by_100_ms)
{
    survives(&(struct impairment){.delay_us = 30000, .reorder_ppm = 50000}, 20, 59);
}

TEST(jitter_to_100_ms)
{
    // Each packet has its own jitter. Overtaken ones come too late, so few are decoded.
    survives(&(struct impairment){.delay_us = 20000, .jitter_us = 100000}, 50, 59);
}

// Returns the missed inputs of all players since the mark.
static uint32_t missed_since(struct mark since)
{
    struct mark now = mark();
    uint32_t missed = 0;
    for (uint32_t i = 0; i < PLAYERS; i++)
        missed += now.missed[i] - since.missed[i];
    return missed;
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
        session_run(&session, ticks / 60.0);
        memory_network_block(session.network, false, false);
        session_run(&session, 0.08 + 0.02);
        session_check(&session, missed_since(before) <= PLAYERS * ticks);
        struct mark after = mark();
        session_run(&session, 1.5);
        held(after, 0, 60);
    }
    session_end(&session);
}

// Returns the largest distance that the own player moves between two frames, sub, without deaths and spawns.
static int32_t farthest_frame_sub(uint32_t index, double seconds)
{
    int32_t farthest = 0;
    struct view_point before = {0};
    uint32_t deaths_before = UINT32_MAX;
    for (int frame = 0; frame < (int)(seconds * 60); frame++) {
        session_run(&session, 1 / 60.0);
        session_check(&session, client_view(session.clients[index], session_client_us(&session, index), &view));
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
    session_check(&session, farthest_frame_sub(0, 2) <= 24 * 256); // two bodies
    struct mark adapted = mark();
    session_run(&session, 10);
    held(adapted, 0, 60);
    memory_network_impair(session.network, &near);
    session_check(&session, farthest_frame_sub(0, 2) <= 24 * 256);
    adapted = mark();
    session_run(&session, 10);
    held(adapted, 0, 60);
    session_end(&session);
}

// The directions that a blackout blocks.
static const struct blackout {
    bool to_server, to_clients;
} BLACKOUTS[] = {{true, true}, {true, false}, {false, true}};
enum { BLACKOUT_KINDS = sizeof BLACKOUTS / sizeof *BLACKOUTS };

static void black_out(struct blackout ways, double seconds)
{
    memory_network_block(session.network, ways.to_server, ways.to_clients);
    session_run(&session, seconds);
    memory_network_block(session.network, false, false);
}

static void resumes_in_place_after(struct blackout ways, double seconds)
{
    uint32_t slot = client_slot(session.clients[0]);
    uint32_t generation = session.match->world.players[slot].generation;
    black_out(ways, seconds);
    session_run(&session, 1);
    struct mark resumed = mark();
    session_run(&session, 2);
    held(resumed, 0, 60);
    session_check(&session, client_slot(session.clients[0]) == slot);
    session_check(&session, session.match->world.players[slot].generation == generation);
}

TEST(blackouts_of_up_to_3_s_one_way_and_both_resume_in_place)
{
    static const double seconds[] = {0.3, 1, 3};
    begin(5, &(struct impairment){.delay_us = 30000});
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
        for (size_t j = 0; j < BLACKOUT_KINDS; j++)
            resumes_in_place_after(BLACKOUTS[j], seconds[i]);
    session_end(&session);
}

TEST(a_blackout_is_reported_as_silence_until_it_ends)
{
    struct impairment good = {.delay_us = 30000}, dead = {.delay_us = 30000, .loss_ppm = 1000000};
    begin(8, &good);
    memory_network_impair(session.network, &dead);
    session_run(&session, 0.6);
    session_check(&session, client_silence_us(session.clients[0], session_client_us(&session, 0)) >= 500000);
    memory_network_impair(session.network, &good);
    session_run(&session, 0.2);
    session_check(&session, client_silence_us(session.clients[0], session_client_us(&session, 0)) <= 20000);
    session_end(&session);
}

TEST(after_a_blackout_of_8_s_clients_rejoin_by_themselves)
{
    struct impairment good = {.delay_us = 30000}, dead = {.delay_us = 30000, .loss_ppm = 1000000};
    begin(9, &good);
    memory_network_impair(session.network, &dead);
    session_run(&session, 8);
    for (uint32_t i = 0; i < PLAYERS; i++) {
        session_check(&session, client_state(session.clients[i]) == CLIENT_CONNECTING);
        session_check(&session, strstr(client_status_text(session.clients[i]), "again") != NULL);
        struct client_retry retry;
        session_check(&session, client_retry(session.clients[i], session_client_us(&session, i), &retry));
        session_check(&session, retry.attempt >= 1 && retry.attempt <= retry.attempts_max && retry.wait_us <= 2000000);
    }
    memory_network_impair(session.network, &good);
    session_run(&session, 5);
    struct mark back = mark();
    session_run(&session, 5);
    held(back, 0, 60);
    session_check(&session, session.match->peer_count == PLAYERS);
    session_end(&session);
}

// The server counts each connection from zero, in 16 bits; a client adds them up.
TEST(missed_inputs_add_up_over_connections)
{
    begin(15, &(struct impairment){.delay_us = 30000});
    black_out((struct blackout){.to_server = true}, 1);
    session_run(&session, 2);
    uint32_t before[PLAYERS];
    for (uint32_t i = 0; i < PLAYERS; i++) {
        before[i] = session_statistics(&session, i).inputs_missed;
        session_check(&session, before[i] >= 50 && before[i] < 70);
    }
    black_out(BLACKOUTS[0], 8);
    session_run(&session, 8);
    for (uint32_t i = 0; i < PLAYERS; i++) {
        uint32_t missed = session_statistics(&session, i).inputs_missed;
        session_check(&session, client_state(session.clients[i]) == CLIENT_PLAYING);
        session_check(&session, missed >= before[i] && missed < before[i] + 10);
    }
    session_end(&session);
}

TEST(a_removed_client_does_not_rejoin)
{
    begin(10, &(struct impairment){.delay_us = 30000});
    peer_drop(session.match, 0, DENY_KICKED);
    session_run(&session, 5);
    uint32_t ended = 0;
    for (uint32_t i = 0; i < PLAYERS; i++)
        ended += client_state(session.clients[i]) == CLIENT_ENDED;
    session_check(&session, ended == 1 && session.match->peer_count == PLAYERS - 1);
    session_end(&session);
}

TEST(clock_drift_of_500_ppm)
{
    session_begin(&session, 6, "duel", &(struct impairment){.delay_us = 30000, .jitter_us = 2000});
    for (uint32_t i = 0; i < PLAYERS; i++) {
        session.drift_ppm[i] = i % 2 ? 500 : -500;
        session_join(&session, i, false);
    }
    session_run(&session, SETTLE_S);
    struct mark start = mark();
    session_run(&session, length_asked(120));
    held(start, 5, 59);
    for (uint32_t i = 0; i < PLAYERS; i++)
        session_check(&session, session_statistics(&session, i).clock_restarts == 0);
    session_end(&session);
}

TEST(clocks_may_pass_32_bits_of_us_and_of_ms)
{
    session_begin(&session, 7, "duel", &(struct impairment){.delay_us = 30000});
    for (uint32_t i = 0; i < PLAYERS; i++) {
        uint64_t unit_us = i % 2 ? 1 : 1000;
        session.clock_start_us[i] = (UINT64_C(1) << 32) * unit_us - 7000000;
        session_join(&session, i, false);
    }
    session_run(&session, SETTLE_S);
    struct mark start = mark();
    session_run(&session, 5);
    held(start, 0, 60);
    session_end(&session);
}

TEST(an_hour_of_16_clients_with_all_of_these)
{
    if (!getenv("DEADFALL_TEST_LONG"))
        skip(); // a long run: DEADFALL_TEST_LONG=1
    struct impairment bad = {
        .delay_us = 50000, .jitter_us = 10000, .loss_ppm = 50000, .duplicate_ppm = 20000, .reorder_ppm = 20000};
    struct impairment dead = {.delay_us = 50000, .loss_ppm = 1000000};
    session_begin(&session, 12, "foundry", &bad);
    for (uint32_t i = 0; i < 16; i++)
        session_join(&session, i, i >= PLAYERS); // those that predict join first
    session_run(&session, SETTLE_S);
    for (int minute = 0; minute < 60; minute++) {
        struct mark start = mark();
        session_run(&session, 57);
        held(start, 50, 56);
        memory_network_impair(session.network, &dead);
        session_run(&session, minute % 3 + 0.5);
        memory_network_impair(session.network, &bad);
        session_run(&session, 2);
    }
    session_check(&session, session.match->peer_count == 16);
    session_end(&session);
}
