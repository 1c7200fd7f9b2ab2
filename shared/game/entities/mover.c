// SPDX-License-Identifier: MIT
#include "entities.h"

#include <string.h>

#include "base/number.h"
#include "game/valid.h"

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
        // The world keeps the first solid of a group as the carrier. No solid moves both alone and in a group, so this
        // names the group as well.
        uint32_t group = df_group_carrier(solids, count);
        for (int32_t actor = 0; count > 1 && actor < step->space.actor_count; actor++)
            if (step->world->actors[actor].carrier == group)
                step->world->actors[actor].carrier = (uint32_t)solids[0] + 1;
    }
}

// --- belts

static bool is_on_belt(const struct step *step, int32_t actor, int32_t solid)
{
    const struct world *world = step->world;
    const struct df_actor *a = &world->actors[actor];
    const struct df_solid *s = &world->solids[solid];
    if (step_is_arrow(actor)) {
        if (world->arrows[actor - PLAYER_CAPACITY].stuck_in != (uint32_t)solid + 1)
            return false;
    } else if (a->ride == DF_RIDE_NEVER) {
        return false;
    }
    struct df_box feet = {a->x, a->y + a->h, a->w, 1}, surface = {s->x, s->y, s->w, 1};
    return step_overlaps(step, feet, surface);
}

static bool was_carried(const struct step *step, const struct df_actor *actor, int32_t solid)
{
    if (actor->carrier == 0 || step->world->tick - actor->carried_tick > DF_LIFT_TICKS)
        return false;
    uint32_t group = step->map->solids[solid].group;
    return actor->carrier == (uint32_t)solid + 1 ||
           (group != 0 && step->map->solids[actor->carrier - 1].group == group);
}

void mover_carry(struct df_space *space, int32_t actor, int32_t belt_sub, bool was_carried)
{
    struct df_actor *body = &space->actors[actor];
    bool lifted = body->lift_tick == space->tick;
    if (lifted || !was_carried) {
        body->lift_x = number_clamp((lifted ? body->lift_x : 0) + belt_sub, -DF_LIFT_X_MAX, DF_LIFT_X_MAX);
        body->lift_y = lifted ? body->lift_y : 0;
        body->lift_tick = space->tick;
    }
    df_actor_move_x(space, actor, belt_sub, NULL, NULL);
}

void mover_step_belts(struct step *step)
{
    int32_t solids[MAP_SOLID_CAPACITY], count = 0;
    for (int32_t i = 0; i < step->map->solid_count; i++)
        if (step->map->solids[i].belt_sub != 0)
            solids[count++] = i;
    for (int32_t actor = 0; count > 0 && actor < step->space.actor_count; actor++) {
        if ((step->world->actors[actor].flags & DF_ACTOR_ALIVE) == 0)
            continue;
        int32_t i = 0;
        while (i < count && !is_on_belt(step, actor, solids[i]))
            i++;
        if (i == count)
            continue;
        mover_carry(&step->space, actor, step->map->solids[solids[i]].belt_sub,
                    was_carried(step, &step->world->actors[actor], solids[i]));
    }
}

// --- worlds that begin, and worlds from the wire

void mover_start(struct world *world, const struct map *map)
{
    for (uint32_t i = 0; i < (uint32_t)map->solid_count; i++) {
        const struct map_solid *solid = &map->solids[i];
        int32_t x_sub, y_sub;
        mover_place(map, i, mover_clock_ticks(world, map, i), &x_sub, &y_sub);
        int32_t x = df_round_px(x_sub), y = df_round_px(y_sub);
        world->solids[i] = (struct df_solid){.x = x,
                                             .y = y,
                                             .w = solid->box.w,
                                             .h = solid->box.h,
                                             .rem_x = x_sub - x * DF_SUB,
                                             .rem_y = y_sub - y * DF_SUB,
                                             .flags = DF_SOLID_PRESENT | (solid->oneway ? DF_SOLID_ONEWAY : 0u)};
    }
}

// A solid is exactly where its path and the tick put it, or its crusher.
struct entity_sight mover_show(const struct world *world, const struct map *map, uint32_t index)
{
    enum { MACHINE, PLANK, CRUSHER, WALL };
    const struct df_solid *solid = &world->solids[index];
    const struct map_solid *of = index < (uint32_t)map->solid_count ? &map->solids[index] : NULL;
    int32_t look = !of ? WALL : of->kind == MAP_SOLID_CRUSHER ? CRUSHER : of->oneway ? PLANK : MACHINE;
    if (!(solid->flags & DF_SOLID_PRESENT))
        return (struct entity_sight){0};
    return (struct entity_sight){5, {solid->x, solid->y, solid->w, solid->h, look}};
}

bool mover_is_valid(const struct world *world, const struct map *map)
{
    for (uint32_t i = 0; i < (uint32_t)map->solid_count; i++) {
        const struct map_solid *solid = &map->solids[i];
        const struct df_solid *s = &world->solids[i];
        const struct crusher *crusher = &world->crushers[i];
        int32_t x_sub = solid->box.x * DF_SUB, y_sub = solid->box.y * DF_SUB + crusher->fallen;
        if (crusher->clock_ticks > (solid->channel != 0 ? mover_clock_max(solid) : 0))
            return false;
        if (solid->kind != MAP_SOLID_CRUSHER) {
            struct crusher driven = {.clock_ticks = crusher->clock_ticks};
            if (memcmp(crusher, &driven, sizeof driven) != 0)
                return false;
            mover_place(map, i, mover_clock_ticks(world, map, i), &x_sub, &y_sub);
        }
        if (s->w != solid->box.w || s->h != solid->box.h || !valid_rem(s->rem_x) || !valid_rem(s->rem_y) ||
            mover_way(map, s->x, s->rem_x, x_sub, map->columns) != 0 ||
            mover_way(map, s->y, s->rem_y, y_sub, map->rows) != 0 || crusher->state > CRUSHER_RISING ||
            crusher->fallen < 0 || crusher->fallen > solid->drop_px * DF_SUB || crusher->vy < 0 ||
            crusher->vy > TUNING.crusher_fall_max ||
            s->flags != (DF_SOLID_PRESENT | (solid->oneway ? DF_SOLID_ONEWAY : 0u)))
            return false;
    }
    return true;
}
