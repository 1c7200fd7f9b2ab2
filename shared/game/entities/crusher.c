// SPDX-License-Identifier: MIT
#include "entities.h"

struct df_box crusher_reach(const struct map_solid *crusher)
{
    struct df_box box = crusher->box;
    box.h += crusher->drop_px;
    return box;
}

bool crusher_threatens(const struct world *world, const struct map *map, struct df_box box)
{
    for (uint32_t i = 0; i < (uint32_t)map->solid_count; i++)
        if ((world->crushers[i].state == CRUSHER_WARNING || world->crushers[i].state == CRUSHER_FALLING) &&
            map_overlaps(map, crusher_reach(&map->solids[i]), box))
            return true;
    return false;
}

static bool sees_someone(const struct step *step, const struct map_solid *crusher)
{
    struct df_box reach = crusher_reach(crusher);
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++)
        if (step->world->players[slot].state == PLAYER_ALIVE && step_overlaps(step, reach, step_actor_box(step, slot)))
            return true;
    return false;
}

struct crusher crusher_next(struct crusher crusher, const struct map_solid *solid, const struct tuning *tuning,
                            tick now, bool sees_someone)
{
    uint32_t age_ticks = now - crusher.since_tick;
    int32_t drop_sub = solid->drop_px * DF_SUB;
    enum crusher_state state = (enum crusher_state)crusher.state, next = state;
    switch (state) {
    case CRUSHER_ARMED:
        if (sees_someone)
            next = CRUSHER_WARNING;
        break;
    case CRUSHER_WARNING:
        if (age_ticks >= tuning->crusher_warn_ticks)
            next = CRUSHER_FALLING;
        break;
    case CRUSHER_FALLING:
        crusher.vy += tuning->crusher_gravity;
        if (crusher.vy > tuning->crusher_fall_max)
            crusher.vy = tuning->crusher_fall_max;
        if (crusher.vy >= drop_sub - crusher.fallen)
            next = CRUSHER_RESTING;
        crusher.fallen = next == CRUSHER_RESTING ? drop_sub : crusher.fallen + crusher.vy;
        break;
    case CRUSHER_RESTING:
        if (age_ticks >= tuning->crusher_rest_ticks)
            next = CRUSHER_RISING;
        break;
    case CRUSHER_RISING:
        crusher.fallen = crusher.fallen < tuning->crusher_rise ? 0 : crusher.fallen - tuning->crusher_rise;
        if (crusher.fallen == 0)
            next = CRUSHER_ARMED;
        break;
    }
    return next == state ? crusher : (struct crusher){.state = next, .since_tick = now, .fallen = crusher.fallen};
}

void crusher_step(struct step *step)
{
    static const enum event_kind EVENTS[] = {
        [CRUSHER_WARNING] = EVENT_WARN, [CRUSHER_FALLING] = EVENT_FALL, [CRUSHER_RESTING] = EVENT_SLAM};
    for (uint32_t i = 0; i < (uint32_t)step->map->solid_count; i++) {
        const struct map_solid *solid = &step->map->solids[i];
        struct crusher *crusher = &step->world->crushers[i], before = *crusher;
        if (solid->kind != MAP_SOLID_CRUSHER)
            continue;
        bool sees = before.state == CRUSHER_ARMED && sees_someone(step, solid);
        *crusher = crusher_next(before, solid, step->tuning, step->world->tick, sees);
        if (crusher->fallen != before.fallen)
            df_solid_move(&step->space, (int32_t)i, 0, crusher->fallen - before.fallen);
        if (crusher->state == before.state || crusher->state > CRUSHER_RESTING || crusher->state == CRUSHER_ARMED)
            continue;
        const struct df_solid *s = &step->world->solids[i];
        event_push(step->world, EVENTS[crusher->state], s->x + s->w / 2, s->y + s->h, EVENT_NOBODY, EVENT_NOBODY, i);
    }
}
