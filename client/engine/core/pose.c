// SPDX-License-Identifier: MIT
#include "pose.h"

#include <stdlib.h>

uint32_t pose_distance(const struct map *map, struct pose a, struct pose b)
{
    int32_t x = abs(pose_x_offset(map, a, b)), y = abs(pose_y_offset(map, a, b));
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
           abs(pose_x_offset(map, from, to)) <= POSE_TELEPORT_SUB &&
           abs(pose_y_offset(map, from, to)) <= POSE_TELEPORT_SUB;
}
