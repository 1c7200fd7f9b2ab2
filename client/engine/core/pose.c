// SPDX-License-Identifier: MIT
#include "pose.h"

#include <stdlib.h>

uint32_t pose_distance(const struct map *map, struct pose a, struct pose b)
{
    struct view_point offset = pose_offset(map, a, b);
    int32_t x = abs(offset.x), y = abs(offset.y);
    return (uint32_t)(x > y ? x : y);
}

bool pose_is_dying(const struct player *predicted, const struct player *confirmed)
{
    return predicted->state == PLAYER_DEAD && confirmed->state == PLAYER_ALIVE &&
           predicted->generation == confirmed->generation;
}

bool pose_is_same_life(const struct player *predicted, const struct player *confirmed)
{
    return pose_life(predicted) != 0 && pose_life(predicted) == pose_life(confirmed);
}

bool pose_is_continuous(const struct map *map, struct pose from, struct pose to)
{
    return from.identity != 0 && from.identity == to.identity &&
           pose_distance(map, from, to) <= (uint32_t)POSE_TELEPORT_SUB;
}
