// SPDX-License-Identifier: MIT
#include "entities.h"

uint32_t mover_clock_ticks(const struct world *world, const struct map *map, uint32_t solid)
{
    return map->solids[solid].kind == MAP_SOLID_MOVER ? world->tick - world->round.paused_ticks
                                                      : world->crushers[solid].clock_ticks;
}

uint32_t mover_clock_max(const struct map_solid *solid)
{
    return (uint32_t)(solid->path_mode == MAP_PATH_CALL ? solid->period_ticks / 2 : solid->period_ticks - 1);
}

// The clock of a door or lift after `ticks` in which its channel stays on, or off.
static uint32_t clock_after(const struct map_solid *solid, uint32_t clock_ticks, bool on, uint32_t ticks)
{
    uint32_t most = mover_clock_max(solid);
    if (solid->path_mode != MAP_PATH_CALL)
        return on ? (clock_ticks + ticks) % (most + 1) : clock_ticks;
    if (on)
        return clock_ticks + ticks < most ? clock_ticks + ticks : most;
    return clock_ticks > ticks ? clock_ticks - ticks : 0;
}

static bool is_on(const struct map_solid *solid, uint32_t channels)
{
    return (channels >> (solid->channel - 1) & 1u) != 0;
}

uint32_t mover_clock_in(const struct world *world, const struct map *map, uint32_t solid, uint32_t ticks)
{
    const struct map_solid *mover = &map->solids[solid];
    uint32_t clock_ticks = mover_clock_ticks(world, map, solid);
    if (mover->kind == MAP_SOLID_MOVER)
        return clock_ticks + ticks;
    return mover->channel == 0 ? clock_ticks
                               : clock_after(mover, clock_ticks, is_on(mover, switch_channels(world, map)), ticks);
}

void mover_step_clocks(struct step *step)
{
    uint32_t channels = switch_channels(step->world, step->map);
    for (uint32_t i = 0; i < (uint32_t)step->map->solid_count; i++) {
        const struct map_solid *solid = &step->map->solids[i];
        struct crusher *state = &step->world->crushers[i];
        if (solid->channel != 0)
            state->clock_ticks = clock_after(solid, state->clock_ticks, is_on(solid, channels), 1);
    }
}

void mover_place(const struct map *map, uint32_t solid, uint32_t clock_ticks, int32_t *x_sub, int32_t *y_sub)
{
    const struct map_solid *mover = &map->solids[solid];
    map_path_offset(map, mover, clock_ticks, x_sub, y_sub);
    *x_sub += mover->box.x * DF_SUB;
    *y_sub += mover->box.y * DF_SUB;
}

int32_t mover_way(const struct map *map, int32_t at_px, int32_t rem, int32_t to_sub, int32_t side_tiles)
{
    int32_t way = to_sub - (at_px * DF_SUB + rem);
    if (map->outside != DF_OUTSIDE_WRAP)
        return way;
    int32_t side_sub = side_tiles * MAP_EDGE_PX * DF_SUB;
    way -= df_floor_div(way, side_sub) * side_sub;
    return way > side_sub / 2 ? way - side_sub : way;
}

// Lists a solid and the rest of its group, if it is the first of them; else nothing.
static int32_t members(const struct map *map, int32_t first, int32_t *solids)
{
    uint32_t group = map->solids[first].group;
    int32_t count = 0;
    solids[count++] = first;
    if (group == 0)
        return count;
    for (int32_t i = 0; i < first; i++)
        if (map->solids[i].group == group)
            return 0;
    for (int32_t i = first + 1; i < map->solid_count && count < DF_GROUP_CAPACITY; i++)
        if (map->solids[i].group == group)
            solids[count++] = i;
    return count;
}

// The world keeps the first solid of a group as the carrier. No solid moves both alone and in a group, so this names
// the group as well.
static void keep_carrier(struct step *step, const int32_t *solids, int32_t count)
{
    uint32_t group = df_group_carrier(solids, count);
    for (int32_t i = 0; count > 1 && i < step->space.actor_count; i++)
        if (step->world->actors[i].carrier == group)
            step->world->actors[i].carrier = (uint32_t)solids[0] + 1;
}

void mover_step(struct step *step)
{
    for (int32_t i = 0; i < step->map->solid_count; i++) {
        if (step->map->solids[i].path_count == 0)
            continue;
        int32_t solids[DF_GROUP_CAPACITY];
        int32_t count = members(step->map, i, solids);
        if (count == 0)
            continue;
        const struct df_solid *solid = &step->world->solids[i];
        int32_t x_sub, y_sub;
        mover_place(step->map, (uint32_t)i, mover_clock_ticks(step->world, step->map, (uint32_t)i), &x_sub, &y_sub);
        df_group_move(&step->space, solids, count,
                      mover_way(step->map, solid->x, solid->rem_x, x_sub, step->map->columns),
                      mover_way(step->map, solid->y, solid->rem_y, y_sub, step->map->rows));
        keep_carrier(step, solids, count);
    }
}
