// SPDX-License-Identifier: MIT
// Tests movers and belts: where they are, what they carry, and where that stops.
#include "game/tuning.h"
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

static struct player *on_conveyor(int32_t x, int32_t speed_sub)
{
    test_match_draw(&match, TEST_MAP_HALL);
    test_map_conveyor(&match.map, (struct df_box){64, 56, 128, 8}, speed_sub);
    test_match_start(&match);
    return test_match_put(&match, 0, x, 56);
}

static int32_t place_sub(uint32_t actor)
{
    return match.world.actors[actor].x * DF_SUB + match.world.actors[actor].rem_x;
}

TEST(a_conveyor_carries_exactly_at_its_speed)
{
    static const struct {
        int32_t speed_sub;
        uint32_t ticks;
    } rows[] = {
        /* 1 */ {256, 20}, /* 2 */ {-256, 20}, /* 3 */ {1, 500},  /* 4 */ {-1, 500},
        /* 5 */ {77, 60},  /* 6 */ {-77, 60},  /* 7 */ {768, 10}, /* 8 */ {-768, 10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        on_conveyor(128, rows[i].speed_sub);
        for (uint32_t t = 1; t <= rows[i].ticks; t++) {
            test_match_step(&match, 1);
            assert_true(world_validate(&match.world, &match.map));
            assert_int_equal(place_sub(0), 124 * DF_SUB + (int32_t)t * rows[i].speed_sub);
        }
        assert_true(match.world.players[0].flags & PLAYER_GROUNDED);
        assert_int_equal(match.world.players[0].vx, 0);
    }
}

TEST(a_player_carried_against_a_wall_stops_and_survives)
{
    test_match_draw(&match, TEST_MAP_HALL);
    test_map_conveyor(&match.map, (struct df_box){160, 56, 80, 8}, 300);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, 220, 56);
    test_match_step(&match, 100);
    assert_int_equal(player->state, PLAYER_ALIVE);
    assert_int_equal(test_match_body(&match, 0)->x + 8, 248 - 0);
    assert_int_equal(test_match_body(&match, 0)->y + 11, 64); // past its end there are 8 px of floor
    test_match_put(&match, 0, 235, 56);
    match.map.tiles[6 * 32 + 30] = match.map.tiles[5 * 32 + 30] = DF_TILE_SOLID; // now a wall flush with its end
    test_match_step(&match, 100);
    assert_int_equal(test_match_body(&match, 0)->x + 8, 240);
    assert_int_equal(test_match_body(&match, 0)->rem_x, 0);
    assert_int_equal(test_match_body(&match, 0)->y + 11, 56);
}

TEST(a_player_who_runs_against_a_conveyor_moves_by_the_difference)
{
    on_conveyor(128, 384);
    test_match_hold(&match, 0, BUTTON_LEFT);
    test_match_step(&match, 20);
    int32_t before = place_sub(0);
    test_match_step(&match, 10);
    assert_int_equal(place_sub(0), before); // the conveyor is as fast as the player
}

TEST(an_arrow_in_the_top_rides_to_the_end_and_falls)
{
    on_conveyor(20, 256);
    test_match_put(&match, 0, 20, 64);
    match.world.arrows[0] = (struct arrow){.state = ARROW_STUCK, .stuck_in = 1, .vy = 1280};
    match.world.actors[PLAYER_CAPACITY] =
        (struct df_actor){.x = 180, .y = 52, .w = 4, .h = 4, .ride = DF_RIDE_NEVER, .flags = DF_ACTOR_ALIVE};
    match.world.arrow_slots = 1;
    for (int32_t t = 1; t <= 11; t++) {
        test_match_step(&match, 1);
        assert_int_equal(match.world.actors[PLAYER_CAPACITY].x, 180 + t);
        assert_int_equal(match.world.arrows[0].state, ARROW_STUCK);
    }
    test_match_step(&match, 1); // the conveyor ends at 192
    assert_int_equal(match.world.actors[PLAYER_CAPACITY].x, 192);
    assert_int_equal(match.world.arrows[0].state, ARROW_FLYING);
    test_match_step(&match, 60);
    assert_int_equal(match.world.actors[PLAYER_CAPACITY].y, 60); // on the floor
}

TEST(an_arrow_in_the_side_stays)
{
    on_conveyor(20, 256);
    test_match_put(&match, 0, 20, 64);
    match.world.arrows[0] = (struct arrow){.state = ARROW_STUCK, .stuck_in = 1, .vx = 1280};
    match.world.actors[PLAYER_CAPACITY] =
        (struct df_actor){.x = 60, .y = 58, .w = 4, .h = 4, .ride = DF_RIDE_NEVER, .flags = DF_ACTOR_ALIVE};
    match.world.arrow_slots = 1;
    test_match_step(&match, 30);
    assert_int_equal(match.world.actors[PLAYER_CAPACITY].x, 60);
    assert_int_equal(match.world.arrows[0].state, ARROW_STUCK);
}

TEST(an_arrow_that_sticks_in_another_solid_stays)
{
    on_conveyor(20, 256);
    test_map_crusher(&match.map, (struct df_box){104, 16, 16, 40}, 1); // nobody is beneath it
    test_match_start(&match);
    test_match_put(&match, 0, 20, 64);
    match.world.arrows[0] = (struct arrow){.state = ARROW_STUCK, .stuck_in = 2, .vx = 1280};
    match.world.actors[PLAYER_CAPACITY] = // at its right side, so that only its grip stops it
        (struct df_actor){.x = 120, .y = 52, .w = 4, .h = 4, .ride = DF_RIDE_NEVER, .flags = DF_ACTOR_ALIVE};
    match.world.arrow_slots = 1;
    test_match_step(&match, 10);
    assert_int_equal(match.world.actors[PLAYER_CAPACITY].x, 120);
    assert_int_equal(match.world.arrows[0].state, ARROW_STUCK);
}

TEST(a_moving_conveyor_adds_its_speed_to_that_of_its_solid)
{
    for (int32_t speed_sub = -128; speed_sub <= 128; speed_sub += 64) {
        test_match_draw(&match, TEST_MAP_HALL);
        struct map_point line[] = {{0, 0}, {60, -20}};
        test_map_mover(&match.map, (struct df_box){60, 50, 80, 4}, line, 2, MAP_PATH_PINGPONG, 240);
        match.map.solids[0].belt_sub = speed_sub;
        test_match_start(&match);
        test_match_put(&match, 0, 100, 50);
        for (int32_t t = 1; t <= 60; t++) {
            test_match_step(&match, 1);
            const struct df_solid *solid = match.world.solids;
            assert_int_equal(place_sub(0) - solid->x * DF_SUB, 36 * DF_SUB + t * speed_sub);
            assert_int_equal(test_match_body(&match, 0)->y + 11, solid->y);
            if (t > 2) // from its first whole px on: 60 px in 120 ticks
                assert_in_range(test_match_body(&match, 0)->lift_x - speed_sub, 127, 129);
        }
    }
}

TEST(a_player_who_jumps_off_keeps_the_speed)
{
    struct player *player = on_conveyor(128, 300);
    test_match_step(&match, 5);
    test_match_hold(&match, 0, BUTTON_JUMP);
    test_match_step(&match, 1);
    assert_true(player->vy < 0);
    assert_int_equal(player->vx, 300);
}

TEST(of_two_conveyors_the_first_of_the_map_carries)
{
    for (int order = 0; order < 2; order++) {
        test_match_draw(&match, TEST_MAP_HALL);
        test_map_conveyor(&match.map, (struct df_box){64, 56, 64, 8}, 100);
        test_map_conveyor(&match.map, (struct df_box){128, 56, 64, 8}, -100);
        if (order == 1) {
            struct map_solid swap = match.map.solids[0];
            match.map.solids[0] = match.map.solids[1];
            match.map.solids[1] = swap;
        }
        test_match_start(&match);
        test_match_put(&match, 0, 128, 56);
        test_match_step(&match, 5);
        assert_int_equal(place_sub(0), 124 * DF_SUB + (order == 0 ? 500 : -500));
    }
}

TEST(a_conveyor_carries_across_the_seam)
{
    test_match_draw(&match, TEST_MAP_HALL);
    for (int32_t row = 0; row < 8; row++)
        match.map.tiles[row * 32] = match.map.tiles[row * 32 + 31] = DF_TILE_EMPTY;
    match.map.outside = DF_OUTSIDE_WRAP;
    test_map_conveyor(&match.map, (struct df_box){236, 56, 40, 8}, 256);
    test_match_start(&match);
    test_match_put(&match, 0, 244, 56);
    test_match_step(&match, 30);
    assert_int_equal(test_match_body(&match, 0)->x, 240 + 30 - 256);
    assert_int_equal(test_match_body(&match, 0)->y + 11, 56);
    assert_true(world_validate(&match.world, &match.map));
}

TEST(a_player_beside_a_conveyor_is_not_carried)
{
    on_conveyor(30, 256);
    test_match_put(&match, 0, 60, 64);  // flush with its left side
    test_match_put(&match, 1, 197, 64); // flush with its right side
    test_match_step(&match, 10);
    assert_int_equal(place_sub(0), 56 * DF_SUB);
    assert_int_equal(place_sub(1), 193 * DF_SUB);
}

TEST(a_slippery_mover_pushes_but_does_not_carry)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point line[] = {{0, 0}, {40, 0}};
    test_map_mover(&match.map, (struct df_box){60, 48, 60, 16}, line, 2, MAP_PATH_PINGPONG, 160);
    match.map.solids[0].slippery = 1;
    test_match_start(&match);
    test_match_put(&match, 0, 100, 48);
    test_match_put(&match, 1, 130, 64);
    test_match_step(&match, 20);
    assert_int_equal(test_match_body(&match, 0)->x, 96);
    assert_true(match.world.players[0].flags & PLAYER_GROUNDED);
    assert_int_equal(test_match_body(&match, 1)->x, match.world.solids[0].x + 60);
}
