// SPDX-License-Identifier: MIT
#include "launcher.h"

#include "arrow.h"

// Where an arrow leaves: a box of its size, flush with the middle of the side.
static struct df_box mouth(const struct df_solid *solid, int32_t aim_x, int32_t aim_y)
{
    int32_t edge = TUNING.arrow_edge_px;
    return (struct df_box){aim_x < 0   ? solid->x - edge
                           : aim_x > 0 ? solid->x + solid->w
                                       : solid->x + (solid->w - edge) / 2,
                           aim_y > 0 ? solid->y + solid->h : solid->y + (solid->h - edge) / 2, edge, edge};
}

void launcher_step(struct step *step)
{
    const struct world *world = step->world;
    for (uint32_t i = 0; i < (uint32_t)step->map->solid_count; i++) {
        const struct map_solid *solid = &step->map->solids[i];
        uint32_t clock_ticks = world->tick - world->round.paused_ticks + (uint32_t)solid->phase_ticks;
        if (!map_is_launcher(solid) || clock_ticks % (uint32_t)solid->period_ticks != 0)
            continue;
        int32_t aim_x = solid->kind == MAP_SOLID_LAUNCHER_RIGHT ? 1 : solid->kind == MAP_SOLID_LAUNCHER_LEFT ? -1 : 0;
        struct df_box from = mouth(&world->solids[i], aim_x, aim_x == 0);
        if (!df_space_blocked(&step->space, from))
            arrow_shoot(step, ARROW_NORMAL, EVENT_NOBODY, from, aim_x, aim_x == 0);
    }
}
