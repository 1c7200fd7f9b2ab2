// SPDX-License-Identifier: MIT
//
// Pins simulated motions: every motion from many places of random maps, among moving solids, dangers, doors and
// targets, must end as it did when the hash was recorded. A refactoring must not change the hash.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ai/motion_simulation.h"
#include "figures.h"
#include "test.h"
#include "test_map.h"

enum { MAPS = 40, STARTS = 24 };

static struct map map;
static uint32_t seed;

static int32_t dice(int32_t from, int32_t to)
{
    seed = seed * 1664525u + 1013904223u;
    return from + (int32_t)((seed >> 8) % (uint32_t)(to - from + 1));
}

static struct df_box box_near(int32_t x, int32_t y)
{
    return (struct df_box){x + dice(-60, 60), y + dice(-40, 40), dice(8, 40), dice(4, 24)};
}

// What may be near the start of a motion: solids (some of them one-way), hazards, a door, a target.
static void draw_space(struct motion_space *space, int32_t x, int32_t y)
{
    *space = (struct motion_space){.map = &map,
                                   .tiles = {.kinds = map.tiles,
                                             .columns = map.columns,
                                             .rows = map.rows,
                                             .edge_px = MAP_EDGE_PX,
                                             .outside = (enum df_outside)map.outside}};
    space->solid_count = (uint32_t)dice(0, 3);
    for (uint32_t i = 0; i < space->solid_count; i++) {
        struct df_box box = box_near(x, y);
        space->solids[i] = (struct motion_solid){
            .box = box, .at = box, .vx = dice(-600, 600), .vy = dice(-600, 600), .oneway = dice(0, 2) == 0, .index = i};
    }
    space->danger_count = (uint32_t)dice(0, 2);
    for (uint32_t i = 0; i < space->danger_count; i++)
        space->dangers[i] = (struct motion_danger){.box = box_near(x, y),
                                                   .vx = dice(-900, 900),
                                                   .vy = dice(-900, 900),
                                                   .from_tick = (uint32_t)dice(0, 10),
                                                   .until_tick = (uint32_t)dice(10, 90)};
    space->door_count = (uint32_t)dice(0, 1);
    space->doors[0] = (struct motion_door){.box = box_near(x, y), .index = 3};
    if (dice(0, 1))
        space->target = (struct motion_target){
            .box = box_near(x, y), .vx = dice(-300, 300), .vy = dice(-300, 300), .head = dice(0, 1) == 0};
}

static struct motion_body draw_start(int32_t x, int32_t y)
{
    return (struct motion_body){.x_sub = x * DF_SUB + dice(0, 255),
                                .y_sub = y * DF_SUB + dice(0, 255),
                                .vx = dice(0, 1) ? 0 : dice(-600, 600),
                                .vy = dice(0, 1) ? 0 : dice(-900, 900),
                                .facing = dice(0, 1) ? 1 : -1,
                                .dashes = (uint32_t)dice(0, 1),
                                .on = dice(0, 3) == 0 ? (uint32_t)dice(1, 3) : 0,
                                .grounded = dice(0, 1) == 0};
}

static uint32_t mix(uint32_t hash, const struct motion_body *end)
{
    uint32_t values[] = {(uint32_t)end->x_sub,
                         (uint32_t)end->y_sub,
                         (uint32_t)end->vx,
                         (uint32_t)end->vy,
                         end->ticks,
                         end->harm_tick,
                         end->target_tick,
                         end->door,
                         end->hold_ticks,
                         (uint32_t)end->facing,
                         end->dash_ticks,
                         end->dashes,
                         end->on,
                         end->forced_ticks,
                         end->grounded,
                         (uint32_t)end->hangs + 2 * end->dead};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        hash = (hash ^ values[i]) * 16777619u;
    return hash;
}

TEST(motions_end_as_recorded)
{
    static struct motion_space space;
    uint32_t hash = 2166136261u, ends[4] = {0};
    for (uint32_t number = 1; number <= MAPS; number++) {
        test_map_random(&map, number, 40, 30);
        seed = number;
        for (uint32_t start = 0; start < STARTS; start++) {
            int32_t x = dice(MAP_EDGE_PX, 38 * MAP_EDGE_PX), y = dice(MAP_EDGE_PX, 28 * MAP_EDGE_PX);
            draw_space(&space, x, y);
            struct motion_body begin = draw_start(x, y);
            for (uint32_t motion = 0; motion < MOTIONS; motion++) {
                struct motion_body end = motion_simulation_run(&space, begin, &MOTION_TABLE[motion], 20);
                ends[end.dead ? 0 : end.target_tick ? 1 : end.grounded ? 2 : 3]++;
                hash = mix(hash, &end);
            }
        }
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        assert_true(ends[i] > 100); // each way to end is among them
    assert_true(
        figures_are_kept(SOURCE_ROOT "/tests/unit/ai/motion_simulation.figures", "motions", "%08" PRIx32, hash));
}

TEST(a_motion_begins_with_its_buttons)
{
    static const struct {
        struct motion motion;
        uint32_t buttons;
    } rows[] = {
        {{.first = -1, .then = 1, .first_ticks = 1}, BUTTON_LEFT},
        {{.first = -1, .then = 1}, BUTTON_RIGHT},
        {{.first = 1, .first_ticks = 9, .takeoff = TAKEOFF_JUMP}, BUTTON_RIGHT | BUTTON_JUMP},
        {{.takeoff = TAKEOFF_DROP}, BUTTON_DOWN | BUTTON_JUMP},
        {{.then = 1, .dash_tick = 1, .dash_x = -1, .dash_y = -1}, BUTTON_LEFT | BUTTON_UP | BUTTON_DASH},
        {{.then = 1, .dash_tick = 2, .dash_x = -1, .dash_y = 1}, BUTTON_RIGHT},
        {{.dash_tick = 1, .dash_y = 1}, BUTTON_DOWN | BUTTON_DASH},
        {{0}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(motion_simulation_buttons(&rows[i].motion), rows[i].buttons);
}
