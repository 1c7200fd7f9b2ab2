// SPDX-License-Identifier: MIT
//
// Matches that follow each other on the same connections: no client is dropped, and nothing from an old match is
// mistaken for the new one.
#include <stdio.h>
#include <string.h>

#include "game/map/tiled/map_file.h"
#include "memory_network.h"
#include "prepared_map.h"
#include "seeds.h"
#include "session.h"
#include "test.h"

EACH_TEST(NULL, session_end);

static struct map maps[2];

static void read_maps(void)
{
    static const char *const names[] = {"duel", "foundry"};
    for (int i = 0; i < 2; i++) {
        char path[1024];
        struct error error;
        assert_true(map_file_find(names[i], path, sizeof path) && map_file_read(path, &maps[i], &error));
    }
}

ALL_TESTS(read_maps, NULL);

static void change(uint32_t number)
{
    struct rules rules = {.mode = number % 3, .score_limit = 5, .seed = number};
    match_change(session.match, prepared_map(&maps[number % 2]), &rules, session_now_us());
}

static void all_play(uint32_t clients, uint32_t number)
{
    for (uint32_t i = 0; i < clients; i++) {
        session_check(client_state(session.clients[i]) == CLIENT_PLAYING);
        session_check(session_statistics(i).desyncs == 0);
        const struct map *map = client_map(session.clients[i]);
        session_check(!map || map_hash(map) == map_hash(&maps[number % 2]));
    }
    session_check(roster_count(&session.match->roster, SEAT_PLAYER) == clients);
    session_check(session.match->statistics.denials == 0 && session.match->statistics.malformed == 0);
}

TEST(twenty_changes_of_map_and_mode_in_a_row_drop_no_client)
{
    struct impairment bad = {
        .delay_us = 50000, .jitter_us = 10000, .loss_ppm = 50000, .duplicate_ppm = 20000, .reorder_ppm = 20000};
    session_begin(11, "foundry", &bad);
    session_join_first(16, 4);
    session_run(4);
    for (uint32_t number = 0; number < 20; number++) {
        tick before = session.match->world.tick;
        change(number);
        session_check(session.match->world.tick == before);
        session_run(3);
        all_play(16, number);
    }
}

TEST(a_change_during_another_change_works)
{
    session_begin(12, "duel", &(struct impairment){.delay_us = 80000, .loss_ppm = 20000});
    session_join_first(4, 4);
    session_run(2);
    for (uint32_t number = 0; number < 12; number++) {
        change(number);
        session_run(0.05 * number);
    }
    session_run(4);
    all_play(4, 11);
}

TEST(a_client_that_joins_during_a_change_gets_the_new_match)
{
    session_begin(13, "duel", &(struct impairment){.delay_us = 30000});
    session_join(0, false);
    session_run(1);
    for (uint32_t i = 1; i < 8; i++) {
        session_join(i, false);
        session_run(0.02 * i);
        change(i);
    }
    session_run(3);
    all_play(8, 7);
}

static void order(const struct command *command)
{
    session_check(match_enqueue_command(session.match, command));
    session_run(1);
}

// Inputs and snapshots are sent all the time, so all clients continue together.
TEST(a_pause_of_a_minute_is_the_same_for_all_clients_and_for_a_new_one)
{
    struct impairment bad = {.delay_us = 50000, .jitter_us = 10000, .loss_ppm = 50000, .reorder_ppm = 20000};
    session_begin(14, "foundry", &bad);
    session_join_first(6, 4);
    session_run(12);
    order(&(struct command){.kind = COMMAND_PAUSE, .paused = 1});
    struct round before = session.match->world.round;
    struct df_actor body = session.match->world.actors[0];
    uint64_t compared = session.worlds_compared;
    session_run(length_asked(60));
    session_check(session.worlds_compared > compared + 4 * length_asked(60) * 50);
    session_check(session.match->world.round.paused_ticks >=
                  before.paused_ticks + length_asked(60) * TICKS_PER_SECOND - 10);
    session_check(session.match->world.actors[0].x == body.x && session.match->world.actors[0].y == body.y);
    session_join(6, false);
    order(&(struct command){.kind = COMMAND_RULES,
                            .score_limit = 500,
                            .time_limit_ticks = 7200,
                            .friendly_fire = 1,
                            .bot_skill = SKILL_HARD});
    session_join(7, false);
    session_run(2);
    session_check(session.match->world.players[7].state == PLAYER_DEAD);
    order(&(struct command){.kind = COMMAND_PAUSE});
    session_run(5);
    for (uint32_t i = 0; i < 8; i++) {
        session_check(client_state(session.clients[i]) == CLIENT_PLAYING);
        session_check(session_statistics(i).desyncs == 0);
    }
    session_check(session.match->world.rules.score_limit == 500);
    session_check(session.match->statistics.denials == 0 && session.match->statistics.malformed == 0);
}

// The match continues at another tick, as if it had run for that long.
static void go_to_tick(tick number)
{
    struct rules rules = session.match->world.rules;
    world_begin(&session.match->world, &session.match->map, &rules, number);
}

TEST(a_match_after_tick_2_to_the_30th_counts_from_zero)
{
    struct impairment bad = {
        .delay_us = 50000, .jitter_us = 30000, .loss_ppm = 100000, .duplicate_ppm = 20000, .reorder_ppm = 300000};
    for (uint32_t seed = 14; seed < 14 + seeds_asked(8); seed++) {
        session_begin(seed, "duel", &bad);
        go_to_tick(MATCH_TICKS_OLD - TICKS_PER_SECOND - seed);
        session_join_first(8, 4);
        session_run(2);
        session_check(session.match->world.tick > MATCH_TICKS_OLD);
        for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) // full snapshots of the old match are also on their way
            session.match->peers[i].acknowledged = session.match->peers[i].full_tick = 0;
        session_run(0.03);
        uint64_t full_requests = session.match->statistics.full_requests;
        change(seed);
        session_check(session.match->world.tick == 0);
        session_run(4);
        all_play(8, seed);
        for (uint32_t i = 0; i < 8; i++)
            session_check(session_statistics(i).lead_ticks < TICKS_PER_SECOND / 2);
        // Late inputs of the old match must not hide the request from the server.
        memory_network_impair(session.network, &(struct impairment){.delay_us = 50000});
        session_run(0.5);
        session.match->world.players[0].stats.deaths++;
        session_run(0.5);
        session_check(session.match->statistics.full_requests > full_requests);
        for (uint32_t i = 0; i < 4; i++) {
            const struct world *confirmed = client_world_confirmed(session.clients[i]);
            session_check(confirmed && confirmed->tick + 10 > session.match->world.tick);
        }
    }
}

TEST(clients_join_and_play_up_to_the_last_tick_of_a_match)
{
    session_begin(23, "foundry", &(struct impairment){.delay_us = 50000, .loss_ppm = 50000});
    go_to_tick(MATCH_TICKS_MAX - 5 * TICKS_PER_SECOND);
    session_join_first(4, 4);
    session_run(4);
    session_join(4, false);
    session_run(3);
    session_check(session.match->world.tick > MATCH_TICKS_MAX);
    all_play(5, 1);
    session_check(session.match->statistics.inputs_missed < 60);
    change(1);
    session_run(2);
    session_check(session.match->world.tick < 3 * TICKS_PER_SECOND);
    all_play(5, 1);
}

// What a client has learned about a line that jitters holds in the next match as well.
TEST(a_change_of_the_map_costs_no_inputs)
{
    session_begin(31, "foundry", &(struct impairment){.delay_us = 50000, .jitter_us = 40000});
    for (uint32_t i = 0; i < 8; i++)
        session_join_person(i);
    session_run(12);
    uint64_t before = session.match->statistics.inputs_missed;
    for (uint32_t number = 0; number < 6; number++) {
        change(number);
        session_run(4);
        all_play(8, number);
    }
    session_check(session.match->statistics.inputs_missed - before < 8);
}
