// SPDX-License-Identifier: MIT
// Tests breakout: a ball over the goal line behind a wall wins the round for the other team.
#include "game/rules/mode.h"
#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static void begin(void)
{
    test_map_court(&match.map);
    test_match_start_mode(&match, MODE_BREAKOUT);
    match.world.rules.score_limit = 2;
    for (uint32_t slot = 0; slot < 2; slot++)
        test_match_put(&match, slot, 100 + 100 * (int32_t)slot, 88);
    match.world.round.phase = ROUND_PLAYING;
}

static void put_ball(int32_t x)
{
    match.world.balls[0].cx = x * DF_SUB;
    match.world.balls[0].cy = 20 * DF_SUB;
    match.world.balls[0].vx = match.world.balls[0].vy = 0;
}

TEST(a_goal_counts_when_the_centre_of_the_ball_is_over_the_line)
{
    static const struct {
        int32_t x;
        uint32_t winner;
    } rows[] = {
        /* 1 */ {160, 0}, // in the middle
        /* 2 */ {16, 0},  // in the wall of team 1, right before the line
        /* 3 */ {15, 2},  // the last pixel column of tile column 1
        /* 4 */ {303, 0}, // in the wall of team 2
        /* 5 */ {304, 1}, // the first of tile column 38
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin();
        for (uint32_t word = 0; word < match.world.broken_words; word++)
            match.world.broken[word] = UINT32_MAX; // nothing is in the way
        put_ball(rows[i].x);
        test_match_step(&match, 1);
        assert_int_equal(match.world.round.phase, rows[i].winner != 0 ? ROUND_OVER : ROUND_PLAYING);
        assert_int_equal(match.world.round.winner_team, rows[i].winner);
        if (rows[i].winner != 0)
            assert_int_equal(match.world.round.team_scores[rows[i].winner - 1], 1);
    }
}

TEST(the_next_round_begins_with_whole_walls_and_a_centred_ball)
{
    begin();
    match.world.broken[1] = 1;
    put_ball(12);
    test_match_step(&match, 1 + TUNING.round_over_ticks);
    assert_int_equal(match.world.round.phase, ROUND_COUNTDOWN);
    assert_int_equal(match.world.broken[1], 0);
    assert_int_equal(match.world.balls[0].cx, 160 * DF_SUB);
}

TEST(enough_rounds_win_the_match)
{
    begin();
    match.world.round.team_scores[1] = 1;
    put_ball(12);
    test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, ROUND_MATCH_OVER);
    assert_int_equal(match.world.round.winner_team, 2);
}

TEST(a_round_without_a_goal_is_a_draw)
{
    begin();
    put_ball(160);
    match.world.tick += TUNING.breakout_round_ticks - 1;
    test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, ROUND_OVER);
    assert_int_equal(match.world.round.winner_team, 0);
    assert_int_equal(match.world.round.team_scores[0] + match.world.round.team_scores[1], 0);
}

TEST(a_map_without_balls_or_goals_is_refused)
{
    test_map_court(&match.map);
    assert_null(mode_validate_map(MODE_BREAKOUT, &match.map));
    match.map.ball_count = 0;
    assert_non_null(mode_validate_map(MODE_BREAKOUT, &match.map));
    match.map.ball_count = match.map.goal_count = 1;
    assert_non_null(mode_validate_map(MODE_BREAKOUT, &match.map));
    assert_null(mode_validate_map(MODE_TEAMS, &match.map));
    for (int32_t i = 0; i < match.map.spawn_count; i++)
        match.map.spawns[i].team = 1;
    assert_non_null(mode_validate_map(MODE_TEAMS, &match.map));
    assert_null(mode_validate_map(MODE_FFA, &match.map));
}
