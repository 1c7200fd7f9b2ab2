// SPDX-License-Identifier: MIT
//
// Tests the positions of everything in a world. Worlds are written by hand and never stepped.
#include "core/pose.h"
#include "core/view.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static const struct map map;
static struct world world;
static struct pose poses[POSE_CAPACITY];

// Makes a world with player 0 at x, y px.
static void put(int32_t x, int32_t y)
{
    memset(&world, 0, sizeof world);
    world.player_slots = 1;
    world.players[0].state = PLAYER_ALIVE;
    world.players[0].generation = 1;
    world.actors[0] = (struct df_actor){.x = x, .y = y, .w = 8, .h = 11, .flags = DF_ACTOR_ALIVE};
}

static void put_solid(int32_t x, int32_t y, int32_t rem_x, int32_t rem_y)
{
    world.solid_count = 1;
    world.solids[0] = (struct df_solid){x, y, 32, 8, rem_x, rem_y, DF_SOLID_PRESENT};
}

static void assert_pose(uint32_t index, int32_t x, int32_t y)
{
    if (poses[index].x != x || poses[index].y != y || poses[index].identity == 0)
        fail_msg("pose %u is %d, %d (%llu), not %d, %d", index, poses[index].x, poses[index].y,
                 (unsigned long long)poses[index].identity, x, y);
}

// The world has three of each kind but counts only two.
TEST(every_counted_thing_has_a_pose)
{
    static const uint32_t first[] = {0, PLAYER_CAPACITY, CHEST_ACTORS, POSE_SOLIDS, POSE_BALLS};
    memset(&world, 0, sizeof world);
    for (uint32_t i = 0; i < 3; i++) {
        int32_t x = (int32_t)i * 8, y = (int32_t)i * 16;
        world.players[i] = (struct player){.state = PLAYER_ALIVE};
        world.arrows[i] = (struct arrow){.state = 1, .owner = i};
        world.chests[i] = (struct chest){.state = 1};
        for (uint32_t k = 0; k < 3; k++)
            world.actors[first[k] + i] = (struct df_actor){.x = 100 + x,
                                                           .y = 200 + y,
                                                           .rem_x = 1 + (int32_t)k,
                                                           .rem_y = -1,
                                                           .w = 6,
                                                           .h = 6,
                                                           .flags = DF_ACTOR_ALIVE};
        world.solids[i] = (struct df_solid){500 + x, 600 + y, 8, 8, 7, 9, DF_SOLID_PRESENT};
        world.balls[i] = (struct df_ball){70000 + x, 80000 + y, 4, 0, 0, DF_BALL_ALIVE};
    }
    world.player_slots = world.arrow_slots = world.chest_count = world.solid_count = world.ball_count = 2;
    memset(poses, 0xAA, sizeof poses);
    pose_all(poses, &map, &world);
    for (uint32_t i = 0; i < 2; i++) {
        int32_t x = (int32_t)i * 8, y = (int32_t)i * 16;
        for (int32_t k = 0; k < 3; k++)
            assert_pose(first[k] + i, (100 + x) * 256 + 1 + k, (200 + y) * 256 - 1);
        assert_pose(POSE_SOLIDS + i, (500 + x) * 256 + 7, (600 + y) * 256 + 9);
        assert_pose(POSE_BALLS + i, 70000 + x, 80000 + y);
    }
    for (uint32_t k = 0, i = 0; i < POSE_CAPACITY; i++) {
        k += k + 1 < 5 && i == first[k + 1];
        if (i >= first[k] + 2 && (poses[i].identity != 0 || poses[i].x != 0 || poses[i].y != 0))
            fail_msg("pose %u is not empty", i);
    }
}

TEST(dead_and_absent_things_have_no_pose)
{
    memset(&world, 0, sizeof world);
    world.player_slots = 4;
    world.arrow_slots = world.chest_count = world.solid_count = world.ball_count = 1;
    for (uint32_t i = 0; i < ACTOR_CAPACITY; i++)
        world.actors[i] = (struct df_actor){.x = 8, .y = 8, .w = 6, .h = 6, .flags = DF_ACTOR_ALIVE};
    world.players[1].state = PLAYER_DEAD;
    world.players[2].state = world.players[3].state = PLAYER_ALIVE;
    world.actors[3].flags = 0;
    pose_all(poses, &map, &world);
    for (uint32_t i = 0; i < POSE_CAPACITY; i++)
        if ((poses[i].identity != 0) != (i == 2))
            fail_msg("pose %u", i);
}

TEST(a_respawned_player_has_another_identity)
{
    put(8, 8);
    world.arrow_slots = 1;
    world.arrows[0] = (struct arrow){.state = 1, .owner = 1};
    world.actors[PLAYER_CAPACITY] = world.actors[0];
    pose_all(poses, &map, &world);
    uint64_t player = poses[0].identity, arrow = poses[PLAYER_CAPACITY].identity;
    world.players[0].stats.deaths++;
    world.arrows[0].owner++;
    pose_all(poses, &map, &world);
    assert_true(poses[0].identity != player && poses[PLAYER_CAPACITY].identity != arrow);
    world.players[0].stats.deaths--;
    world.players[0].generation++;
    pose_all(poses, &map, &world);
    assert_true(poses[0].identity != player);
}

TEST(an_actor_rides_the_first_solid_that_carries_it)
{
    put(110, 39);
    put_solid(100, 50, 0, 0);
    world.solid_count = 3;
    world.solids[1] = world.solids[2] = world.solids[0];
    world.solids[0].y = 90;
    assert_int_equal(game_view_ridden_solid(&map, &world, 0), 1);
    world.solids[1].y = world.solids[2].y = 90;
    world.solids[3] = (struct df_solid){100, 50, 32, 8, 0, 0, DF_SOLID_PRESENT}; // not counted
    assert_int_equal(game_view_ridden_solid(&map, &world, 0), GAME_VIEW_NO_SOLID);
}

TEST(more_than_two_body_sizes_per_tick_are_a_teleport)
{
    static const struct {
        int32_t x, y;
        uint64_t from, to;
        bool continuous;
    } rows[] = {
        /* 1 */ {24 * 256, -24 * 256, 5, 5, true},
        {24 * 256 + 1, 0, 5, 5, false},
        {-24 * 256 - 1, 0, 5, 5, false},
        /* 4 */ {0, 24 * 256 + 1, 5, 5, false},
        {0, -24 * 256 - 1, 5, 5, false},
        {0, 0, 5, 6, false},
        /* 7 */ {0, 0, 0, 0, false},
        {0, 0, 1, 1, true},
    };
    struct map torus = {.columns = 40, .rows = 30, .outside = DF_OUTSIDE_WRAP};
    int32_t width = 40 * MAP_EDGE_PX * 256, height = 30 * MAP_EDGE_PX * 256;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct pose from = {1000, 2000, rows[i].from}, to = {1000 + rows[i].x, 2000 + rows[i].y, rows[i].to};
        struct pose around = {to.x + width, to.y - height, to.identity};
        if (pose_is_continuous(&map, from, to) != rows[i].continuous ||
            pose_is_continuous(&torus, from, around) != rows[i].continuous || pose_is_continuous(&map, from, around))
            fail_msg("row %zu", i + 1);
        assert_int_equal(pose_offset(&torus, from, around).x, rows[i].x);
        assert_int_equal(pose_offset(&torus, from, around).y, rows[i].y);
    }
}

TEST(a_rider_shares_the_fraction_of_its_solid)
{
    static const struct map wrapping = {.outside = DF_OUTSIDE_WRAP, .columns = 40, .rows = 20}; // 320 x 160 px
    static const struct {
        const struct map *map;
        int32_t x, y, solid_x, solid_y; // of a rider of 8 x 11, and of a solid of 32 x 8
        enum df_ride ride;
        bool rides;
    } rows[] = {
        /*  1 */ {&map, 110, 39, 100, 50, DF_RIDE_STAND, true},
        /*  2 */ {&map, 93, 39, 100, 50, DF_RIDE_STAND, true},   // one pixel is enough
        /*  3 */ {&map, 92, 39, 100, 50, DF_RIDE_STAND, false},  // a corner is not
        /*  4 */ {&map, 110, 38, 100, 50, DF_RIDE_STAND, false}, // in the air
        /*  5 */ {&map, 110, 39, 100, 50, DF_RIDE_NEVER, false},
        /*  6 */ {&map, 132, 45, 100, 50, DF_RIDE_CLING_LEFT, true},
        /*  7 */ {&map, 132, 45, 100, 50, DF_RIDE_STAND, false},
        /*  8 */ {&map, 92, 45, 100, 50, DF_RIDE_CLING_RIGHT, true},
        /*  9 */ {&map, 92, 45, 100, 50, DF_RIDE_CLING_LEFT, false},
        /* 10 */ {&map, 132, 58, 100, 50, DF_RIDE_CLING_LEFT, false}, // below
        /* 11 */ {&wrapping, 2, 39, 300, 50, DF_RIDE_STAND, true},    // the solid reaches over the right edge
        /* 12 */ {&wrapping, 316, 39, 0, 50, DF_RIDE_STAND, true},    // the rider does
        /* 13 */ {&wrapping, 12, 39, 300, 50, DF_RIDE_STAND, false},  // a corner is not enough
        /* 14 */ {&wrapping, 110, 149, 100, 0, DF_RIDE_STAND, true},  // down over the lower edge
        /* 15 */ {&wrapping, 0, 45, 288, 50, DF_RIDE_CLING_LEFT, true},
        /* 16 */ {&wrapping, 312, 45, 0, 50, DF_RIDE_CLING_RIGHT, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        put(rows[i].x, rows[i].y);
        put_solid(rows[i].solid_x, rows[i].solid_y, 100, -77);
        world.actors[0].ride = rows[i].ride;
        world.actors[0].rem_x = 5;
        pose_all(poses, rows[i].map, &world);
        assert_int_equal(poses[0].x, rows[i].x * 256 + 5 + (rows[i].rides ? 100 : 0));
        assert_int_equal(poses[0].y, rows[i].y * 256 - (rows[i].rides ? 77 : 0));
    }
}
