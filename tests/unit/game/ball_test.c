// SPDX-License-Identifier: MIT
// Tests balls: how they fly, break blocks and kill, and who owns one that was kicked, shot or pressed.
#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

// A ball of radius 4 at rest in the hall at x, as high as a standing player.
static struct player *with_ball(int32_t x, int32_t player_x)
{
    test_match_draw(&match, TEST_MAP_HALL);
    test_map_ball(&match.map, x, 56, 4, 0, 0);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, player_x, 64);
    test_match_step(&match, 1);
    return player;
}

TEST(a_dash_kicks_a_ball_in_its_direction)
{
    static const struct {
        uint32_t held;
        int32_t x, vx, vy;
    } rows[] = {
        /* 1 */ {BUTTON_RIGHT, 80, 1152, 0},
        /* 2 */ {BUTTON_LEFT, 120, -1152, 0},
        /* 3 */ {BUTTON_RIGHT | BUTTON_UP, 90, 815, -815},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct player *player = with_ball(100, rows[i].x);
        test_match_hold(&match, 0, rows[i].held | BUTTON_DASH);
        for (int k = 0; k < 6 && match.world.ball_hits[0].since_tick == 0; k++)
            test_match_step(&match, 1);
        assert_int_equal(match.world.balls[0].vx, rows[i].vx);
        assert_int_equal(match.world.balls[0].vy, rows[i].vy);
        assert_int_equal(match.world.ball_hits[0].by, 1);
        assert_int_equal(test_match_event(&match, EVENT_KICK)->subject, 0);
        test_match_step(&match, 20);
        assert_int_equal(player->state, PLAYER_ALIVE);
    }
}

TEST(a_dash_kicks_a_ball_only_once)
{
    with_ball(100, 80);
    test_match_hold(&match, 0, BUTTON_RIGHT | BUTTON_DASH);
    test_match_step(&match, 12);
    uint32_t kicks = 0;
    for (uint32_t i = 0; i < match.world.event_count; i++)
        kicks += match.world.events[i].kind == EVENT_KICK;
    assert_int_equal(kicks, 1);
}

TEST(the_kicker_of_a_ball_is_credited_with_its_kills)
{
    struct player *player = with_ball(100, 80), *victim = test_match_put(&match, 1, 160, 64);
    match.world.round.phase = ROUND_PLAYING;
    test_match_hold(&match, 0, BUTTON_RIGHT | BUTTON_DASH);
    test_match_step(&match, 30);
    assert_int_equal(victim->state, PLAYER_DEAD);
    assert_int_equal(player->score, 1);
    assert_int_equal(test_match_event(&match, EVENT_KILL)->detail, DEATH_BALL);
    assert_int_equal(test_match_event(&match, EVENT_KILL)->other, 0);
}

TEST(an_arrow_pushes_a_ball_and_drops)
{
    with_ball(140, 60);
    test_match_shoot(&match, 0, BUTTON_RIGHT);
    for (int i = 0; i < 30 && match.world.ball_hits[0].since_tick == 0; i++)
        test_match_step(&match, 1);
    assert_int_equal(match.world.balls[0].vx, 640);
    assert_int_equal(match.world.balls[0].vy, 0);
    assert_int_equal(match.world.ball_hits[0].by, 1);
    assert_int_equal(match.world.arrows[0].vx, 0);
    test_match_step(&match, 30);
    assert_int_equal(match.world.arrows[0].state, ARROW_STUCK);
    assert_int_equal(match.world.actors[PLAYER_CAPACITY].y + 4, 64);
}

TEST(a_falling_arrow_passes_a_ball)
{
    with_ball(140, 60);
    test_match_shoot(&match, 0, BUTTON_RIGHT);
    match.world.actors[PLAYER_CAPACITY].x = 138;
    match.world.arrows[0].vx = 0;
    match.world.arrows[0].vy = 200;
    test_match_step(&match, 4);
    assert_int_equal(match.world.balls[0].vx, 0);
    assert_int_equal(match.world.ball_hits[0].since_tick, 0);
}

TEST(a_bomb_explodes_on_a_ball)
{
    with_ball(140, 60)->bombs = 1;
    test_match_shoot(&match, 0, BUTTON_RIGHT);
    test_match_step(&match, 30);
    assert_non_null(test_match_event(&match, EVENT_EXPLODE));
    assert_int_equal(match.world.arrow_slots, 0);
    assert_true(match.world.balls[0].vx > 640);
}

TEST(a_ball_slows_to_its_map_speed_and_loses_its_owner)
{
    test_match_draw(&match, TEST_MAP_HALL);
    test_map_ball(&match.map, 100, 30, 4, 300, 0);
    test_match_start(&match);
    match.world.balls[0].vx = 1100;
    match.world.ball_hits[0] = (struct ball_hit){0, 1};
    test_match_step(&match, 60);
    assert_in_range(match.world.balls[0].vx < 0 ? -match.world.balls[0].vx : match.world.balls[0].vx, 700, 1000);
    test_match_step(&match, 400);
    assert_in_range(match.world.balls[0].vx < 0 ? -match.world.balls[0].vx : match.world.balls[0].vx, 297, 300);
    assert_int_equal(match.world.ball_hits[0].since_tick, 0);
}

TEST(a_slow_ball_returns_to_its_map_speed)
{
    for (int32_t speed = 0; speed <= 100; speed += 100) {
        test_match_draw(&match, TEST_MAP_HALL);
        test_map_ball(&match.map, 100, 30, 4, 300, 0);
        test_match_start(&match);
        match.world.balls[0].vx = -speed;
        match.world.ball_hits[0] = (struct ball_hit){0, 1};
        test_match_step(&match, 300);
        assert_in_range(match.world.balls[0].vx < 0 ? -match.world.balls[0].vx : match.world.balls[0].vx, 300, 303);
    }
}

TEST(nobody_is_credited_after_the_kicker_has_left)
{
    with_ball(100, 80);
    struct player *victim = test_match_put(&match, 1, 160, 64);
    match.world.round.phase = ROUND_PLAYING;
    test_match_hold(&match, 0, BUTTON_RIGHT | BUTTON_DASH);
    test_match_step(&match, 5);
    assert_int_equal(match.world.ball_hits[0].by, 1);
    assert_true(world_command(&match.world, &match.map, &(struct command){.kind = COMMAND_LEAVE, .slot = 0}));
    assert_true(world_validate(&match.world, &match.map));
    test_match_step(&match, 20);
    assert_int_equal(victim->state, PLAYER_DEAD);
    assert_int_equal(test_match_event(&match, EVENT_KILL)->other, EVENT_NOBODY);
}

TEST(a_ball_pressed_against_a_block_breaks_it_and_survives)
{
    test_match_draw(&match, TEST_MAP_HALL);
    for (int32_t row = 1; row < 8; row++)
        match.map.tiles[row * 32 + 20] = DF_TILE_BLOCK;
    struct map_point path[] = {{0, 0}, {60, 0}};
    test_map_mover(&match.map, (struct df_box){130, 8, 8, 56}, path, 2, MAP_PATH_PINGPONG, 240);
    test_map_ball(&match.map, 146, 40, 4, 0, 0);
    test_match_start(&match);
    bool was_pressed = false;
    for (int i = 0; i < 110; i++) {
        match.world.balls[0].vx = match.world.balls[0].vy = 0; // so that it does not bounce away
        test_match_step(&match, 1);
        assert_true((match.world.balls[0].flags & DF_BALL_ALIVE) != 0);
        was_pressed |= test_match_is_broken(&match, 20, 5) || test_match_is_broken(&match, 20, 4);
    }
    assert_true(was_pressed);
    assert_true(match.world.balls[0].cx > 168 * 256);
}

TEST(a_ball_under_a_crusher_is_squished_and_starts_again)
{
    test_match_draw(&match, TEST_MAP_HALL);
    test_map_crusher(&match.map, (struct df_box){80, 8, 32, 24}, 30);
    test_map_ball(&match.map, 200, 30, 4, 0, 0);
    test_match_start(&match);
    test_match_put(&match, 0, 96, 64);
    match.world.players[0].shield_until = 100000;
    match.world.balls[0].cx = 106 * 256;
    match.world.balls[0].cy = 58 * 256;
    test_match_step(&match, 20);
    test_match_body(&match, 0)->x = 20;
    test_match_step(&match, 40);
    assert_int_equal(match.world.balls[0].cx, 200 * 256);
    assert_int_equal(match.world.balls[0].cy, 30 * 256);
}

static const char *const HALL[] = {"################", "#..............#", "#..............#",
                                   "#..............#", "#........B.....#", "#..............#",
                                   "#.S............#", "################", NULL};

TEST(a_ball_breaks_the_block_it_hits_and_bounces)
{
    test_match_draw(&match, HALL);
    test_map_ball(&match.map, 40, 36, 4, 512, 0);
    test_match_start(&match);
    test_match_step(&match, 15);
    uint32_t tile = 4 * 16 + 9;
    assert_int_equal(match.world.broken[tile / 32] >> tile % 32 & 1, 1);
    assert_int_equal(match.world.balls[0].vx, -512);
    assert_non_null(test_match_event(&match, EVENT_BREAK));
    assert_non_null(test_match_event(&match, EVENT_BOUNCE));
}

TEST(a_ball_kills_at_two_pixels_a_tick_and_faster)
{
    for (int32_t speed = 511; speed <= 512; speed++) {
        test_match_draw(&match, HALL);
        test_map_ball(&match.map, 60, 50, 4, -speed, 0);
        test_match_start(&match);
        struct player *player = test_match_put(&match, 0, 30, 56);
        test_match_step(&match, 15);
        assert_int_equal(player->state, speed == 512 ? PLAYER_DEAD : PLAYER_ALIVE);
    }
    assert_int_equal(test_match_event(&match, EVENT_KILL)->detail, DEATH_BALL);
}

TEST(a_squished_ball_comes_back_where_it_started)
{
    test_match_draw(&match, HALL);
    test_map_ball(&match.map, 100, 20, 4, 64, 0);
    struct map_point line[] = {{0, 0}, {-40, 0}};
    test_map_mover(&match.map, (struct df_box){48, 8, 8, 48}, line, 2, MAP_PATH_PINGPONG, 160);
    test_match_start(&match);
    match.world.balls[0].cx = 20 * 256;
    match.world.balls[0].vx = 0;
    while (match.world.balls[0].cx < 90 * 256 && match.world.tick < 100)
        test_match_step(&match, 1);
    assert_in_range(match.world.tick, 20, 80);
    assert_int_equal(match.world.balls[0].vx, 64);
    assert_true(world_validate(&match.world, &match.map));
}

TEST(a_lost_ball_comes_back_where_it_started)
{
    test_match_draw(&match, HALL);
    match.map.outside = DF_OUTSIDE_EMPTY;
    test_map_ball(&match.map, 100, 20, 4, 0, 0);
    test_match_start(&match);
    match.world.balls[0].cx = 300 * 256;
    test_match_step(&match, 2);
    assert_int_equal(match.world.balls[0].cx, 100 * 256);
}
