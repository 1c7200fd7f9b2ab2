// SPDX-License-Identifier: MIT
// Tests the balls of a map: they break blocks, kill when fast, and come back.
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

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
