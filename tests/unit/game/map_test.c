// SPDX-License-Identifier: MIT
// What map_fault refuses, one fault at a time, and what the map's hash sees.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "test_map.h"

static struct map good, map;

static const char *const ROOM[] = {"################", "#..............#", "#..............#", "#..............#",
                                   "#..............#", "#.S.......^....#", "################", NULL};

static void draw(void)
{
    test_map_draw(&good, ROOM);
    const struct map_point line[] = {{0, 0}, {24, 0}};
    test_map_mover(&good, (struct df_box){40, 24, 16, 8}, line, 2, MAP_PATH_PINGPONG, 100);
    test_map_crusher(&good, (struct df_box){80, 8, 16, 8}, 30);
    test_map_ball(&good, 60, 20, 4, 100, 100);
    map = good;
}

#define FAULTY(change)                                                                                                 \
    do {                                                                                                               \
        map = good;                                                                                                    \
        change;                                                                                                        \
        assert_non_null(map_fault(&map));                                                                              \
    } while (0)

static void a_good_map_has_no_fault(void **state)
{
    (void)state;
    draw();
    assert_null(map_fault(&map));
}

static void every_limit_is_kept(void **state)
{
    (void)state;
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
    FAULTY(map.tiles[3] = DF_TILE_KINDS);
    FAULTY(map.tiles[16 * 7] = DF_TILE_SOLID);
}

static void every_mover_and_crusher_is_checked(void **state)
{
    (void)state;
    draw();
    FAULTY(map.solids[0].kind = 2);
    FAULTY(map.solids[0].oneway = 2);
    FAULTY(map.solids[0].group = MAP_SOLID_CAPACITY + 1);
    FAULTY(map.solids[0].box.w = 0);
    FAULTY(map.solids[0].box.h = 2049);
    FAULTY(map.solids[0].box.x = -300);
    FAULTY(map.solids[0].box.x = INT32_MAX);
    FAULTY(map.solids[0].path_mode = 2);
    FAULTY(map.solids[0].path_count = 1);
    FAULTY(map.solids[0].path_count = 3);
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

static void a_group_must_travel_as_one(void **state)
{
    (void)state;
    draw();
    map.solids[1] = map.solids[0];
    map.solids[1].box.y = 40;
    map.solids[0].group = map.solids[1].group = 1;
    assert_null(map_fault(&map));
    map.solids[1].phase_ticks = 1;
    assert_non_null(map_fault(&map));
}

static void balls_and_spawns_are_checked(void **state)
{
    (void)state;
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

static void the_hash_sees_every_used_value(void **state)
{
    (void)state;
    draw();
    const uint64_t hash = map_hash(&good);
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
    map = good;
    map.points[100].x = 7; // beyond the count
    assert_true(map_hash(&map) == hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_map_has_no_fault),
        cmocka_unit_test(every_limit_is_kept),
        cmocka_unit_test(every_mover_and_crusher_is_checked),
        cmocka_unit_test(a_group_must_travel_as_one),
        cmocka_unit_test(balls_and_spawns_are_checked),
        cmocka_unit_test(the_hash_sees_every_used_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
