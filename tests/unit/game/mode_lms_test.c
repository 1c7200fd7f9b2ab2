// SPDX-License-Identifier: MIT
// Tests last man standing: one life per round, and walls that close in.
#include "game/entities/entities.h"
#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static const char *const HALL[] = {"########################", "#......................#", "#......................#",
                                   "#.S....S......S......S.#", "########################", NULL};

static void step_to(enum round_phase phase)
{
    for (int i = 0; i < 8000 && match.world.round.phase != (uint32_t)phase; i++)
        test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, phase);
}

static void begin(uint32_t players)
{
    test_match_draw(&match, HALL);
    test_match_start_mode(&match, MODE_LMS);
    match.world.rules.score_limit = 2;
    for (uint32_t slot = 0; slot < players; slot++)
        test_match_put(&match, slot, 20 + 40 * (int32_t)slot, 32);
    step_to(ROUND_PLAYING);
}

// Puts a player far outside of the map, where they die.
static void lose(uint32_t slot)
{
    test_match_body(&match, slot)->y = 5000;
}

TEST(the_last_survivor_gets_the_point_and_the_dead_wait)
{
    begin(3);
    lose(0);
    test_match_step(&match, 300);
    assert_int_equal(match.world.players[0].state, PLAYER_DEAD);
    assert_int_equal(match.world.round.phase, ROUND_PLAYING);
    lose(2);
    test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, ROUND_OVER);
    assert_int_equal(match.world.round.winner, 2);
    assert_int_equal(match.world.players[1].score, 1);
    assert_int_equal(match.world.players[0].score, 0); // a death costs nothing here
    step_to(ROUND_COUNTDOWN);
    assert_int_equal(match.world.round.number, 1);
    step_to(ROUND_PLAYING);
    assert_int_equal(match.world.players[0].state, PLAYER_ALIVE);
    assert_int_equal(match.world.players[0].stats.deaths, 1); // the counts of the match continue in the next round
}

TEST(the_player_who_wins_enough_rounds_wins_the_match)
{
    begin(2);
    match.world.players[1].score = 1;
    lose(0);
    test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, ROUND_MATCH_OVER);
    assert_int_equal(match.world.round.winner, 2);
    assert_int_equal(match.world.players[1].score, 2);
}

TEST(a_round_is_a_draw_if_the_last_players_die_in_one_tick)
{
    begin(2);
    lose(0);
    lose(1);
    test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, ROUND_OVER);
    assert_int_equal(match.world.round.winner, 0);
    assert_int_equal(match.world.players[0].score + match.world.players[1].score, 0);
}

TEST(a_player_who_joins_in_a_round_waits_for_the_next)
{
    begin(2);
    assert_true(world_command(&match.world, &match.map, &(struct command){.kind = COMMAND_JOIN, .slot = 2}));
    test_match_step(&match, 200);
    assert_int_equal(match.world.players[2].state, PLAYER_DEAD);
    lose(0);
    step_to(ROUND_COUNTDOWN);
    test_match_step(&match, 2);
    assert_int_equal(match.world.players[2].state, PLAYER_ALIVE);
}

TEST(at_the_time_limit_the_round_is_played_to_its_end)
{
    begin(2);
    match.world.rules.time_limit_ticks = 60;
    match.world.rules.score_limit = 0;
    test_match_step(&match, 100);
    assert_int_equal(match.world.round.phase, ROUND_PLAYING);
    lose(1);
    test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, ROUND_MATCH_OVER);
    assert_int_equal(match.world.round.winner, 1);
}

TEST(after_a_minute_walls_close_in_push_and_squish)
{
    begin(3);
    uint32_t left = (uint32_t)match.map.solid_count, right = left + 1;
    test_match_step(&match, TUNING.sudden_death_after_ticks - 1);
    assert_int_equal(match.world.solids[left].flags, 0);
    test_match_forget(&match);
    test_match_step(&match, 1);
    assert_non_null(test_match_event(&match, EVENT_CLOSING));
    assert_int_equal(match.world.solids[left].flags, DF_SOLID_PRESENT);
    test_match_step(&match, TUNING.sudden_death_closing_ticks / 2 - 1);
    const struct df_solid *walls = match.world.solids;
    assert_int_equal(walls[left].x + walls[left].w, 48); // half of the half of 192 px
    assert_int_equal(walls[right].x, 144);
    for (uint32_t slot = 0; slot < 3; slot++)
        if (match.world.players[slot].state == PLAYER_ALIVE) {
            assert_true(test_match_body(&match, slot)->x >= 48);
            assert_true(test_match_body(&match, slot)->x + TUNING.body_w_px <= 144);
        }
    assert_true(world_validate(&match.world, &match.map));
    test_match_forget(&match);
    step_to(ROUND_OVER);
    assert_true(match.world.round.sudden_death_ticks <= TUNING.sudden_death_closing_ticks);
    assert_int_equal(test_match_event(&match, EVENT_KILL)->detail, DEATH_SQUISH);
    step_to(ROUND_COUNTDOWN);
    assert_int_equal(match.world.solids[left].flags, 0);
    assert_int_equal(match.world.round.sudden_death_ticks, 0);
}

TEST(other_modes_have_no_sudden_death)
{
    test_match_draw(&match, HALL);
    test_match_start_mode(&match, MODE_TEAMS);
    assert_int_equal(match.world.solid_count, match.map.solid_count);
}

TEST(on_a_map_that_wraps_the_walls_come_from_the_seam)
{
    begin(0 + 2);
    match.map.outside = DF_OUTSIDE_WRAP;
    test_match_start_mode(&match, MODE_LMS);
    test_match_put(&match, 0, 60, 32);
    test_match_put(&match, 1, 120, 32);
    step_to(ROUND_PLAYING);
    test_match_step(&match, TUNING.sudden_death_after_ticks + TUNING.sudden_death_closing_ticks / 2);
    const struct df_solid *walls = &match.world.solids[match.map.solid_count];
    assert_true(walls[0].x >= 39 && walls[0].x <= 41);
    assert_true(walls[1].x >= 135 && walls[1].x <= 137);
    assert_true(world_validate(&match.world, &match.map));
}
