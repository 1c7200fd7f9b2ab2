// SPDX-License-Identifier: MIT
// Tests what map_validate refuses, one fault at a time, paths and goals, and what changes the hash of a map.
#include <inttypes.h>
#include <string.h>

#include "figures.h"
#include "test.h"
#include "test_map.h"

#define FIGURES SOURCE_ROOT "/tests/unit/map/map.figures"

static struct map good, map;

static const char *const ROOM[] = {"################", "#..............#", "#............BB#", "#............BB#",
                                   "#..............#", "#.S.......^....#", "################", NULL};

static void draw(void)
{
    test_map_draw(&good, ROOM);
    struct map_point line[] = {{0, 0}, {24, 0}};
    test_map_mover(&good, (struct df_box){40, 24, 16, 8}, line, 2, MAP_PATH_PINGPONG, 100);
    test_map_crusher(&good, (struct df_box){80, 8, 16, 8}, 30);
    test_map_ball(&good, 60, 20, 4, 100, 100);
    test_map_switch(&good, MAP_SWITCH_PLATE, (struct df_box){24, 40, 16, 8}, 1);
    test_map_driven(&good, MAP_SOLID_DOOR, (struct df_box){56, 40, 8, 16}, line, 2, MAP_PATH_CALL, 60, 1);
    test_map_conveyor(&good, (struct df_box){16, 16, 16, 8}, 64);
    good.chests[good.chest_count++] = (struct map_chest){.x = 72, .y = 48, .gifts = 1, .respawn_ticks = 60};
    good.goals[good.goal_count++] = (struct map_goal){.team = 1, .column = 13, .row = 2, .columns = 1, .rows = 2};
    good.goals[good.goal_count++] = (struct map_goal){.team = 2, .column = 14, .row = 2, .columns = 1, .rows = 2};
    assert_true(map_validate(&good, NULL));
    map = good;
}

enum { MOVER, CRUSHER, DOOR, CONVEYOR };

#define FAULTY(change)                                                                                                 \
    do {                                                                                                               \
        map = good;                                                                                                    \
        change;                                                                                                        \
        assert_false(map_validate(&map, NULL));                                                                        \
    } while (0)

TEST(a_good_map_has_no_fault)
{
    draw();
    assert_true(map_validate(&map, NULL));
}

TEST(every_limit_is_checked)
{
    draw();
    FAULTY(map.name[0] = 0);
    FAULTY(map.name[1] = 'E');
    FAULTY(map.name[20] = 'x');
    FAULTY(memset(map.name, 'a', sizeof map.name));
    FAULTY(map.theme = MAP_THEMES);
    FAULTY(map.outside = 3);
    FAULTY(map.columns = 3);
    FAULTY(map.columns = 257);
    FAULTY(map.rows = -1);
    FAULTY(map.rows = 257);
    FAULTY(map.spawn_count = 0);
    FAULTY(map.spawn_count = MAP_SPAWN_CAPACITY + 1);
    FAULTY(map.solid_count = -1);
    FAULTY(map.solid_count = MAP_SOLID_CAPACITY + 1);
    FAULTY(map.point_count = MAP_PATH_POINT_CAPACITY + 1);
    FAULTY(map.ball_count = MAP_BALL_CAPACITY + 1);
    FAULTY(map.switch_count = MAP_SWITCH_CAPACITY + 1);
    FAULTY(map.chest_count = -1);
    FAULTY(map.chest_count = MAP_CHEST_CAPACITY + 1);
    FAULTY(map.goal_count = MAP_GOAL_CAPACITY + 1);
    FAULTY(map.block_return_ticks = -1);
    FAULTY(map.block_return_ticks = MAP_TICKS_MAX + 1);
    FAULTY(map.tiles[3] = DF_TILE_KINDS);
    FAULTY(map.tiles[16 * 7] = DF_TILE_SOLID);
}

TEST(every_mover_and_crusher_is_checked)
{
    draw();
    FAULTY(map.solids[0].kind = MAP_SOLID_KINDS);
    FAULTY(map.solids[0].kind = MAP_SOLID_CONVEYOR);
    FAULTY(map.solids[0].oneway = 2);
    FAULTY(map.solids[0].group = MAP_SOLID_CAPACITY + 1);
    FAULTY(map.solids[0].box.w = 0);
    FAULTY(map.solids[0].box.h = 2049);
    FAULTY(map.solids[0].box.x = -300);
    FAULTY(map.solids[0].box.x = INT32_MAX);
    FAULTY(map.solids[0].path_mode = 2);
    FAULTY(map.solids[0].path_count = 1);
    FAULTY(map.solids[0].path_count = 5);
    FAULTY(map.solids[0].path_first = -1);
    FAULTY(map.solids[0].path_first = INT32_MAX);
    FAULTY(map.solids[0].period_ticks = 1);
    FAULTY(map.solids[0].period_ticks = 36001);
    FAULTY(map.solids[0].period_ticks = 5); // 48 px in 5 ticks
    FAULTY(map.solids[0].phase_ticks = 100);
    FAULTY(map.solids[0].phase_ticks = -1);
    FAULTY(map.solids[0].drop_px = 1);
    FAULTY(map.points[0].x = 1);
    FAULTY(map.points[1].x = INT32_MIN);
    FAULTY(map.points[1].y = 4000);
    FAULTY(map.solids[1].drop_px = 0);
    FAULTY(map.solids[1].drop_px = 2049);
    FAULTY(map.solids[1].drop_px = 1000);
    FAULTY(map.solids[1].path_count = 2);
    FAULTY(map.solids[1].oneway = 1);
    FAULTY(map.solids[1].group = 1);
    FAULTY((map.outside = DF_OUTSIDE_WRAP, map.solids[1].drop_px = 48));
    FAULTY((map.outside = DF_OUTSIDE_WRAP, map.solids[0].box.w = 128));
}

TEST(every_door_and_lift_is_checked)
{
    draw();
    FAULTY(map.switch_count = 0); // nothing opens the door
    FAULTY(map.solids[DOOR].channel = 2);
    FAULTY(map.solids[DOOR].channel = 0);
    FAULTY(map.solids[DOOR].channel = MAP_CHANNEL_CAPACITY + 1);
    FAULTY(map.solids[DOOR].path_mode = MAP_PATH_PINGPONG);
    FAULTY(map.solids[DOOR].period_ticks = 61); // it would not arrive
    FAULTY(map.solids[DOOR].phase_ticks = 1);
    FAULTY(map.solids[DOOR].period_ticks = 4); // 48 px in 4 ticks
    FAULTY(map.solids[DOOR].path_count = 0);
    FAULTY(map.solids[DOOR].drop_px = 1);
    FAULTY(map.solids[MOVER].channel = 1);
    FAULTY(map.solids[MOVER].path_mode = MAP_PATH_CALL);
    FAULTY(map.solids[CRUSHER].channel = 1);
    FAULTY((map.solids[DOOR].kind = MAP_SOLID_LIFT, map.solids[DOOR].path_mode = MAP_PATH_MODES));
    map = good;
    map.solids[DOOR].kind = MAP_SOLID_LIFT;
    map.solids[DOOR].path_mode = MAP_PATH_PINGPONG;
    map.solids[DOOR].phase_ticks = 59;
    assert_true(map_validate(&map, NULL));
}

TEST(every_surface_is_checked)
{
    draw();
    FAULTY(map.solids[CONVEYOR].belt_sub = 0);
    FAULTY(map.solids[CONVEYOR].belt_sub = MAP_BELT_SPEED_SUB_MAX + 1);
    FAULTY(map.solids[CONVEYOR].belt_sub = -MAP_BELT_SPEED_SUB_MAX - 1);
    FAULTY(map.solids[CONVEYOR].group = 1);
    FAULTY(map.solids[CONVEYOR].period_ticks = 60);
    FAULTY(map.solids[CONVEYOR].channel = 1);
    FAULTY(map.solids[CONVEYOR].slippery = 1);
    FAULTY(map.solids[CRUSHER].belt_sub = 1);
    FAULTY(map.solids[CRUSHER].slippery = 1);
    FAULTY(map.solids[MOVER].slippery = 2);
    map = good;
    map.solids[MOVER].belt_sub = -MAP_BELT_SPEED_SUB_MAX;
    map.solids[DOOR].slippery = 1;
    assert_true(map_validate(&map, NULL));
}

TEST(switches_chests_and_goals_are_checked)
{
    draw();
    FAULTY(map.switches[0].kind = MAP_SWITCH_KINDS);
    FAULTY(map.switches[0].box.w = 7);
    FAULTY(map.switches[0].box.h = 7);
    FAULTY(map.switches[0].box.x = -1);
    FAULTY(map.switches[0].box.x = INT32_MAX);
    FAULTY(map.switches[0].box.y = 49);
    FAULTY(map.switches[0].channel = 33);
    FAULTY(map.switches[0].hold_ticks = -1);
    FAULTY(map.switches[0].hold_ticks = MAP_TICKS_MAX + 1);
    FAULTY(map.chests[0].x = INT32_MIN);
    FAULTY(map.chests[0].y = 50); // in the floor
    FAULTY(map.chests[0].gifts = 0);
    FAULTY(map.chests[0].gifts = 1u << MAP_GIFTS);
    FAULTY(map.chests[0].respawn_ticks = MAP_TICKS_MAX + 1);
    FAULTY(map.goals[0].team = 0);
    FAULTY(map.goals[0].team = 3);
    FAULTY(map.goals[0].column = 2);  // no block
    FAULTY(map.goals[0].columns = 2); // the other's
    FAULTY(map.goals[0].columns = INT32_MAX);
    FAULTY(map.goals[0].rows = 0);
    FAULTY(map.goals[0].row = -1);
}

TEST(boxes_overlap_across_the_seam)
{
    static const struct {
        struct df_box a, b;
        bool walled, wraps;
    } rows[] = {
        // The map is 128 x 56 px.
        /* 1 */ {{0, 0, 8, 8}, {7, 7, 8, 8}, true, true},
        /* 2 */ {{0, 0, 8, 8}, {8, 0, 8, 8}, false, false},
        /* 3 */ {{0, 0, 8, 8}, {124, 0, 8, 8}, false, true}, // over the right edge
        /* 4 */ {{0, 0, 8, 8}, {-124, 0, 8, 8}, false, true},
        /* 5 */ {{0, 0, 8, 8}, {120, 0, 8, 8}, false, false},
        /* 6 */ {{0, 0, 8, 8}, {0, 50, 8, 8}, false, true},  // over the lower edge
        /* 7 */ {{0, 0, 100, 8}, {90, 0, 8, 8}, true, true}, // wider than half of the map
        /* 8 */ {{110, 0, 100, 8}, {10, 0, 8, 8}, false, true},
        /* 9 */ {{110, 0, 100, 8}, {82, 0, 8, 8}, false, false},
    };
    draw();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        map.outside = DF_OUTSIDE_SOLID;
        assert_int_equal(map_overlaps(&map, rows[i].a, rows[i].b), rows[i].walled);
        map.outside = DF_OUTSIDE_WRAP;
        assert_int_equal(map_overlaps(&map, rows[i].a, rows[i].b), rows[i].wraps);
        assert_int_equal(map_overlaps(&map, rows[i].b, rows[i].a), rows[i].wraps);
    }
}

TEST(the_members_of_a_group_must_move_alike)
{
    draw();
    map.solids[CRUSHER] = map.solids[MOVER];
    map.solids[CRUSHER].box.y = 40;
    map.solids[MOVER].group = map.solids[CRUSHER].group = 1;
    assert_true(map_validate(&map, NULL));
    map.solids[CRUSHER].phase_ticks = 1;
    assert_false(map_validate(&map, NULL));
    map = good;
    map.solids[CRUSHER] = map.solids[DOOR];
    map.solids[CRUSHER].box.y = 16;
    map.solids[DOOR].group = map.solids[CRUSHER].group = 1;
    assert_true(map_validate(&map, NULL));
    map.switches[map.switch_count] = map.switches[0];
    map.switches[map.switch_count++].channel = 2;
    map.solids[CRUSHER].channel = 2; // two switches would pull the group apart
    assert_false(map_validate(&map, NULL));
}

TEST(balls_and_spawns_are_checked)
{
    draw();
    FAULTY(map.balls[0].radius_px = 1);
    FAULTY(map.balls[0].radius_px = 33);
    FAULTY(map.balls[0].cx = 3);
    FAULTY(map.balls[0].vy = 1537);
    FAULTY(map.spawns[0].x = 3);
    FAULTY(map.spawns[0].y = 57);
    FAULTY(map.spawns[0].team = 3);
    FAULTY(map.spawns[0].x = 8);  // in the wall
    FAULTY(map.spawns[0].x = 84); // in the spikes
}

TEST(a_distance_is_the_short_way_round_where_the_map_wraps)
{
    static const struct {
        int32_t a, b, walled, wraps;
    } rows[] = {
        // The side is 128 px.
        /* 1 */ {0, 0, 0, 0},      /* 2 */ {10, 74, 64, 64},     /* 3 */ {10, 75, 65, -63},
        /* 4 */ {74, 10, -64, 64}, /* 5 */ {120, 5, -115, 13},   /* 6 */ {5, 120, 115, -13},
        /* 7 */ {0, 300, 300, 44}, /* 8 */ {0, -300, -300, -44}, /* 9 */ {-200, 250, 450, -62},
        /* 10 */ {0, 128, 128, 0}, /* 11 */ {0, -128, -128, 0},
    };
    draw();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        map.outside = DF_OUTSIDE_EMPTY;
        assert_int_equal(map_distance(&map, rows[i].a, rows[i].b, 128), rows[i].walled);
        map.outside = DF_OUTSIDE_WRAP;
        assert_int_equal(map_distance(&map, rows[i].a, rows[i].b, 128), rows[i].wraps);
    }
}

TEST(every_used_value_changes_the_hash)
{
    draw();
    uint64_t hash = map_hash(&good);
#define SEEN(change)                                                                                                   \
    do {                                                                                                               \
        map = good;                                                                                                    \
        change;                                                                                                        \
        assert_true(map_hash(&map) != hash);                                                                           \
    } while (0)
    SEEN(map.name[2] = 'z');
    SEEN(map.theme = 1);
    SEEN(map.outside = 1);
    SEEN(map.tiles[20] = DF_TILE_ONEWAY);
    SEEN(map.spawns[0].team = 1);
    SEEN(map.solids[0].phase_ticks = 1);
    SEEN(map.solids[1].drop_px = 29);
    SEEN(map.points[1].x = 25);
    SEEN(map.balls[0].vx = 101);
    SEEN(map.block_return_ticks = 1);
    SEEN(map.solids[DOOR].slippery = 1);
    SEEN(map.solids[CONVEYOR].belt_sub = 65);
    SEEN(map.switches[0].hold_ticks = 1);
    SEEN(map.chests[0].respawn_ticks = 61);
    SEEN(map.goals[1].team = 1);
    map = good;
    map.points[100].x = 7; // beyond the count
    assert_true(map_hash(&map) == hash);
}

// A hash names a map in packets and in replays, so it changes only with
// what a map is (tests/tools/renew.sh).
TEST(the_hash_of_a_map_is_the_same_on_every_machine)
{
    draw();
    map.balls[0].vy = -7;
    map.goals[1].rows = 1;
    map.chests[0].gifts = 3;
    map.switches[0].hold_ticks = 5;
    assert_true(figures_are_kept(FIGURES, "drawn", "%016" PRIx64, map_hash(&map)));
    memset(&map, 0, sizeof map);
    assert_true(figures_are_kept(FIGURES, "empty", "%016" PRIx64, map_hash(&map)));
}

TEST(a_goal_has_the_tiles_of_its_rectangle)
{
    struct map_goal goal = {.team = 1, .column = 3, .row = 5, .columns = 2, .rows = 4};
    struct {
        int32_t column, row;
        bool inside;
    } rows[] = {
        /* 0 */ {3, 5, true},  {4, 8, true},  {2, 5, false},
        /* 3 */ {5, 5, false}, {3, 4, false}, {3, 9, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (map_goal_has(&goal, rows[i].column, rows[i].row) != rows[i].inside)
            fail_msg("row %zu", i);
}

// Where a solid is on a path of three points, and on a square that it goes round, at several ticks.
TEST(a_path_is_followed_leg_by_leg)
{
    struct map_point bent[] = {{0, 0}, {24, 0}, {24, 8}}, square[] = {{0, 0}, {8, 0}, {8, 8}, {0, 8}};
    struct map_point waits[] = {{0, 0}, {0, 0}, {8, 0}, {8, 8}}, slope[] = {{0, 0}, {30, -40}, {30, -40}};
    struct {
        struct map_point *points;
        int32_t count;
        enum map_path_mode mode;
        int32_t period_ticks, phase_ticks;
        uint32_t clock_ticks;
        int32_t x, y;
    } rows[] = {
        /*  0 */ {bent, 3, MAP_PATH_PINGPONG, 128, 0, 0, 0, 0},
        /*  1 */ {bent, 3, MAP_PATH_PINGPONG, 128, 0, 16, 8, 0},
        /*  2 */ {bent, 3, MAP_PATH_PINGPONG, 128, 0, 48, 24, 0},
        /*  3 */ {bent, 3, MAP_PATH_PINGPONG, 128, 0, 56, 24, 4},
        /*  4 */ {bent, 3, MAP_PATH_PINGPONG, 128, 0, 64, 24, 8},
        /*  5 */ {bent, 3, MAP_PATH_PINGPONG, 128, 0, 72, 24, 4},
        /*  6 */ {bent, 3, MAP_PATH_PINGPONG, 128, 0, 128 + 16, 8, 0},
        /*  7 */ {bent, 3, MAP_PATH_PINGPONG, 128, 40, 16, 24, 4},
        /*  8 */ {square, 4, MAP_PATH_LOOP, 64, 0, 8, 4, 0},
        /*  9 */ {square, 4, MAP_PATH_LOOP, 64, 0, 24, 8, 4},
        /* 10 */ {square, 4, MAP_PATH_LOOP, 64, 0, 40, 4, 8},
        /* 11 */ {square, 4, MAP_PATH_LOOP, 64, 0, 56, 0, 4},
        /* 12 */ {square, 4, MAP_PATH_LOOP, 64, 32, 56, 8, 4},
        /* 13 */ {waits, 4, MAP_PATH_PINGPONG, 64, 0, 24, 8, 4},
        /* 14 */ {waits, 4, MAP_PATH_PINGPONG, 64, 0, 0, 0, 0}, // two points at one place
        /* 15 */ {bent, 1, MAP_PATH_PINGPONG, 64, 0, 24, 0, 0}, // stands still
        /* 16 */ {slope, 2, MAP_PATH_PINGPONG, 100, 0, 10, 6, -8},
        /* 17 */ {slope, 2, MAP_PATH_PINGPONG, 100, 0, 60, 24, -32},
        /* 18 */ {slope, 3, MAP_PATH_PINGPONG, 100, 0, 50, 30, -40}, // two points at its end
        /* 19 */ {slope, 3, MAP_PATH_LOOP, 100, 0, 75, 15, -20},
        /* 20 */ {&slope[1], 2, MAP_PATH_LOOP, 100, 0, 75, 0, 0},
    };
    memset(&map, 0, sizeof map);
    map.points[1] = (struct map_point){3, -4};
    assert_int_equal(map_path_length_sub(&map, &(struct map_solid){.path_count = 2, .path_mode = MAP_PATH_PINGPONG}),
                     5 * DF_SUB);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int32_t x = -1, y = -1;
        struct map_solid solid = {.path_first = 2,
                                  .path_count = rows[i].count,
                                  .path_mode = rows[i].mode,
                                  .period_ticks = rows[i].period_ticks,
                                  .phase_ticks = rows[i].phase_ticks};
        memset(&map, 0, sizeof map);
        memcpy(&map.points[2], rows[i].points, (size_t)rows[i].count * sizeof map.points[0]);
        map_path_offset(&map, &solid, rows[i].clock_ticks, &x, &y);
        if (x != rows[i].x * DF_SUB || y != rows[i].y * DF_SUB)
            fail_msg("row %zu: %d, %d", i, x, y);
    }
}
