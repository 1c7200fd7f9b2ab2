// SPDX-License-Identifier: MIT
#include "mind.h"

#include "base/rng.h"

static uint32_t dice_at(const struct world *world, tick at, uint32_t slot, uint32_t hold_ticks, uint32_t salt)
{
    uint32_t state =
        world->rules.seed ^ slot * 0x9E3779B9u ^ (at + slot * 7) / hold_ticks * 0x85EBCA6Bu ^ salt * 0xC2B2AE35u;
    rng_next(&state);
    return rng_next(&state);
}

uint32_t mind_dice(const struct world *world, uint32_t slot, uint32_t hold_ticks, uint32_t salt)
{
    return dice_at(world, world->tick, slot, hold_ticks, salt);
}

uint32_t mind_mood(const struct mind *mind, uint32_t hold_ticks, uint32_t salt)
{
    return dice_at(mind->world, mind->mood_tick, mind->slot, hold_ticks, salt);
}

struct spot mind_way(const struct mind *mind, int32_t x, int32_t y)
{
    return (struct spot){map_distance(mind->map, mind->x, x, mind->map->columns * MAP_EDGE_PX),
                         map_distance(mind->map, mind->y, y, mind->map->rows * MAP_EDGE_PX)};
}

struct spot mind_way_to(const struct mind *mind, uint32_t actor)
{
    const struct df_actor *a = &mind->world->actors[actor];
    return mind_way(mind, a->x + a->w / 2, a->y + a->h / 2);
}

// The solid with a cell of its own that ends just below a point, or null's cell.
static uint16_t ride_at(const struct mind *mind, int32_t x, int32_t feet)
{
    for (uint32_t i = 0; i < (uint32_t)mind->map->solid_count; i++) {
        const struct df_solid *s = &mind->world->solids[i];
        if (mind->ways->rides[i] != NAV_CELL_NONE &&
            map_overlaps(mind->map, (struct df_box){x - 4, feet - 1, 8, 3}, (struct df_box){s->x, s->y, s->w, 1}))
            return mind->ways->rides[i];
    }
    return NAV_CELL_NONE;
}

uint16_t mind_cell_beneath(const struct mind *mind, int32_t x, int32_t feet, int32_t rows)
{
    uint16_t cell = NAV_CELL_NONE;
    for (int32_t row = 0; cell == NAV_CELL_NONE && row < rows; row++)
        cell = nav_graph_cell(mind->ways, mind->map, x, feet + row * MAP_EDGE_PX);
    return cell;
}

uint16_t mind_cell(const struct mind *mind, int32_t x, int32_t feet, int32_t rows)
{
    if (mind->ways == NULL)
        return NAV_CELL_NONE;
    uint16_t ride = ride_at(mind, x, feet);
    return ride != NAV_CELL_NONE ? ride : mind_cell_beneath(mind, x, feet, rows);
}

bool mind_is_enemy(const struct mind *mind, uint32_t slot)
{
    const struct player *other = &mind->world->players[slot];
    return slot != mind->slot && other->state == PLAYER_ALIVE &&
           (mind->player->team == 0 || other->team != mind->player->team);
}

const struct player *mind_enemy(const struct mind *mind, struct spot *at)
{
    const struct player *nearest = NULL;
    int32_t best = INT32_MAX;
    for (uint32_t slot = 0; slot < mind->world->player_slots; slot++) {
        if (!mind_is_enemy(mind, slot))
            continue;
        struct spot to = mind_way_to(mind, slot);
        int32_t distance = abs(to.x) + 2 * abs(to.y);
        if (distance >= best)
            continue;
        best = distance;
        nearest = &mind->world->players[slot];
        *at = to;
    }
    return nearest;
}
