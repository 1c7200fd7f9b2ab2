// SPDX-License-Identifier: MIT
#include "smoothing.h"

#include <stdlib.h>
#include <string.h>

// A tick takes an eighth of an error away, and at least this many sub, so that small errors are gone at once.
#define DECAY_DIVISOR 8
#define DECAY_SUB_MIN 64

static int32_t decayed(int32_t error)
{
    int32_t amount = abs(error) / DECAY_DIVISOR;
    amount = amount > DECAY_SUB_MIN ? amount : DECAY_SUB_MIN;
    return abs(error) <= amount ? 0 : error > 0 ? error - amount : error + amount;
}

void smoothing_correct(struct smoothing *smoothing, const struct map *map, const struct world *drawn,
                       const struct world *corrected)
{
    struct pose *from = smoothing->poses[0], *to = smoothing->poses[1];
    pose_all(from, map, drawn);
    pose_all(to, map, corrected);
    for (uint32_t i = 0; i < POSE_CAPACITY; i++) {
        struct smoothing_error *now = &smoothing->now[i], *before = &smoothing->before[i];
        int32_t x = from[i].x - to[i].x, y = from[i].y - to[i].y;
        *now = (struct smoothing_error){now->x + x, now->y + y};
        *before = (struct smoothing_error){before->x + x, before->y + y};
        bool same = from[i].identity != 0 && from[i].identity == to[i].identity;
        if (!same || abs(now->x) > POSE_TELEPORT_SUB || abs(now->y) > POSE_TELEPORT_SUB)
            *now = *before = (struct smoothing_error){0};
    }
}

void smoothing_decay(struct smoothing *smoothing)
{
    memcpy(smoothing->before, smoothing->now, sizeof smoothing->now);
    for (uint32_t i = 0; i < POSE_CAPACITY; i++) {
        smoothing->now[i].x = decayed(smoothing->now[i].x);
        smoothing->now[i].y = decayed(smoothing->now[i].y);
    }
}
