// SPDX-License-Identifier: MIT
// Tests trials: what counts, when a course is done, and who comes back; and the launchers, targets and flags of
// courses.
#include <string.h>

#include "game/rules/mode.h"
#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static void add_launcher(enum map_solid_kind kind, struct df_box box, int32_t period_ticks)
{
    match.map.solids[match.map.solid_count++] =
        (struct map_solid){.kind = kind, .box = box, .period_ticks = period_ticks};
}

// A course in the hall: the player starts at the left, and there are a target high up and a flag at the right.
static void draw_course(void)
{
    test_match_draw(&match, TEST_MAP_HALL);
    test_map_switch(&match.map, MAP_SWITCH_TARGET, (struct df_box){100, 16, 12, 12}, 1);
    test_map_switch(&match.map, MAP_SWITCH_FLAG, (struct df_box){230, 48, 12, 16}, 2);
}

static void begin(int32_t limit)
{
    test_match_start_mode(&match, MODE_TRIAL);
    match.world.rules.score_limit = limit;
    world_command(&match.world, &match.map, &(struct command){.kind = COMMAND_JOIN, .slot = 0});
}

TEST(a_course_begins_at_once_and_its_player_appears_once)
{
    draw_course();
    begin(2);
    test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, ROUND_PLAYING);
    assert_int_equal(match.world.round.match_since_tick, 1);
    test_match_step(&match, 1);
    assert_int_equal(match.world.players[0].state, PLAYER_ALIVE);
    uint32_t spawns = 0;
    for (uint32_t i = 0; i < match.world.event_count; i++)
        spawns += match.world.events[i].kind == EVENT_SPAWN;
    assert_int_equal(spawns, 1);
}

TEST(a_target_takes_arrows_and_balls_and_a_flag_takes_players)
{
    static const struct {
        bool arrow, ball, player;
        int32_t score;
    } rows[] = {
        /* 0 */ {false, false, false, 0},
        /* 1 */ {true, false, false, 1},
        /* 2 */ {false, true, false, 1},
        /* 3 */ {true, true, false, 1},
        /* 4 */ {false, false, true, 1},
        /* 5 */ {true, false, true, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        draw_course();
        if (rows[i].ball)
            test_map_ball(&match.map, 106, 30, 4, 0, 0);
        begin(3);
        test_match_step(&match, 2);
        if (rows[i].player)
            *test_match_body(&match, 0) =
                (struct df_actor){.x = 232, .y = 53, .w = 8, .h = 11, .ride = DF_RIDE_STAND, .flags = DF_ACTOR_ALIVE};
        if (rows[i].arrow) {
            match.world.arrows[0] = (struct arrow){.state = ARROW_FLYING, .owner = 1, .vx = 1280, .since_tick = 2};
            match.world.actors[PLAYER_CAPACITY] =
                (struct df_actor){.x = 90, .y = 20, .w = 4, .h = 4, .ride = DF_RIDE_NEVER, .flags = DF_ACTOR_ALIVE};
            match.world.arrow_slots = 1;
        }
        test_match_step(&match, 8);
        assert_true(world_validate(&match.world, &match.map));
        assert_int_equal(match.world.players[0].score, rows[i].score);
        test_match_step(&match, 60); // both stay on
        assert_int_equal(match.world.players[0].score, rows[i].score);
    }
}

TEST(a_course_is_done_at_the_limit_and_its_clock_stops)
{
    draw_course();
    match.map.switch_count = 0;
    test_map_switch(&match.map, MAP_SWITCH_FLAG, (struct df_box){100, 48, 12, 16}, 2);
    begin(1);
    test_match_hold(&match, 0, BUTTON_RIGHT);
    while (match.world.round.phase != ROUND_MATCH_OVER && match.world.tick < 600)
        test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, ROUND_MATCH_OVER);
    assert_int_equal(match.world.round.winner, 1);
    assert_int_equal(match.world.round.since_tick, match.world.tick);
    assert_in_range(match.world.tick, 30, 120);
}

TEST(bots_stand_at_the_spawns_of_team_2_and_count_once)
{
    draw_course();
    match.map.switch_count = 0;
    match.map.spawns[match.map.spawn_count++] = (struct map_spawn){200, 64, 2};
    assert_int_equal(mode_trial_tasks(&match.map), 1);
    begin(2);
    world_command(&match.world, &match.map, &(struct command){.kind = COMMAND_JOIN, .slot = 1, .bot = 1});
    test_match_step(&match, 2);
    assert_int_equal(match.world.actors[1].x, 196);
    assert_true(match.world.actors[0].x < 100);
    // Its feet over the bot's head.
    match.world.players[1].shield_until = 0;
    match.world.actors[0].x = 196;
    match.world.actors[0].y = 30;
    test_match_step(&match, 40);
    assert_int_equal(match.world.players[1].state, PLAYER_DEAD);
    assert_int_equal(match.world.players[0].score, 1);
    test_match_step(&match, 3 * TUNING.respawn_ticks);
    assert_int_equal(match.world.players[1].state, PLAYER_DEAD);
    assert_int_equal(match.world.players[0].score, 1);
    assert_int_equal(match.world.round.phase, ROUND_PLAYING);
}

TEST(a_launcher_shoots_once_a_period_to_its_side)
{
    static const struct {
        enum map_solid_kind kind;
        struct df_box box;
        int32_t x, y, vx, vy;
    } rows[] = {
        /* 0 */ {MAP_SOLID_LAUNCHER_RIGHT, {16, 16, 8, 8}, 24, 18, 1, 0},
        /* 1 */ {MAP_SOLID_LAUNCHER_LEFT, {200, 16, 8, 16}, 196, 22, -1, 0},
        /* 2 */ {MAP_SOLID_LAUNCHER_DOWN, {96, 8, 16, 8}, 102, 16, 0, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        draw_course();
        add_launcher(rows[i].kind, rows[i].box, 50);
        begin(5);
        test_match_step(&match, 49);
        assert_int_equal(match.world.arrow_slots, 0);
        test_match_step(&match, 1);
        assert_int_equal(match.world.arrow_slots, 1);
        const struct arrow *arrow = &match.world.arrows[0];
        const struct df_actor *body = &match.world.actors[PLAYER_CAPACITY];
        assert_int_equal(arrow->owner, 0);
        // It has flown for one tick already.
        assert_int_equal(body->x, rows[i].x + 5 * rows[i].vx);
        assert_int_equal(body->y, rows[i].y + 5 * rows[i].vy);
        test_match_step(&match, 50);
        assert_int_equal(match.world.arrow_slots, 2);
        assert_true(world_validate(&match.world, &match.map));
    }
}

TEST(catches_count_up_to_what_the_limit_leaves_to_them)
{
    draw_course(); // two tasks
    begin(4);
    test_match_step(&match, 2);
    static const int32_t SCORES[] = {0, 1, 2, 2, 2};
    for (uint32_t catches = 0; catches < 5; catches++) {
        match.world.players[0].stats.catches = catches;
        test_match_step(&match, 1);
        assert_int_equal(match.world.players[0].score, SCORES[catches]);
    }
}

TEST(a_player_who_dies_comes_back_and_keeps_what_is_done)
{
    draw_course();
    add_launcher(MAP_SOLID_LAUNCHER_LEFT, (struct df_box){240, 50, 8, 8}, 100);
    begin(2);
    test_match_step(&match, 60);
    match.world.switches[0].on = 1;
    uint32_t ticks = 0;
    for (; match.world.players[0].state == PLAYER_ALIVE && ticks < 400; ticks++)
        test_match_step(&match, 1);
    assert_in_range(ticks, 1, 399);
    test_match_step(&match, TUNING.respawn_ticks + 1);
    assert_int_equal(match.world.players[0].state, PLAYER_ALIVE);
    assert_int_equal(match.world.players[0].score, 1);
    assert_int_equal(match.world.players[0].stats.deaths, 1);
}

TEST(servers_do_not_offer_it)
{
    assert_null(MODE_NAMES[MODE_TRIAL]);
    assert_string_equal(mode_name(MODE_TRIAL), "trial");
    test_match_draw(&match, TEST_MAP_HALL);
    assert_null(mode_validate_map(MODE_TRIAL, &match.map));
    for (int32_t i = 0; i < match.map.spawn_count; i++)
        match.map.spawns[i].team = 2;
    assert_non_null(mode_validate_map(MODE_TRIAL, &match.map));
}
