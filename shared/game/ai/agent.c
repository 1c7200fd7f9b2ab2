// SPDX-License-Identifier: MIT
#include "agent.h"

#include "base/random.h"
#include "nav_graph_build.h"

static uint32_t dice_at(const struct world *world, tick at, uint32_t slot, uint32_t hold_ticks, uint32_t salt)
{
    uint32_t state =
        world->rules.seed ^ slot * 0x9E3779B9u ^ (at + slot * 7) / hold_ticks * 0x85EBCA6Bu ^ salt * 0xC2B2AE35u;
    random_next(&state);
    return random_next(&state);
}

uint32_t agent_dice(const struct world *world, uint32_t slot, uint32_t hold_ticks, uint32_t salt)
{
    return dice_at(world, world->tick, slot, hold_ticks, salt);
}

uint32_t agent_decision(const struct agent *agent, uint32_t hold_ticks, uint32_t salt)
{
    return dice_at(agent->world, agent->decision_tick, agent->slot, hold_ticks, salt);
}

struct vector agent_offset(const struct agent *agent, int32_t x, int32_t y)
{
    return (struct vector){map_distance(agent->map, agent->x, x, agent->map->columns * MAP_EDGE_PX),
                           map_distance(agent->map, agent->y, y, agent->map->rows * MAP_EDGE_PX)};
}

struct vector agent_offset_to(const struct agent *agent, uint32_t actor)
{
    const struct df_actor *a = &agent->world->actors[actor];
    return agent_offset(agent, a->x + a->w / 2, a->y + a->h / 2);
}

uint16_t agent_cell_below(const struct agent *agent, int32_t x, int32_t feet, int32_t rows)
{
    uint16_t cell = NAV_CELL_NONE;
    for (int32_t row = 0; cell == NAV_CELL_NONE && row < rows; row++)
        cell = nav_graph_cell(agent->graph, agent->map, x, feet + row * MAP_EDGE_PX);
    return cell;
}

uint16_t agent_cell(const struct agent *agent, int32_t x, int32_t feet, int32_t rows)
{
    if (agent->graph == NULL)
        return NAV_CELL_NONE;
    struct df_box foot = {x - 4, feet - 1, 8, 3};
    for (uint32_t i = 0; i < (uint32_t)agent->map->solid_count; i++) {
        const struct df_solid *s = &agent->world->solids[i];
        if (agent->graph->rides[i] != NAV_CELL_NONE &&
            map_overlaps(agent->map, foot, (struct df_box){s->x, s->y, s->w, 1}))
            return agent->graph->rides[i];
    }
    return agent_cell_below(agent, x, feet, rows);
}

bool agent_is_enemy(const struct agent *agent, uint32_t slot)
{
    const struct player *other = &agent->world->players[slot];
    return slot != agent->slot && other->state == PLAYER_ALIVE &&
           (agent->player->team == 0 || other->team != agent->player->team);
}

const struct player *agent_nearest_enemy(const struct agent *agent, struct vector *at)
{
    const struct player *nearest = NULL;
    int32_t best = INT32_MAX;
    for (uint32_t slot = 0; slot < agent->world->player_slots; slot++) {
        if (!agent_is_enemy(agent, slot))
            continue;
        struct vector to = agent_offset_to(agent, slot);
        int32_t distance = abs(to.x) + 2 * abs(to.y);
        if (distance >= best)
            continue;
        best = distance;
        nearest = &agent->world->players[slot];
        *at = to;
    }
    return nearest;
}
