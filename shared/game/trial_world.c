// SPDX-License-Identifier: MIT
#include "trial_world.h"

#include "rules/mode.h"

void trial_world_begin(struct world *world, const struct map *map, uint32_t catches, uint32_t variants)
{
    world_init(world, map,
               &(struct rules){.mode = MODE_TRIAL,
                               .score_limit = (int32_t)(mode_trial_tasks(map) + catches),
                               .seed = 1,
                               .bot_skill = SKILL_IDLE,
                               .variants = variants});
    uint32_t slot = 0;
    world_command(world, map, &(struct command){.kind = COMMAND_JOIN, .slot = slot++});
    for (int32_t i = 0; i < map->spawn_count; i++)
        if (map->spawns[i].team == 2)
            world_command(world, map, &(struct command){.kind = COMMAND_JOIN, .slot = slot++, .bot = 1, .colour = 2});
}
