// SPDX-License-Identifier: MIT
#include "crusher.h"

#include "game/event.h"

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

static void enter(struct step *step, uint32_t solid, enum crusher_state state)
{
    step->world->crushers[solid] = (struct crusher){
        .state = state, .since_tick = step->world->tick, .fallen = step->world->crushers[solid].fallen};
}

static void tell(struct step *step, uint32_t solid, enum event_kind kind)
{
    const struct df_solid *s = &step->world->solids[solid];
    event_push(step->world, kind, s->x + s->w / 2, s->y + s->h, EVENT_NOBODY, EVENT_NOBODY, solid);
}

static void travel(struct step *step, uint32_t solid, int32_t dy_sub)
{
    step->world->crushers[solid].fallen += dy_sub;
    df_solid_move(&step->space, (int32_t)solid, 0, dy_sub);
}

static void fall(struct step *step, uint32_t solid, int32_t left_sub)
{
    struct crusher *crusher = &step->world->crushers[solid];
    crusher->vy += step->tuning->crusher_gravity;
    if (crusher->vy > step->tuning->crusher_fall_max)
        crusher->vy = step->tuning->crusher_fall_max;
    travel(step, solid, crusher->vy < left_sub ? crusher->vy : left_sub);
    if (crusher->vy < left_sub)
        return;
    enter(step, solid, CRUSHER_RESTING);
    tell(step, solid, EVENT_SLAM);
}

static void step_crusher(struct step *step, uint32_t solid)
{
    const struct map_solid *map_solid = &step->map->solids[solid];
    struct crusher *crusher = &step->world->crushers[solid];
    uint32_t age_ticks = step->world->tick - crusher->since_tick;
    switch ((enum crusher_state)crusher->state) {
    case CRUSHER_ARMED:
        if (!sees_someone(step, map_solid))
            return;
        enter(step, solid, CRUSHER_WARNING);
        tell(step, solid, EVENT_WARN);
        return;
    case CRUSHER_WARNING:
        if (age_ticks < step->tuning->crusher_warn_ticks)
            return;
        enter(step, solid, CRUSHER_FALLING);
        tell(step, solid, EVENT_FALL);
        return;
    case CRUSHER_FALLING:
        fall(step, solid, map_solid->drop_px * DF_SUB - crusher->fallen);
        return;
    case CRUSHER_RESTING:
        if (age_ticks >= step->tuning->crusher_rest_ticks)
            enter(step, solid, CRUSHER_RISING);
        return;
    case CRUSHER_RISING:
        travel(step, solid,
               crusher->fallen < step->tuning->crusher_rise ? -crusher->fallen : -step->tuning->crusher_rise);
        if (crusher->fallen == 0)
            enter(step, solid, CRUSHER_ARMED);
        return;
    }
}

void crusher_step(struct step *step)
{
    for (uint32_t i = 0; i < (uint32_t)step->map->solid_count; i++)
        if (step->map->solids[i].kind == MAP_SOLID_CRUSHER)
            step_crusher(step, i);
}
