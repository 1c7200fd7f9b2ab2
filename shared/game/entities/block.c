// SPDX-License-Identifier: MIT
#include "entities.h"

#include <string.h>

#include "game/rules/mode.h"
#include "game/tuning.h"

_Static_assert(sizeof TUNING.block_return_ticks / sizeof TUNING.block_return_ticks[0] == MODES, "a row for each mode");

static bool is_broken(const struct world *world, uint32_t tile)
{
    return (world->broken[tile / 32] >> tile % 32 & 1u) != 0;
}

static struct df_box tile_box(const struct map *map, uint32_t tile)
{
    return (struct df_box){(int32_t)tile % map->columns * MAP_EDGE_PX, (int32_t)tile / map->columns * MAP_EDGE_PX,
                           MAP_EDGE_PX, MAP_EDGE_PX};
}

// Returns when a block comes back; 0: never.
static uint32_t return_ticks(const struct step *step, uint32_t tile)
{
    const struct map *map = step->map;
    for (int32_t i = 0; mode_of(step->world)->goals && i < map->goal_count; i++)
        if (map_goal_has(&map->goals[i], (int32_t)tile % map->columns, (int32_t)tile / map->columns))
            return 0;
    return map->block_return_ticks > 0 ? (uint32_t)map->block_return_ticks
                                       : TUNING.block_return_ticks[step->world->rules.mode];
}

// Returns false if there is no room.
static bool remember(struct world *world, uint32_t tile, tick return_tick)
{
    uint32_t slot = 0;
    while (slot < RUBBLE_CAPACITY && world->rubble[slot].tile != 0)
        slot++;
    if (slot == RUBBLE_CAPACITY)
        return false;
    world->rubble[slot] = (struct rubble){.tile = tile + 1, .return_tick = return_tick};
    if (world->rubble_slots <= slot)
        world->rubble_slots = slot + 1;
    return true;
}

bool block_break(struct step *step, int32_t column, int32_t row, uint32_t by)
{
    const struct map *map = step->map;
    struct world *world = step->world;
    if (map->outside == DF_OUTSIDE_WRAP) {
        column -= df_floor_div(column, map->columns) * map->columns;
        row -= df_floor_div(row, map->rows) * map->rows;
    }
    if (column < 0 || row < 0 || column >= map->columns || row >= map->rows)
        return false;
    uint32_t tile = (uint32_t)(row * map->columns + column);
    if (map->tiles[tile] != DF_TILE_BLOCK || is_broken(world, tile))
        return false;
    uint32_t ticks = return_ticks(step, tile);
    if (ticks > 0 && !remember(world, tile, world->tick + ticks))
        return false;
    world->broken[tile / 32] |= 1u << tile % 32;
    struct df_box box = tile_box(map, tile);
    event_push(world, EVENT_BREAK, box.x + box.w / 2, box.y + box.h / 2, by, EVENT_NOBODY, 0);
    arrow_release_in(step, box);
    return true;
}

bool block_break_in(struct step *step, struct df_box box, uint32_t by)
{
    bool any = false;
    int32_t right = df_floor_div(box.x + box.w - 1, MAP_EDGE_PX);
    int32_t bottom = df_floor_div(box.y + box.h - 1, MAP_EDGE_PX);
    for (int32_t row = df_floor_div(box.y, MAP_EDGE_PX); row <= bottom; row++)
        for (int32_t column = df_floor_div(box.x, MAP_EDGE_PX); column <= right; column++)
            any |= block_break(step, column, row, by);
    return any;
}

static bool is_free(const struct step *step, struct df_box box)
{
    const struct world *world = step->world;
    for (uint32_t i = 0; i < (uint32_t)step->space.actor_count; i++)
        if ((world->actors[i].flags & DF_ACTOR_ALIVE) != 0 && step_overlaps(step, box, step_actor_box(step, i)))
            return false;
    for (uint32_t i = 0; i < world->ball_count; i++)
        if ((world->balls[i].flags & DF_BALL_ALIVE) != 0 && step_overlaps(step, box, step_ball_box(&world->balls[i])))
            return false;
    return true;
}

void block_step(struct step *step)
{
    struct world *world = step->world;
    for (uint32_t i = 0; i < world->rubble_slots; i++) {
        struct rubble *rubble = &world->rubble[i];
        if (rubble->tile == 0 || world->tick < rubble->return_tick)
            continue;
        uint32_t tile = rubble->tile - 1;
        struct df_box box = tile_box(step->map, tile);
        if (is_broken(world, tile)) {
            if (!is_free(step, box))
                continue;
            world->broken[tile / 32] &= ~(1u << tile % 32);
            event_push(world, EVENT_RETURN, box.x + box.w / 2, box.y + box.h / 2, EVENT_NOBODY, EVENT_NOBODY, 0);
        }
        *rubble = (struct rubble){0};
    }
    while (world->rubble_slots > 0 && world->rubble[world->rubble_slots - 1].tile == 0)
        world->rubble_slots--;
}

void block_begin_round(struct step *step)
{
    struct world *world = step->world;
    memset(world->rubble, 0, world->rubble_slots * sizeof world->rubble[0]);
    world->rubble_slots = 0;
    for (uint32_t tile = 0; tile < world->broken_words * 32; tile++)
        if (is_broken(world, tile) && !is_free(step, tile_box(step->map, tile)))
            remember(world, tile, world->tick);
        else
            world->broken[tile / 32] &= ~(1u << tile % 32);
}

static uint32_t words(const struct map *map)
{
    return ((uint32_t)(map->columns * map->rows) + 31) / 32;
}

void block_start(struct world *world, const struct map *map)
{
    world->broken_words = words(map);
}

bool block_is_valid(const struct world *world, const struct map *map)
{
    if (world->broken_words != words(map) || world->rubble_slots > RUBBLE_CAPACITY)
        return false;
    for (uint32_t slot = 0; slot < world->rubble_slots; slot++) {
        const struct rubble *rubble = &world->rubble[slot];
        if (rubble->tile == 0 ? rubble->return_tick != 0 || slot + 1 == world->rubble_slots
                              : rubble->tile > (uint32_t)(map->columns * map->rows) ||
                                    map->tiles[rubble->tile - 1] != DF_TILE_BLOCK) // nothing else can come back
            return false;
    }
    return true;
}
