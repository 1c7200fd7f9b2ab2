// SPDX-License-Identifier: MIT
#include "conveyor.h"

#include "turn.h"

static int32_t belts(const struct map *map, int32_t *solids)
{
    int32_t count = 0;
    for (int32_t i = 0; i < map->solid_count; i++)
        if (map->solids[i].belt_sub != 0)
            solids[count++] = i;
    return count;
}

static bool is_on(const struct step *step, int32_t actor, int32_t solid)
{
    const struct world *world = step->world;
    const struct df_actor *a = &world->actors[actor];
    const struct df_solid *s = &world->solids[solid];
    if (actor >= PLAYER_CAPACITY && actor < CHEST_ACTORS) {
        if (world->arrows[actor - PLAYER_CAPACITY].stuck_in != (uint32_t)solid + 1)
            return false;
    } else if (a->ride == DF_RIDE_NEVER) {
        return false;
    }
    const struct df_box feet = {a->x, a->y + a->h, a->w, 1}, surface = {s->x, s->y, s->w, 1};
    return step_overlaps(step, feet, surface);
}

/// Who jumps off a belt keeps its speed, as of any solid that carries.
static void give_lift(const struct step *step, struct df_actor *actor, int32_t belt_sub)
{
    const bool carried = actor->lift_tick == step->world->tick;
    actor->lift_x = turn_clamp((carried ? actor->lift_x : 0) + belt_sub, -DF_LIFT_X_MAX, DF_LIFT_X_MAX);
    actor->lift_y = carried ? actor->lift_y : 0;
    actor->lift_tick = step->world->tick;
}

void conveyors_step(struct step *step)
{
    int32_t solids[MAP_SOLID_CAPACITY];
    const int32_t count = belts(step->map, solids);
    for (int32_t actor = 0; count > 0 && actor < step->space.actor_count; actor++) {
        if ((step->world->actors[actor].flags & DF_ACTOR_ALIVE) == 0)
            continue;
        int32_t i = 0;
        while (i < count && !is_on(step, actor, solids[i]))
            i++;
        if (i == count)
            continue;
        const int32_t belt_sub = step->map->solids[solids[i]].belt_sub;
        give_lift(step, &step->world->actors[actor], belt_sub);
        df_actor_move_x(&step->space, actor, belt_sub, NULL, NULL);
    }
}
