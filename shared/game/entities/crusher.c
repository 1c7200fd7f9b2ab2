// SPDX-License-Identifier: MIT
#include "crusher.h"

#include "game/event.h"
#include "game/tuning.h"

struct df_box trap_reach(const struct map_solid *crusher)
{
    struct df_box box = crusher->box;
    box.h += crusher->drop_px;
    return box;
}

bool trap_threatens(const struct world *world, const struct map *map, struct df_box box)
{
    for (uint32_t i = 0; i < (uint32_t)map->solid_count; i++)
        if ((world->traps[i].state == TRAP_WARNING || world->traps[i].state == TRAP_FALLING) &&
            map_overlaps(map, trap_reach(&map->solids[i]), box))
            return true;
    return false;
}

static bool sees_someone(const struct step *step, const struct map_solid *crusher)
{
    const struct df_box reach = trap_reach(crusher);
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++)
        if (step->world->players[slot].state == PLAYER_ALIVE && step_overlaps(step, reach, step_actor_box(step, slot)))
            return true;
    return false;
}

static void enter(struct step *step, uint32_t solid, enum trap_state state)
{
    step->world->traps[solid] =
        (struct trap){.state = state, .since_tick = step->world->tick, .fallen = step->world->traps[solid].fallen};
}

static void tell(struct step *step, uint32_t solid, enum event_kind kind)
{
    const struct df_solid *s = &step->world->solids[solid];
    event_push(step->world, kind, s->x + s->w / 2, s->y + s->h, EVENT_NOBODY, EVENT_NOBODY, solid);
}

static void travel(struct step *step, uint32_t solid, int32_t dy_sub)
{
    step->world->traps[solid].fallen += dy_sub;
    df_solid_move(&step->space, (int32_t)solid, 0, dy_sub);
}

static void fall(struct step *step, uint32_t solid, int32_t left_sub)
{
    struct trap *trap = &step->world->traps[solid];
    trap->vy += TUNING.crusher_gravity;
    if (trap->vy > TUNING.crusher_fall_max)
        trap->vy = TUNING.crusher_fall_max;
    travel(step, solid, trap->vy < left_sub ? trap->vy : left_sub);
    if (trap->vy < left_sub)
        return;
    enter(step, solid, TRAP_RESTING);
    tell(step, solid, EVENT_SLAM);
}

static void trap_step(struct step *step, uint32_t solid)
{
    const struct map_solid *crusher = &step->map->solids[solid];
    struct trap *trap = &step->world->traps[solid];
    const uint32_t age_ticks = step->world->tick - trap->since_tick;
    switch ((enum trap_state)trap->state) {
    case TRAP_ARMED:
        if (!sees_someone(step, crusher))
            return;
        enter(step, solid, TRAP_WARNING);
        tell(step, solid, EVENT_WARN);
        return;
    case TRAP_WARNING:
        if (age_ticks < TUNING.crusher_warn_ticks)
            return;
        enter(step, solid, TRAP_FALLING);
        tell(step, solid, EVENT_FALL);
        return;
    case TRAP_FALLING:
        fall(step, solid, crusher->drop_px * DF_SUB - trap->fallen);
        return;
    case TRAP_RESTING:
        if (age_ticks >= TUNING.crusher_rest_ticks)
            enter(step, solid, TRAP_RISING);
        return;
    case TRAP_RISING:
        travel(step, solid, trap->fallen < TUNING.crusher_rise ? -trap->fallen : -TUNING.crusher_rise);
        if (trap->fallen == 0)
            enter(step, solid, TRAP_ARMED);
        return;
    }
}

void traps_step(struct step *step)
{
    for (uint32_t i = 0; i < (uint32_t)step->map->solid_count; i++)
        if (step->map->solids[i].kind == MAP_SOLID_CRUSHER)
            trap_step(step, i);
}
