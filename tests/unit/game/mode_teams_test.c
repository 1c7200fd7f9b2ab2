// SPDX-License-Identifier: MIT
// Tests two teams: who joins which, which players can hurt each other, and how points count.
#include "game/rules/team.h"
#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static const char *const HALL[] = {"########################", "#......................#", "#......................#",
                                   "#.S....S......S......S.#", "########################", NULL};

static void begin(uint32_t players)
{
    test_match_draw(&match, HALL);
    for (int32_t i = 0; i < match.map.spawn_count; i++)
        match.map.spawns[i].team = i < 2 ? 1 : 2;
    test_match_start_mode(&match, MODE_TEAMS);
    for (uint32_t slot = 0; slot < players; slot++)
        test_match_put(&match, slot, 20 + 40 * (int32_t)slot, 32);
}

static bool choose(uint32_t slot, uint32_t choice)
{
    struct command command = {.kind = COMMAND_TEAM, .slot = slot, .team = choice};
    return world_command(&match.world, &match.map, &command);
}

static void play(void)
{
    match.world.round.phase = ROUND_PLAYING;
    match.world.round.since_tick = match.world.round.match_since_tick = match.world.tick;
}

// Slot 0 shoots slot `target`, which stands to its right.
static void shoot(uint32_t slot)
{
    play();
    test_match_put(&match, 0, 40, 32);
    test_match_put(&match, slot, 80, 32);
    test_match_hold(&match, 0, BUTTON_SHOOT);
    test_match_step(&match, 20);
}

TEST(a_new_player_joins_the_smaller_team)
{
    begin(4);
    static const uint32_t teams[] = {1, 2, 1, 2};
    for (uint32_t slot = 0; slot < 4; slot++)
        assert_int_equal(match.world.players[slot].team, teams[slot]);
}

TEST(a_kill_is_a_point_for_the_team)
{
    begin(3);
    shoot(1);
    assert_int_equal(match.world.players[1].state, PLAYER_DEAD);
    assert_int_equal(match.world.players[0].score, 1);
    assert_int_equal(match.world.round.team_scores[0], 1);
    assert_int_equal(match.world.round.team_scores[1], 0);
}

TEST(arrows_fly_through_team_mates)
{
    begin(3);
    match.world.players[1].state = PLAYER_DEAD;
    match.world.actors[1].flags = 0;
    match.world.players[1].respawn_tick = 100000;
    shoot(2);
    assert_int_equal(match.world.players[2].state, PLAYER_ALIVE);
    assert_int_equal(match.world.arrows[0].state, ARROW_FLYING);
    assert_int_equal(match.world.players[0].stats.hits, 0);
}

TEST(with_friendly_fire_killing_a_team_mate_costs_a_point)
{
    begin(3);
    match.world.rules.friendly_fire = 1;
    match.world.players[1].state = PLAYER_DEAD;
    match.world.actors[1].flags = 0;
    match.world.players[1].respawn_tick = 100000;
    shoot(2);
    assert_int_equal(match.world.players[2].state, PLAYER_DEAD);
    assert_int_equal(match.world.players[0].score, -1);
    assert_int_equal(match.world.round.team_scores[0], -1);
}

TEST(a_suicide_costs_the_team_a_point)
{
    begin(2);
    play();
    test_match_body(&match, 1)->y = 5000;
    test_match_step(&match, 1);
    assert_int_equal(match.world.players[1].score, -1);
    assert_int_equal(match.world.round.team_scores[1], -1);
}

TEST(the_team_with_more_points_wins_and_equal_points_are_a_draw)
{
    static const struct {
        int32_t scores[TEAM_COUNT];
        uint32_t winner;
    } rows[] = {
        /* 1 */ {{4, 3}, 1},
        /* 2 */ {{-2, -1}, 2},
        /* 3 */ {{3, 3}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(2);
        match.world.rules.time_limit_ticks = 10;
        play();
        match.world.round.team_scores[0] = rows[i].scores[0];
        match.world.round.team_scores[1] = rows[i].scores[1];
        test_match_step(&match, 9);
        assert_int_equal(match.world.round.phase, ROUND_PLAYING);
        test_match_step(&match, 1);
        assert_int_equal(match.world.round.phase, ROUND_MATCH_OVER);
        assert_int_equal(match.world.round.winner_team, rows[i].winner);
        assert_int_equal(match.world.round.winner, 0);
    }
}

TEST(players_choose_a_team_or_spectate)
{
    begin(3);
    assert_true(choose(0, TEAM_TWO));
    assert_int_equal(match.world.players[0].team, 2);
    assert_int_equal(match.world.players[0].state, PLAYER_DEAD); // a change of team kills the player
    assert_int_equal(match.world.players[0].stats.deaths, 0);
    assert_true(choose(0, TEAM_SPECTATE));
    assert_int_equal(match.world.players[0].state, PLAYER_SPECTATOR);
    assert_int_equal(match.world.players[0].team, 0);
    assert_true(world_validate(&match.world, &match.map));
    test_match_step(&match, 300);
    assert_int_equal(match.world.players[0].state, PLAYER_SPECTATOR);
    assert_true(choose(0, TEAM_AUTO));
    assert_int_equal(match.world.players[0].team, 1);
    assert_false(choose(0, TEAM_SPECTATE + 1));
    assert_false(choose(9, TEAM_AUTO)); // nobody there
    match.world.rules.mode = MODE_FFA;
    assert_false(choose(0, TEAM_ONE));
}

TEST(teams_are_balanced_with_players_who_did_not_choose)
{
    begin(6);
    assert_true(choose(1, TEAM_ONE));
    assert_true(choose(3, TEAM_ONE));
    assert_true(choose(5, TEAM_ONE));
    test_match_step(&match, 1);
    assert_int_equal(team_size(&match.world, 1), 3);
    assert_int_equal(team_size(&match.world, 2), 3);
    for (uint32_t slot = 1; slot < 6; slot += 2)
        assert_int_equal(match.world.players[slot].team, 1); // they chose
}

TEST(a_team_without_opponents_stays_in_warm_up)
{
    begin(2);
    assert_true(choose(0, TEAM_ONE));
    assert_true(choose(1, TEAM_ONE));
    test_match_step(&match, 1000);
    assert_int_equal(match.world.round.phase, ROUND_WARMUP);
}

TEST(each_team_spawns_at_its_own_spawns)
{
    begin(0);
    for (uint32_t slot = 0; slot < 4; slot++)
        assert_true(world_command(&match.world, &match.map, &(struct command){.slot = slot}));
    test_match_step(&match, 2);
    for (uint32_t slot = 0; slot < 4; slot++) {
        assert_int_equal(match.world.players[slot].state, PLAYER_ALIVE);
        assert_int_equal(test_match_body(&match, slot)->x < 96 ? 1 : 2, match.world.players[slot].team);
    }
}
