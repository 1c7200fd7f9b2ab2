// SPDX-License-Identifier: MIT
#include "lift.h"

#include "switch.h"

uint32_t lift_clock_max(const struct map_solid *solid)
{
    return (uint32_t)(solid->path_mode == MAP_PATH_CALL ? solid->period_ticks / 2 : solid->period_ticks - 1);
}

static uint32_t next(const struct map_solid *solid, uint32_t clock_ticks, bool on)
{
    uint32_t most = lift_clock_max(solid);
    if (solid->path_mode != MAP_PATH_CALL) {
        if (!on)
            return clock_ticks;
        return clock_ticks == most ? 0 : clock_ticks + 1;
    }
    if (on)
        return clock_ticks == most ? most : clock_ticks + 1;
    return clock_ticks == 0 ? 0 : clock_ticks - 1;
}

void lifts_step(struct step *step)
{
    uint32_t channels = switch_channels(step->world, step->map);
    for (uint32_t i = 0; i < (uint32_t)step->map->solid_count; i++) {
        const struct map_solid *solid = &step->map->solids[i];
        struct crusher *trap = &step->world->crushers[i];
        if (solid->channel != 0)
            trap->clock_ticks = next(solid, trap->clock_ticks, (channels >> (solid->channel - 1) & 1u) != 0);
    }
}
