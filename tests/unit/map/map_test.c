// SPDX-License-Identifier: MIT
// Tests distances, boxes, paths and goals of a map, and what changes its hash; map_edges_test.c what is refused.
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
