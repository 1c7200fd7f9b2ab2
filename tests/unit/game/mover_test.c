// SPDX-License-Identifier: MIT
// Tests movers: where they are at each tick, and what they do to players in the way.
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static void expect_offset(uint32_t at, int32_t x_sub, int32_t y_sub)
{
    int32_t dx, dy;
    map_path_offset(&match.map, &match.map.solids[0], at, &dx, &dy);
    assert_int_equal(dx, x_sub);
    assert_int_equal(dy, y_sub);
}

TEST(a_loop_goes_round_at_constant_speed)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point square[] = {{0, 0}, {20, 0}, {20, 20}, {0, 20}};
    test_map_mover(&match.map, (struct df_box){60, 24, 8, 8}, square, 4, MAP_PATH_LOOP, 80);
    static const struct {
        uint32_t at;
        int32_t x_px, y_px;
    } rows[] = {
        /* 1 */ {0, 0, 0},     // it begins at its box
        /* 2 */ {10, 10, 0},   // one px a tick
        /* 3 */ {20, 20, 0},   // a corner
        /* 4 */ {30, 20, 10},  // down
        /* 5 */ {50, 10, 20},  // back
        /* 6 */ {70, 0, 10},   // the last point leads to the first
        /* 7 */ {80, 0, 0},    // periodic
        /* 8 */ {8010, 10, 0}, // without end
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_offset(rows[i].at, rows[i].x_px * 256, rows[i].y_px * 256);
}

TEST(a_pingpong_mover_comes_back_the_same_way)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point line[] = {{0, 0}, {30, 0}, {30, -16}};
    test_map_mover(&match.map, (struct df_box){60, 40, 8, 8}, line, 3, MAP_PATH_PINGPONG, 93);
    for (uint32_t at = 0; at <= 93; at++) {
        int32_t dx, dy;
        map_path_offset(&match.map, &match.map.solids[0], at, &dx, &dy);
        expect_offset(93 - at, dx, dy);
        expect_offset(93 + at, dx, dy);
    }
    expect_offset(0, 0, 0);
}

TEST(a_diagonal_has_the_length_of_its_hypotenuse)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point line[] = {{0, 0}, {30, 40}, {80, 40}};
    test_map_mover(&match.map, (struct df_box){60, 10, 8, 8}, line, 3, MAP_PATH_PINGPONG, 200);
    expect_offset(50, 30 * 256, 40 * 256);
    expect_offset(25, 15 * 256, 20 * 256);
    expect_offset(75, 55 * 256, 40 * 256);
}

TEST(the_phase_is_added_to_the_tick)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point line[] = {{0, 0}, {40, 0}};
    test_map_mover(&match.map, (struct df_box){60, 40, 8, 8}, line, 2, MAP_PATH_PINGPONG, 80);
    match.map.solids[0].phase_ticks = 10;
    expect_offset(0, 10 * 256, 0);
    test_match_start(&match);
    assert_int_equal(match.world.solids[0].x, 70);
}

TEST(a_mover_does_not_drift_in_twenty_thousand_ticks)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point line[] = {{0, 0}, {37, 11}, {-5, 13}};
    test_map_mover(&match.map, (struct df_box){60, 30, 8, 8}, line, 3, MAP_PATH_LOOP, 97);
    test_match_start(&match);
    for (uint32_t at = 1; at <= 20000; at++) {
        test_match_step(&match, 1);
        int32_t dx, dy;
        map_path_offset(&match.map, &match.map.solids[0], at, &dx, &dy);
        const struct df_solid *solid = &match.world.solids[0];
        assert_int_equal(solid->x * 256 + solid->rem_x, 60 * 256 + dx);
        assert_int_equal(solid->y * 256 + solid->rem_y, 30 * 256 + dy);
    }
}

TEST(a_group_stays_rigid_and_carries_players)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point line[] = {{0, 0}, {53, 0}, {53, -17}};
    test_map_mover(&match.map, (struct df_box){60, 50, 24, 4}, line, 3, MAP_PATH_PINGPONG, 211);
    test_map_mover(&match.map, (struct df_box){84, 34, 4, 20}, line, 3, MAP_PATH_PINGPONG, 211);
    match.map.solids[0].group = match.map.solids[1].group = 7;
    assert_true(map_validate(&match.map, NULL));
    test_match_start(&match);
    test_match_put(&match, 0, 72, 50);
    const struct df_solid *solids = match.world.solids;
    for (int i = 0; i < 422; i++) {
        test_match_step(&match, 1);
        assert_int_equal(solids[1].x - solids[0].x, 24);
        assert_int_equal(solids[1].y - solids[0].y, -16);
        assert_int_equal(test_match_body(&match, 0)->x - solids[0].x, 8);
        assert_int_equal(test_match_body(&match, 0)->y + 11 - solids[0].y, 0);
    }
}

TEST(the_player_who_shoved_a_squished_one_gets_the_kill)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point line[] = {{0, 0}, {24, 0}};
    test_map_mover(&match.map, (struct df_box){216, 8, 8, 56}, line, 2, MAP_PATH_PINGPONG, 96);
    test_match_start(&match);
    match.world.round.phase = ROUND_PLAYING;
    struct player *victim = test_match_put(&match, 0, 240, 64), *shover = test_match_put(&match, 1, 60, 64);
    victim->shover = 2;
    victim->shoved_tick = 1;
    test_match_step(&match, 40);
    assert_int_equal(victim->state, PLAYER_DEAD);
    const struct event *kill = test_match_event(&match, EVENT_KILL);
    assert_int_equal(kill->detail, DEATH_SQUISH);
    assert_int_equal(kill->other, 1);
    assert_int_equal(shover->stats.squishes, 1);
    assert_int_equal(shover->score, 1);
}

TEST(a_player_at_the_edge_of_a_squish_slips_out)
{
    test_match_draw(&match, TEST_MAP_HALL);
    test_map_crusher(&match.map, (struct df_box){100, 16, 32, 16}, 32);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, 98, 64); // two px beneath it
    test_match_step(&match, 60);
    assert_int_equal(player->state, PLAYER_ALIVE);
    assert_int_equal(test_match_body(&match, 0)->x + 8, 100);
}

TEST(a_player_rides_a_moving_oneway_and_jumps_through_it)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point line[] = {{0, 0}, {40, 0}};
    test_map_mover(&match.map, (struct df_box){60, 44, 40, 4}, line, 2, MAP_PATH_PINGPONG, 400);
    match.map.solids[0].oneway = 1;
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, 80, 64);
    test_match_step(&match, 1);
    test_match_hold(&match, 0, BUTTON_JUMP);
    test_match_step(&match, 50);
    assert_int_equal(test_match_body(&match, 0)->y + 11, 44);
    assert_true(player->flags & PLAYER_GROUNDED);
    int32_t dx = test_match_body(&match, 0)->x - match.world.solids[0].x;
    test_match_step(&match, 50);
    assert_int_equal(test_match_body(&match, 0)->x - match.world.solids[0].x, dx);
}

TEST(a_mover_crosses_the_seam)
{
    test_match_draw(&match, TEST_MAP_HALL);
    for (int32_t row = 0; row < 9; row++)
        match.map.tiles[row * 32] = match.map.tiles[row * 32 + 31] = DF_TILE_EMPTY;
    match.map.outside = DF_OUTSIDE_WRAP;
    struct map_point line[] = {{0, 0}, {60, 0}};
    test_map_mover(&match.map, (struct df_box){230, 40, 24, 4}, line, 2, MAP_PATH_PINGPONG, 240);
    test_match_start(&match);
    test_match_put(&match, 0, 242, 40);
    for (int i = 0; i < 240; i++) {
        test_match_step(&match, 1);
        assert_true(world_validate(&match.world, &match.map));
        assert_true(match.world.players[0].flags & PLAYER_GROUNDED);
        assert_in_range(test_match_body(&match, 0)->lift_x + 128, 0, 256);
    }
    assert_int_equal(test_match_body(&match, 0)->x, 238);
}
