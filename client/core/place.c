// SPDX-License-Identifier: MIT
#include "place.h"

#include <stdlib.h>
#include <string.h>

uint32_t place_ridden(const struct map *map, const struct world *world, uint32_t actor)
{
    const struct df_tiles tiles = {.kinds = map->tiles,
                                   .columns = map->columns,
                                   .rows = map->rows,
                                   .edge_px = MAP_EDGE_PX,
                                   .outside = (enum df_outside)map->outside};
    for (uint32_t i = 0; i < world->solid_count; i++)
        if (df_actor_rides(&world->actors[actor], &world->solids[i], &tiles))
            return i;
    return PLACE_NO_SOLID;
}

static struct place place_actor(const struct map *map, const struct world *world, uint32_t index, uint64_t identity)
{
    const struct df_actor *actor = &world->actors[index];
    if (identity == 0 || !(actor->flags & DF_ACTOR_ALIVE))
        return (struct place){0};
    struct place place = {actor->x * 256 + actor->rem_x, actor->y * 256 + actor->rem_y, identity};
    uint32_t solid = place_ridden(map, world, index);
    if (solid != PLACE_NO_SOLID) {
        place.x += world->solids[solid].rem_x;
        place.y += world->solids[solid].rem_y;
    }
    return place;
}

static uint64_t player_identity(const struct player *player)
{
    return player->state == PLAYER_ALIVE ? 1 + ((uint64_t)player->generation << 32 | player->deaths) : 0;
}

void place_all(struct place *places, const struct map *map, const struct world *world)
{
    memset(places, 0, PLACE_CAPACITY * sizeof *places);
    for (uint32_t i = 0; i < world->player_slots; i++)
        places[i] = place_actor(map, world, i, player_identity(&world->players[i]));
    for (uint32_t i = 0; i < world->arrow_slots; i++) {
        uint64_t identity = world->arrows[i].state != ARROW_ABSENT ? 1 + (uint64_t)world->arrows[i].owner : 0;
        places[PLAYER_CAPACITY + i] = place_actor(map, world, PLAYER_CAPACITY + i, identity);
    }
    for (uint32_t i = 0; i < world->chest_count; i++)
        places[CHEST_ACTORS + i] = place_actor(map, world, CHEST_ACTORS + i, world->chests[i].state);
    for (uint32_t i = 0; i < world->solid_count; i++) {
        const struct df_solid *solid = &world->solids[i];
        places[PLACE_SOLIDS + i] = (struct place){solid->x * 256 + solid->rem_x, solid->y * 256 + solid->rem_y,
                                                  solid->flags & DF_SOLID_PRESENT};
    }
    for (uint32_t i = 0; i < world->ball_count; i++) {
        const struct df_ball *ball = &world->balls[i];
        places[PLACE_BALLS + i] = (struct place){ball->cx, ball->cy, ball->flags & DF_BALL_ALIVE};
    }
}

bool place_joined(struct place from, struct place to)
{
    return from.identity != 0 && from.identity == to.identity && abs(to.x - from.x) <= PLACE_TELEPORT_SUB &&
           abs(to.y - from.y) <= PLACE_TELEPORT_SUB;
}
