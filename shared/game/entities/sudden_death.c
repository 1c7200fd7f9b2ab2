// SPDX-License-Identifier: MIT
#include "entities.h"

#include <string.h>

#include "game/rules/mode.h"
#include "game/valid.h"

// On a map that wraps there is no outside from which the walls could come: they begin as thin slices at the seam.
#define SLICE_PX 16

uint32_t sudden_death_walls(enum mode mode)
{
    return mode_play(mode)->walls ? WALL_COUNT : 0;
}

// The wall of a side (0 left, 1 right) before it moves, and how far it moves inward, px.
static struct df_box start_box(const struct map *map, uint32_t side, int32_t *way_px)
{
    int32_t width = map->columns * MAP_EDGE_PX, height = map->rows * MAP_EDGE_PX, far = TUNING.lost_px;
    struct df_box box = {0, 0, SLICE_PX, height - 1};
    *way_px = width / 2 - SLICE_PX;
    if (map->outside != DF_OUTSIDE_WRAP) {
        box = (struct df_box){0, -6 * far, width / 2 + far, height + 8 * far};
        box.x = side == 0 ? -box.w : width;
        *way_px = width / 2;
    } else if (side == 1) {
        box.x = width - SLICE_PX;
    }
    return box;
}

static int32_t place_sub(const struct map *map, uint32_t side, uint32_t closing_ticks)
{
    int32_t way_px;
    struct df_box box = start_box(map, side, &way_px);
    int32_t gone_sub = (int32_t)((int64_t)way_px * DF_SUB * closing_ticks / TUNING.sudden_death_closing_ticks);
    return box.x * DF_SUB + (side == 0 ? gone_sub : -gone_sub);
}

static void put(struct world *world, const struct map *map, uint32_t side)
{
    int32_t way_px;
    struct df_box box = start_box(map, side, &way_px);
    world->solids[(uint32_t)map->solid_count + side] =
        (struct df_solid){.x = box.x, .y = box.y, .w = box.w, .h = box.h};
}

void sudden_death_start(struct world *world, const struct map *map)
{
    uint32_t walls = sudden_death_walls((enum mode)world->rules.mode);
    world->solid_count = (uint32_t)map->solid_count + walls;
    for (uint32_t side = 0; side < walls; side++)
        put(world, map, side);
}

void sudden_death_reset(struct step *step)
{
    step->world->round.sudden_death_ticks = 0;
    for (uint32_t side = 0; side < sudden_death_walls((enum mode)step->world->rules.mode); side++) {
        put(step->world, step->map, side);
        df_solid_changed(&step->space, step->map->solid_count + (int32_t)side);
    }
}

void sudden_death_step(struct step *step)
{
    struct world *world = step->world;
    struct round *round = &world->round;
    if (sudden_death_walls((enum mode)world->rules.mode) == 0 || round->phase != ROUND_PLAYING ||
        world->tick - round->since_tick < TUNING.sudden_death_after_ticks ||
        round->sudden_death_ticks >= TUNING.sudden_death_closing_ticks)
        return;
    round->sudden_death_ticks++;
    if (round->sudden_death_ticks == 1)
        event_push(world, EVENT_CLOSING, 0, 0, EVENT_NOBODY, EVENT_NOBODY, 0);
    for (uint32_t side = 0; side < WALL_COUNT; side++) {
        int32_t index = step->map->solid_count + (int32_t)side;
        struct df_solid *wall = &world->solids[index];
        wall->flags = DF_SOLID_PRESENT;
        df_solid_changed(&step->space, index);
        int32_t to_sub = place_sub(step->map, side, round->sudden_death_ticks);
        df_solid_move(&step->space, index, mover_way(step->map, wall->x, wall->rem_x, to_sub, step->map->columns), 0);
    }
}

bool sudden_death_is_valid(const struct world *world, const struct map *map)
{
    static const struct crusher NO_CRUSHER;
    uint32_t walls = sudden_death_walls((enum mode)world->rules.mode), ticks = world->round.sudden_death_ticks;
    if (world->solid_count != (uint32_t)map->solid_count + walls || ticks > TUNING.sudden_death_closing_ticks)
        return false;
    for (uint32_t side = 0; side < walls; side++) {
        const struct df_solid *wall = &world->solids[(uint32_t)map->solid_count + side];
        int32_t way_px;
        struct df_box box = start_box(map, side, &way_px);
        if (wall->w != box.w || wall->h != box.h || wall->y != box.y || wall->rem_y != 0 || !valid_rem(wall->rem_x) ||
            mover_way(map, wall->x, wall->rem_x, place_sub(map, side, ticks), map->columns) != 0 ||
            wall->flags != (ticks > 0 ? (uint32_t)DF_SOLID_PRESENT : 0u) ||
            memcmp(&world->crushers[(uint32_t)map->solid_count + side], &NO_CRUSHER, sizeof NO_CRUSHER) != 0)
            return false;
    }
    return true;
}
