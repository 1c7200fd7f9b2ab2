// SPDX-License-Identifier: MIT
//
// Whole matches over encrypted datagrams and ENet, in virtual time over bad networks.
#include <stdio.h>
#include <string.h>

#include "net/impairment.h"
#include "prepared_map.h"
#include "seeds.h"
#include "session.h"
#include "test.h"
#include "virtual_udp.h"

EACH_TEST(NULL, session_end);

enum { PLAYERS = 8 };

static const struct impairment good = {.delay_us = 30000}, dead = {.loss_ppm = 1000000};

static void begin(uint64_t seed, const struct impairment *line)
{
    session_begin_over_enet(seed, "foundry", line);
    session_join_first(PLAYERS, 4);
    session_run(4);
}

static void all_play(void)
{
    for (uint32_t i = 0; i < PLAYERS; i++) {
        session_check(client_state(session.clients[i]) == CLIENT_PLAYING);
        session_check(session_statistics(i).desyncs == 0);
    }
    session_check(roster_count(&session.match->roster, SEAT_PLAYER) == PLAYERS);
    session_check(session.match->statistics.denials == 0 && session.match->statistics.malformed == 0);
}

static void impair(const struct impairment *to_server, const struct impairment *to_clients)
{
    virtual_udp_impair(true, to_server);
    virtual_udp_impair(false, to_clients);
}

TEST(a_minute_over_a_bad_network_costs_no_world_and_few_inputs)
{
    begin(1,
          &(struct impairment){
              .delay_us = 50000, .jitter_us = 20000, .loss_ppm = 50000, .duplicate_ppm = 20000, .reorder_ppm = 20000});
    uint64_t compared = session.worlds_compared, missed = session.match->statistics.inputs_missed;
    session_run(length_asked(60));
    all_play();
    session_check(session.worlds_compared - compared > 4 * length_asked(60) * 50);
    session_check(session.match->statistics.inputs_missed - missed <
                  PLAYERS * length_asked(60) * TICKS_PER_SECOND / 200);
}

TEST(blackouts_of_up_to_3_s_resume_in_place)
{
    begin(2, &good);
    for (int dark = 1; dark <= 9; dark++) {
        impair(dark % 3 == 0 ? &good : &dead, dark % 3 == 1 ? &good : &dead);
        session_run(dark < 4 ? 0.3 : dark < 7 ? 1 : 3);
        impair(&good, &good);
        session_run(0.4);
        all_play();
        for (uint32_t i = 0; i < PLAYERS; i++)
            session_check(client_silence_us(session.clients[i], session_client_us(i)) < 100000);
    }
    session_check(session.match->statistics.joins == PLAYERS);
}

// Cookie, session, welcome with the map, and world each take a round trip; server and client answer in their ticks.
TEST(the_first_picture_comes_four_round_trips_after_joining)
{
    static const struct {
        uint32_t delay_ms, ticks;
    } rows[] = {{0, 3}, {25, 14}, {50, 26}, {100, 50}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        session_begin_over_enet(5, "foundry", &(struct impairment){.delay_us = rows[i].delay_ms * 1000});
        session_run(1);
        uint64_t begun = session.step;
        session_join(0, false);
        while (client_state(session.clients[0]) != CLIENT_PLAYING && session.step < begun + 10 * SESSION_STEPS)
            session_run(1.0 / SESSION_STEPS);
        uint64_t steps = session.step - begun, ticks = (steps * TICKS_PER_SECOND + SESSION_STEPS - 1) / SESSION_STEPS;
        if (ticks != rows[i].ticks)
            fail_msg("delay %u ms: %llu ticks", rows[i].delay_ms, (unsigned long long)ticks);
    }
}

// Returns the longest time in which a client got no snapshot, ticks.
static uint32_t longest_gap(uint32_t ticks)
{
    uint32_t before[PLAYERS], since[PLAYERS] = {0}, longest = 0;
    for (uint32_t i = 0; i < PLAYERS; i++)
        before[i] = session_statistics(i).snapshots;
    for (; ticks > 0; ticks--) {
        session_run(1.0 / TICKS_PER_SECOND);
        for (uint32_t i = 0; i < PLAYERS; i++) {
            uint32_t now = session_statistics(i).snapshots;
            since[i] = now != before[i] ? 0 : since[i] + 1;
            longest = since[i] > longest ? since[i] : longest;
            before[i] = now;
        }
    }
    return longest;
}

// A client's inputs pay for its snapshots until the server knows the new address.
TEST(clients_at_other_addresses_play_on)
{
    for (uint32_t delay_ms = 20; delay_ms <= 100; delay_ms += 40) {
        struct impairment line = {.delay_us = delay_ms * 1000};
        begin(6, &line);
        for (int moves = 0; moves < 3; moves++) {
            session_check(longest_gap(TICKS_PER_SECOND) <= 1);
            virtual_udp_move();
            session_check(longest_gap(TICKS_PER_SECOND) <= 2);
            all_play();
        }
        session_check(session.match->statistics.joins == PLAYERS);
    }
}

TEST(a_client_rejoins_after_a_longer_blackout)
{
    begin(3, &good);
    uint32_t slots[PLAYERS];
    for (uint32_t i = 0; i < PLAYERS; i++)
        slots[i] = client_slot(session.clients[i]);
    impair(&dead, &dead);
    session_run(8);
    impair(&good, &good);
    session_run(5);
    all_play();
    for (uint32_t i = 0; i < PLAYERS; i++)
        session_check(client_slot(session.clients[i]) == slots[i]);
    session_check(session.match->statistics.joins == 2 * PLAYERS);
}

TEST(a_long_answer_and_the_messages_after_it_arrive)
{
    enum { LINES = 30 };
    begin(4, &(struct impairment){.delay_us = 30000, .loss_ppm = 100000});
    for (uint32_t i = 0; i < LINES; i++) {
        char text[CHAT_LINE_BYTES_MAX];
        snprintf(text, sizeof text, "line %u", i);
        chat_broadcast_system(session.match, text);
    }
    session_run(5);
    for (uint32_t i = 0; i < PLAYERS; i++) {
        struct chat_line line;
        for (uint32_t number = 0; number < LINES; number++) {
            char text[CHAT_LINE_BYTES_MAX];
            snprintf(text, sizeof text, "line %u", number);
            session_check(client_chat_next(session.clients[i], &line) && strcmp(line.text, text) == 0);
        }
    }
    struct map map = session.match->map;
    match_change(session.match, prepared_map(&map), &session.match->world.rules, session_now_us());
    session_run(3);
    all_play();
}
