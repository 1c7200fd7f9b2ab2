// SPDX-License-Identifier: MIT
//
// What holds for any part of a world that world_step makes. world_validate() and the entities ask it of worlds that
// came from the wire, after the ranges of their fields.
#ifndef GAME_VALID_H
#define GAME_VALID_H

#include <stdlib.h>

#include "state.h"
#include "tuning.h"

/// How far outside the map anything may be, px.
#define VALID_BORDER_PX 1024

/// Returns true if all words of a struct are zero.
static inline bool valid_is_zero(const void *of, size_t bytes)
{
    const uint32_t *words = of;
    uint32_t any = 0;
    for (size_t i = 0; i < bytes / sizeof *words; i++)
        any |= words[i];
    return any == 0;
}

/// Returns true if a place, px, is on the map or near it.
static inline bool valid_place(const struct map *map, int32_t x, int32_t y)
{
    return x >= -VALID_BORDER_PX && y >= -VALID_BORDER_PX && x <= map->columns * MAP_EDGE_PX + VALID_BORDER_PX &&
           y <= map->rows * MAP_EDGE_PX + VALID_BORDER_PX;
}

/// Returns true if it can be the fraction of a place, sub.
static inline bool valid_rem(int32_t rem)
{
    return rem >= -DF_SUB / 2 && rem <= DF_SUB / 2;
}

/// Returns true if a player or an arrow can be that fast.
static inline bool valid_speed(int32_t vx, int32_t vy)
{
    return abs(vx) <= TUNING.speed_max && abs(vy) <= TUNING.speed_max;
}

/// Returns true if a reference is the slot + 1 of a player who is there, or 0.
static inline bool valid_reference(const struct world *world, uint32_t reference)
{
    return reference == 0 || (reference <= world->player_slots && world->players[reference - 1].state != PLAYER_ABSENT);
}

/// Returns true if an actor can be as it is, with a box of that size.
static inline bool valid_actor(const struct world *world, const struct map *map, const struct df_actor *actor,
                               int32_t w, int32_t h)
{
    return actor->w == w && actor->h == h && valid_place(map, actor->x, actor->y) && valid_rem(actor->rem_x) &&
           valid_rem(actor->rem_y) && abs(actor->lift_x) <= DF_LIFT_X_MAX && actor->lift_y <= 0 &&
           actor->lift_y >= DF_LIFT_UP_MAX && actor->carrier <= world->solid_count && actor->ride <= DF_RIDE_NEVER;
}

#endif
