// SPDX-License-Identifier: MIT
#include "entities.h"

#include "base/number.h"
#include "game/step.h"

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

void conveyor_carry(struct df_space *space, int32_t actor, int32_t belt_sub, bool was_carried)
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

void conveyor_step(struct step *step)
{
    int32_t solids[MAP_SOLID_CAPACITY];
    int32_t count = belts(step->map, solids);
    for (int32_t actor = 0; count > 0 && actor < step->space.actor_count; actor++) {
        if ((step->world->actors[actor].flags & DF_ACTOR_ALIVE) == 0)
            continue;
        int32_t i = 0;
        while (i < count && !is_on(step, actor, solids[i]))
            i++;
        if (i == count)
            continue;
        conveyor_carry(&step->space, actor, step->map->solids[solids[i]].belt_sub,
                       was_carried(step, &step->world->actors[actor], solids[i]));
    }
}
