// SPDX-License-Identifier: MIT
// Tests conveyors: which actors they carry, how far, and where they stop.
#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

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
