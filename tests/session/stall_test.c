// SPDX-License-Identifier: MIT
//
// A stall of the server, of a client or of the line is over when it is over: half a second later an input takes as long
// to its acknowledgement as before.
#include <stdlib.h>

#include "base/random.h"
#include "seeds.h"
#include "session.h"
#include "test.h"

EACH_TEST(NULL, session_end);

enum { PLAYERS = 2, SETTLE_S = 5, QUANTUM_US = 1000000 / SESSION_STEPS };

static const uint32_t STALLS_MS[] = {50, 100, 220, 500, 1000};
enum { STALL_COUNT = sizeof STALLS_MS / sizeof *STALLS_MS };

static void begin(uint64_t seed, const struct impairment *impairment)
{
    session_begin(seed, "duel", impairment);
    session_join_first(PLAYERS, PLAYERS);
    session_run(SETTLE_S);
}

// Passes time, and writes for each client how long its inputs took on average to be acknowledged.
static void measure(double seconds, int64_t *mean_us)
{
    uint64_t total_us[PLAYERS] = {0}, acks[PLAYERS] = {0};
    for (int ticks = (int)(seconds * 60); ticks > 0; ticks--) {
        struct client_statistics before[PLAYERS];
        for (uint32_t i = 0; i < PLAYERS; i++)
            before[i] = session_statistics(i);
        session_run(1 / 60.0);
        for (uint32_t i = 0; i < PLAYERS; i++) {
            struct client_statistics now = session_statistics(i);
            total_us[i] += now.input_acks > before[i].input_acks ? now.input_ack_us : 0;
            acks[i] += now.input_acks > before[i].input_acks;
        }
    }
    for (uint32_t i = 0; i < PLAYERS; i++) {
        session_check(acks[i] > 0);
        mean_us[i] = (int64_t)(total_us[i] / (acks[i] ? acks[i] : 1));
    }
}

static uint32_t missed(void)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < PLAYERS; i++)
        count += session_statistics(i).inputs_missed;
    return count;
}

static void stall_server(uint32_t ms)
{
    session_stall_server(ms);
    session_run(ms / 1000.0);
}

static void stall_clients(uint32_t ms)
{
    for (uint32_t i = 0; i < PLAYERS; i++)
        session_stall_client(i, ms);
    session_run(ms / 1000.0);
}

static void hold_line(uint32_t ms)
{
    session_hold_line(ms);
    session_run(ms / 1000.0);
}

static void cut_line(uint32_t ms)
{
    memory_network_block(session.network, true, true);
    session_run(ms / 1000.0);
    memory_network_block(session.network, false, false);
}

static void cut_line_to_server(uint32_t ms)
{
    memory_network_block(session.network, true, false);
    session_run(ms / 1000.0);
    memory_network_block(session.network, false, false);
}

static void cut_line_to_clients(uint32_t ms)
{
    memory_network_block(session.network, false, true);
    session_run(ms / 1000.0);
    memory_network_block(session.network, false, false);
}

// Checks that half a second after some stalls in a row everything is as before, and that nothing else is missed then.
static void are_over_soon(void (*stall)(uint32_t ms), uint32_t ms, int count)
{
    int64_t before_us[PLAYERS], after_us[PLAYERS];
    measure(1, before_us);
    for (; count > 0; count--) {
        stall(ms);
        session_run(0.5);
    }
    uint32_t missed_before = missed();
    measure(0.3, after_us);
    for (uint32_t i = 0; i < PLAYERS; i++) {
        int64_t most_us = before_us[i] / 10 + QUANTUM_US, more_us = after_us[i] - before_us[i];
        if (llabs(more_us) > most_us)
            print_error("%u ms: %d us before, %d us after\n", ms, (int)before_us[i], (int)after_us[i]);
        session_check(llabs(more_us) <= most_us);
        session_check(session_statistics(i).desyncs == 0);
        session_check(session_statistics(i).clock_restarts == 0);
    }
    session_check(missed() == missed_before);
    session_run(2);
}

static void last_no_longer(void (*stall)(uint32_t ms))
{
    for (uint32_t delay_ms = 25; delay_ms <= 50; delay_ms += 25) {
        begin(delay_ms, &(struct impairment){.delay_us = delay_ms * 1000, .jitter_us = 2000});
        for (size_t i = 0; i < STALL_COUNT; i++)
            are_over_soon(stall, STALLS_MS[i], 1);
        are_over_soon(stall, 220, 4);
    }
}

TEST(a_stall_of_the_server)
{
    last_no_longer(stall_server);
}

TEST(a_stall_of_the_server_over_enet)
{
    session_begin_over_enet(1, "duel", &(struct impairment){.delay_us = 25000, .jitter_us = 2000});
    session_join_first(PLAYERS, PLAYERS);
    session_run(SETTLE_S);
    for (size_t i = 0; i < STALL_COUNT; i++)
        are_over_soon(stall_server, STALLS_MS[i], 1);
}

TEST(a_stall_of_the_clients)
{
    last_no_longer(stall_clients);
}

TEST(a_line_that_is_held)
{
    last_no_longer(hold_line);
}

TEST(a_line_that_is_cut)
{
    last_no_longer(cut_line);
}

TEST(a_line_that_is_cut_to_the_server)
{
    last_no_longer(cut_line_to_server);
}

TEST(a_line_that_is_cut_to_the_clients)
{
    last_no_longer(cut_line_to_clients);
}

// Stutters of 5 to 40 ms, one a second on average at the server and at each client.
TEST(machines_that_stutter_miss_few_inputs)
{
    enum { SECONDS = 60 };
    for (uint64_t seed = 1; seed <= seeds_asked(3); seed++) {
        uint64_t random = seed;
        begin(seed, &(struct impairment){.delay_us = 30000, .jitter_us = 10000, .loss_ppm = 50000});
        uint32_t missed_before = missed();
        for (int step = 0; step < SECONDS * SESSION_STEPS; step++) {
            for (uint32_t i = 0; i <= PLAYERS; i++) {
                uint64_t dice = random_next64(&random);
                uint32_t ms = 5 + (uint32_t)(dice >> 32) % 36;
                if (dice % SESSION_STEPS != 0)
                    continue;
                if (i < PLAYERS)
                    session_stall_client(i, ms);
                else
                    session_stall_server(ms);
            }
            session_run(1.0 / SESSION_STEPS);
        }
        uint32_t count = missed() - missed_before;
        session_check(count * 200 < SECONDS * 60 * PLAYERS);
    }
}
