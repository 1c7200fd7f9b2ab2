// SPDX-License-Identifier: MIT
#include "poses.h"

#include <string.h>

// Two bodies.
const int32_t POSE_TELEPORT_SUB = 24 * 256;

uint32_t poses_ridden_solid(const struct map *map, const struct world *world, uint32_t actor)
{
    struct df_tiles tiles = {.kinds = map->tiles,
                             .columns = map->columns,
                             .rows = map->rows,
                             .edge_px = MAP_EDGE_PX,
                             .outside = (enum df_outside)map->outside};
    for (uint32_t i = 0; i < world->solid_count; i++)
        if (df_actor_rides(&world->actors[actor], &world->solids[i], &tiles))
            return i;
    return POSES_NO_SOLID;
}

static struct pose actor_pose(const struct map *map, const struct world *world, uint32_t index, uint64_t identity)
{
    const struct df_actor *actor = &world->actors[index];
    if (identity == 0 || !(actor->flags & DF_ACTOR_ALIVE))
        return (struct pose){0};
    struct pose pose = {actor->x * 256 + actor->rem_x, actor->y * 256 + actor->rem_y, identity};
    uint32_t solid = poses_ridden_solid(map, world, index);
    if (solid != POSES_NO_SOLID) {
        pose.x += world->solids[solid].rem_x;
        pose.y += world->solids[solid].rem_y;
    }
    return pose;
}

uint64_t pose_life(const struct player *player)
{
    return player->state == PLAYER_ALIVE ? 1 + ((uint64_t)player->generation << 32 | player->stats.deaths) : 0;
}

void pose_all(struct pose *poses, const struct map *map, const struct world *world)
{
    memset(poses, 0, POSE_CAPACITY * sizeof *poses);
    for (uint32_t i = 0; i < world->player_slots; i++)
        poses[i] = actor_pose(map, world, i, pose_life(&world->players[i]));
    for (uint32_t i = 0; i < world->arrow_slots; i++) {
        uint64_t identity = world->arrows[i].state != ARROW_ABSENT ? 1 + (uint64_t)world->arrows[i].owner : 0;
        poses[PLAYER_CAPACITY + i] = actor_pose(map, world, PLAYER_CAPACITY + i, identity);
    }
    for (uint32_t i = 0; i < world->chest_count; i++)
        poses[CHEST_ACTORS + i] = actor_pose(map, world, CHEST_ACTORS + i, world->chests[i].state != CHEST_AWAY);
    for (uint32_t i = 0; i < world->solid_count; i++) {
        const struct df_solid *solid = &world->solids[i];
        poses[POSE_SOLIDS + i] = (struct pose){solid->x * 256 + solid->rem_x, solid->y * 256 + solid->rem_y,
                                               solid->flags & DF_SOLID_PRESENT};
    }
    for (uint32_t i = 0; i < world->ball_count; i++) {
        const struct df_ball *ball = &world->balls[i];
        poses[POSE_BALLS + i] = (struct pose){ball->cx, ball->cy, ball->flags & DF_BALL_ALIVE};
    }
}

struct pose pose_of_player(const struct world *world, uint32_t slot)
{
    const struct df_actor *actor = &world->actors[slot];
    return (struct pose){actor->x * DF_SUB + actor->rem_x, actor->y * DF_SUB + actor->rem_y, 1};
}

struct view_point pose_offset(const struct map *map, struct pose from, struct pose to)
{
    return (struct view_point){map_distance(map, from.x, to.x, map->columns * MAP_EDGE_PX * 256),
                               map_distance(map, from.y, to.y, map->rows * MAP_EDGE_PX * 256)};
}
