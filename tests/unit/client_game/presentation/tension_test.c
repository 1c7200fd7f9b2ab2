// SPDX-License-Identifier: MIT
#include <string.h>

#include "game/state.h"
#include "presentation/presenter.h"
#include "test.h"

static struct world world;

// `alive` of `players` live, and the best of them has `score` points.
static void start(enum mode mode, enum round_phase phase, uint32_t players, uint32_t alive, int32_t score)
{
    memset(&world, 0, sizeof world);
    world.tick = 100000;
    world.rules = (struct rules){.mode = mode, .score_limit = 5};
    world.round = (struct round){.phase = phase, .since_tick = 99000};
    world.player_slots = players;
    for (uint32_t slot = 0; slot < players; slot++)
        world.players[slot] = (struct player){.state = slot < alive ? PLAYER_ALIVE : PLAYER_DEAD};
    world.players[0].score = score;
}

TEST(it_grows_as_players_die_and_points_are_made)
{
    static const struct {
        enum mode mode;
        enum round_phase phase;
        uint32_t players, alive;
        int32_t score;
        uint32_t tension;
    } rows[] = {
        /* 1 */ {MODE_LMS, ROUND_WARMUP, 8, 2, 4, 0},
        /* 2 */ {MODE_LMS, ROUND_COUNTDOWN, 8, 8, 0, 48},
        /* 3 */ {MODE_LMS, ROUND_PLAYING, 8, 8, 0, 96},
        /* 4 */ {MODE_LMS, ROUND_PLAYING, 8, 5, 0, 96},
        /* 5 */ {MODE_LMS, ROUND_PLAYING, 8, 4, 0, 144},
        /* 6 */ {MODE_LMS, ROUND_PLAYING, 8, 2, 0, 208},
        /* 7 */ {MODE_LMS, ROUND_PLAYING, 8, 2, 4, 256},
        /* 8 */ {MODE_LMS, ROUND_PLAYING, 2, 2, 0, 96},
        /* 9 */ {MODE_FFA, ROUND_PLAYING, 8, 2, 0, 96},
        /* 10 */ {MODE_FFA, ROUND_PLAYING, 8, 8, 3, 96},
        /* 11 */ {MODE_FFA, ROUND_PLAYING, 8, 8, 4, 160},
        /* 12 */ {MODE_TEAMS, ROUND_PLAYING, 8, 8, 4, 96}, // the points of a player are not those of the team
        /* 13 */ {MODE_LMS, ROUND_OVER, 8, 1, 4, 48},
        /* 14 */ {MODE_LMS, ROUND_MATCH_OVER, 8, 1, 5, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(rows[i].mode, rows[i].phase, rows[i].players, rows[i].alive, rows[i].score);
        if (tension_of(&world) != rows[i].tension)
            fail_msg("row %zu: %u", i + 1, tension_of(&world));
    }
}

TEST(it_grows_as_time_runs_out)
{
    static const struct {
        enum mode mode;
        uint32_t left_s, tension;
    } rows[] = {
        /* 1 */ {MODE_FFA, 31, 96},  /* 2 */ {MODE_FFA, 30, 160}, /* 3 */ {MODE_FFA, 11, 160},
        /* 4 */ {MODE_FFA, 10, 208}, /* 5 */ {MODE_FFA, 0, 208},  /* 6 */ {MODE_TEAMS, 10, 208},
        /* 7 */ {MODE_LMS, 10, 96}, // ends after the round
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(rows[i].mode, ROUND_PLAYING, 4, 4, 0);
        world.rules.time_limit_ticks = 1000 + rows[i].left_s * TICKS_PER_SECOND;
        if (tension_of(&world) != rows[i].tension)
            fail_msg("row %zu: %u", i + 1, tension_of(&world));
    }
    world.round.since_tick = 0; // long over
    assert_int_equal(tension_of(&world), 96);
}

TEST(sudden_death_is_the_most_and_a_team_has_its_match_point)
{
    start(MODE_LMS, ROUND_PLAYING, 4, 4, 0);
    world.round.sudden_death_ticks = 1;
    assert_int_equal(tension_of(&world), TENSION_MAX);
    start(MODE_TEAMS, ROUND_PLAYING, 4, 4, 0);
    world.round.team_scores[1] = 4;
    assert_int_equal(tension_of(&world), 160);
    world.rules.score_limit = 0;
    assert_int_equal(tension_of(&world), 96);
}
