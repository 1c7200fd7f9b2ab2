// SPDX-License-Identifier: MIT
#include "trial.h"

#include <stddef.h>

bool trial_is_task(const struct map_switch *of)
{
    return of->kind == MAP_SWITCH_TARGET || of->kind == MAP_SWITCH_FLAG;
}

static bool is_bot(const struct player *player)
{
    return (player->flags & PLAYER_BOT) != 0;
}

uint32_t trial_tasks(const struct map *map)
{
    uint32_t tasks = 0;
    for (int32_t i = 0; i < map->switch_count; i++)
        tasks += trial_is_task(&map->switches[i]);
    for (int32_t i = 0; i < map->spawn_count; i++)
        tasks += map->spawns[i].team == 2;
    return tasks;
}

void trial_count(struct step *step)
{
    struct world *world = step->world;
    uint32_t done = 0, catches = 0, tasks = trial_tasks(step->map), limit = (uint32_t)world->rules.score_limit;
    for (uint32_t i = 0; i < world->switch_count; i++)
        done += trial_is_task(&step->map->switches[i]) && world->switches[i].on;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        done += is_bot(player) && player->stats.deaths > 0;
        catches += is_bot(player) ? 0 : player->stats.catches;
    }
    uint32_t wanted = limit > tasks ? limit - tasks : 0;
    done += catches < wanted ? catches : wanted;
    for (uint32_t slot = 0; slot < world->player_slots; slot++)
        if (world->players[slot].state != PLAYER_ABSENT && !is_bot(&world->players[slot]))
            world->players[slot].score = (int32_t)done;
}

const char *trial_validate_map(const struct map *map)
{
    bool has_start = false;
    for (int32_t i = 0; i < map->spawn_count; i++)
        has_start |= map->spawns[i].team != 2;
    return has_start ? NULL : "a course needs a spawn of team 1";
}

uint32_t trial_spawn_team(const struct world *world, uint32_t slot)
{
    const struct player *player = &world->players[slot];
    return world->rules.mode != MODE_TRIAL ? player->team : is_bot(player) ? 2 : 1;
}

bool trial_revives(const struct world *world, uint32_t slot)
{
    const struct player *player = &world->players[slot];
    return world->rules.mode != MODE_TRIAL || !is_bot(player) || player->stats.deaths == 0;
}
