// SPDX-License-Identifier: MIT
//
// How good guesses about other players are: computer players are predicted exactly.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "map/tiled/map_file.h"
#include "map/tiled/tiled.h"
#include "memory_network.h"
#include "session.h"

enum { SETTLE_S = 5 };

static struct session session;

static void begin(uint64_t seed, const char *map, enum mode mode, enum skill skill, uint32_t bots)
{
    struct match_config config = {.rules = {.mode = mode, .bot_skill = skill}, .bots = bots};
    session_begin_match(&session, seed, map, &(struct impairment){.delay_us = 50000}, &config);
}

// Checks that a client who plays alone against bots makes no wrong guess in this time.
static void nothing_is_stepped_again(double seconds)
{
    uint32_t before = session_statistics(&session, 0).resimulations, events = session.match->world.event_count;
    session_run(&session, seconds);
    session_check(&session, session_statistics(&session, 0).resimulations == before);
    session_check(&session, session.match->world.event_count > events + (uint32_t)seconds); // they play
}

static void bots_are_predicted_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *map;
        enum mode mode;
        enum skill skill;
    } rows[] = {
        {"foundry", MODE_FFA, SKILL_HARD},     {"duel", MODE_LMS, SKILL_NORMAL},
        {"clockwork", MODE_TEAMS, SKILL_EASY}, {"breakout", MODE_BREAKOUT, SKILL_HARD},
        {"skyline", MODE_FFA, SKILL_RANDOM},
    };
    for (uint64_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(i + 1, rows[i].map, rows[i].mode, rows[i].skill, 9);
        session_join(&session, 0, false);
        session_run(&session, SETTLE_S);
        nothing_is_stepped_again(30);
        session_end(&session);
    }
}

// The first bots come to a server whose map began without any, so both sides build the graph only then.
static void bots_that_join_later_are_predicted_exactly(void **state)
{
    (void)state;
    begin(7, "foundry", MODE_FFA, SKILL_HARD, 0);
    session_join(&session, 0, false);
    session_run(&session, SETTLE_S);
    session.match->bots = 6;
    session_run(&session, 1);
    nothing_is_stepped_again(20);
    session_end(&session);
}

static void another_skill_is_known_to_clients(void **state)
{
    (void)state;
    begin(8, "foundry", MODE_FFA, SKILL_EASY, 9);
    session_join(&session, 0, false);
    session_run(&session, SETTLE_S);
    match_enqueue_command(session.match, &(struct command){.kind = COMMAND_RULES, .bot_skill = SKILL_HARD});
    session_run(&session, 1);
    session_check(&session, client_world(session.clients[0])->rules.bot_skill == SKILL_HARD);
    nothing_is_stepped_again(20);
    session_end(&session);
}

static void bots_are_predicted_on_the_next_map_too(void **state)
{
    (void)state;
    static struct map map;
    char path[512];
    struct error error;
    session_check(&session, map_file_find("clockwork", path, sizeof path) && tiled_read(path, &map, &error));
    begin(9, "foundry", MODE_FFA, SKILL_HARD, 9);
    session_join(&session, 0, false);
    session_run(&session, SETTLE_S);
    match_change(session.match, &map, &session.match->world.rules, session.step * 1000000 / SESSION_STEPS);
    session_run(&session, SETTLE_S);
    nothing_is_stepped_again(20);
    session_end(&session);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(bots_are_predicted_exactly),
        cmocka_unit_test(bots_that_join_later_are_predicted_exactly),
        cmocka_unit_test(another_skill_is_known_to_clients),
        cmocka_unit_test(bots_are_predicted_on_the_next_map_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
