// SPDX-License-Identifier: MIT
// Tests the phases of a match: warm-up, countdown, play to a score or a time, and the scoreboard.
#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static const char *const HALL[] = {"################", "#..............#", "#..............#",
                                   "#.S..........S.#", "################", NULL};

static void begin(int32_t score_limit, uint32_t time_limit_ticks, uint32_t players)
{
    test_match_draw(&match, HALL);
    test_match_start(&match);
    match.world.rules.score_limit = score_limit;
    match.world.rules.time_limit_ticks = time_limit_ticks;
    for (uint32_t slot = 0; slot < players; slot++)
        test_match_put(&match, slot, 20 + 40 * (int32_t)slot, 32);
}

static void step_to(enum round_phase phase)
{
    for (int i = 0; i < 2000 && match.world.round.phase != (uint32_t)phase; i++)
        test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, phase);
}

TEST(a_player_alone_stays_in_warm_up)
{
    begin(5, 0, 1);
    test_match_step(&match, 1000);
    assert_int_equal(match.world.round.phase, ROUND_WARMUP);
}

TEST(with_two_players_the_match_begins_after_five_seconds)
{
    begin(5, 0, 2);
    match.world.players[0].stats.shots = 9;
    match.world.players[1].score = 3;
    test_match_hold(&match, 0, BUTTON_SHOOT);
    test_match_step(&match, TUNING.warmup_ticks - 1);
    assert_int_equal(match.world.round.phase, ROUND_WARMUP);
    test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, ROUND_COUNTDOWN);
    assert_int_equal(match.world.players[0].stats.shots, 0);
    assert_int_equal(match.world.players[1].score, 0);
    assert_int_equal(match.world.arrow_slots, 0);
    test_match_step(&match, 1);
    assert_int_equal(match.world.players[0].state, PLAYER_ALIVE);
    assert_int_equal(match.world.players[0].arrows, 3);
}

TEST(nobody_moves_or_shoots_during_the_countdown)
{
    begin(5, 0, 2);
    test_match_hold(&match, 0, BUTTON_RIGHT);
    test_match_hold(&match, 1, BUTTON_SHOOT);
    step_to(ROUND_COUNTDOWN);
    test_match_step(&match, 1);
    int32_t x = test_match_body(&match, 0)->x;
    test_match_step(&match, TUNING.countdown_ticks - 2);
    assert_int_equal(match.world.round.phase, ROUND_COUNTDOWN);
    assert_int_equal(test_match_body(&match, 0)->x, x);
    assert_int_equal(match.world.arrow_slots, 0);
    test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, ROUND_PLAYING);
    assert_true(match.world.players[0].shield_until >= match.world.tick + TUNING.shield_ticks - 2);
    test_match_hold(&match, 1, 0);
    test_match_step(&match, 1);
    test_match_hold(&match, 1, BUTTON_SHOOT);
    test_match_step(&match, 10);
    assert_true(test_match_body(&match, 0)->x > x);
    assert_int_equal(match.world.players[1].stats.shots, 1);
}

TEST(the_match_ends_when_a_player_reaches_the_score_limit)
{
    begin(5, 0, 2);
    step_to(ROUND_PLAYING);
    match.world.players[1].score = 5;
    test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, ROUND_MATCH_OVER);
    assert_int_equal(match.world.round.winner, 2);
    const struct event *over = NULL;
    for (uint32_t i = 0; i < match.world.event_count; i++)
        if (match.world.events[i % EVENT_CAPACITY].kind == EVENT_ROUND)
            over = &match.world.events[i % EVENT_CAPACITY];
    assert_int_equal(over->subject, 1);
    assert_int_equal(over->detail, ROUND_MATCH_OVER);
}

TEST(at_the_time_limit_equal_scores_are_a_draw)
{
    begin(0, 600, 2);
    step_to(ROUND_PLAYING);
    test_match_step(&match, 599);
    assert_int_equal(match.world.round.phase, ROUND_PLAYING);
    test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, ROUND_MATCH_OVER);
    assert_int_equal(match.world.round.winner, 0);
}

TEST(a_new_warm_up_follows_the_scoreboard)
{
    begin(0, 60, 2);
    step_to(ROUND_PLAYING);
    step_to(ROUND_MATCH_OVER);
    test_match_step(&match, TUNING.over_ticks - 1);
    assert_int_equal(match.world.round.phase, ROUND_MATCH_OVER);
    test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, ROUND_WARMUP);
    assert_int_equal(match.world.round.matches, 1);
    step_to(ROUND_PLAYING);
}

TEST(a_match_with_one_player_left_returns_to_warm_up)
{
    begin(5, 0, 2);
    step_to(ROUND_PLAYING);
    assert_true(world_command(&match.world, &match.map, &(struct command){.kind = COMMAND_LEAVE, .slot = 1}));
    test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, ROUND_WARMUP);
}
