// SPDX-License-Identifier: MIT
#include "baselines.h"

void baselines_keep(struct baselines *baselines, const struct world *world)
{
    world_copy(&baselines->worlds[world->tick % BASELINE_TICKS], world);
}

const struct world *baselines_find(const struct baselines *baselines, tick number)
{
    const struct world *kept = &baselines->worlds[number % BASELINE_TICKS];
    if (number == 0)
        return &baselines->fresh;
    return kept->tick == number ? kept : NULL;
}
