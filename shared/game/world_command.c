// SPDX-License-Identifier: MIT
//
// world_command: applies the changes that come from outside a world, other than inputs.
#include <string.h>

#include "event.h"
#include "game/entities/chest.h"
#include "game/player/player.h"
#include "game/rules/round.h"
#include "game/rules/team.h"
#include "sync/world.h"
#include "tuning.h"

static void join(struct world *world, const struct command *command)
{
    const struct player_record *record = &command->record;
    uint32_t slot = command->slot;
    event_push(world, EVENT_JOIN, 0, 0, slot, EVENT_NOBODY, command->bot);
    struct player player = {.state = PLAYER_DEAD,
                            .generation = world->event_count,
                            .flags = command->bot ? PLAYER_BOT : 0,
                            .colour = command->colour,
                            .team = !team_mode(world)   ? 0
                                    : record->team != 0 ? record->team
                                                        : team_smaller(world),
                            .handicap = record->handicap,
                            .facing = 1,
                            .respawn_tick = world->tick,
                            .score = record->score,
                            .stats = record->stats};
    memcpy(player.name, command->name, sizeof player.name);
    world->players[slot] = player;
    if (world->player_slots <= slot)
        world->player_slots = slot + 1;
}

static void leave(struct world *world, uint32_t slot)
{
    event_push(world, EVENT_LEAVE, world->actors[slot].x, world->actors[slot].y, slot, EVENT_NOBODY, 0);
    memset(&world->players[slot], 0, sizeof world->players[slot]);
    memset(&world->actors[slot], 0, sizeof world->actors[slot]);
    for (uint32_t i = 0; i < world->player_slots; i++)
        if (world->players[i].shover == slot + 1)
            world->players[i].shover = 0;
    for (uint32_t i = 0; i < world->arrow_slots; i++)
        if (world->arrows[i].owner == slot + 1)
            world->arrows[i].owner = 0;
    for (uint32_t i = 0; i < world->ball_count; i++)
        if (world->ball_hits[i].by == slot + 1)
            world->ball_hits[i].by = 0;
    for (uint32_t i = 0; i < world->chest_count; i++)
        if (world->chests[i].opener == slot + 1)
            world->chests[i].opener = 0;
    while (world->player_slots > 0 && world->players[world->player_slots - 1].state == PLAYER_ABSENT)
        world->player_slots--;
}

static bool change_rules(struct rules *rules, const struct command *command)
{
    if (command->score_limit < 0 || command->score_limit > TUNING.score_max || command->friendly_fire > 1 ||
        command->bot_skill >= SKILLS)
        return false;
    struct rules former = *rules;
    rules->score_limit = command->score_limit;
    rules->time_limit_ticks = command->time_limit_ticks;
    rules->friendly_fire = command->friendly_fire;
    rules->bot_skill = command->bot_skill;
    return memcmp(rules, &former, sizeof former) != 0;
}

bool world_command(struct world *world, const struct map *map, const struct command *command)
{
    if (command->slot >= PLAYER_CAPACITY)
        return false;
    bool absent = world->players[command->slot].state == PLAYER_ABSENT;
    switch (command->kind) {
    case COMMAND_JOIN:
        if (!absent || command->bot > 1 || command->colour > 15 || !player_record_is_valid(&command->record))
            return false;
        join(world, command);
        return true;
    case COMMAND_LEAVE:
        if (absent)
            return false;
        leave(world, command->slot);
        return true;
    case COMMAND_TEAM:
        return !absent && team_choose(world, command->slot, command->team);
    case COMMAND_PAUSE:
        return round_set_paused(world, command->paused);
    case COMMAND_RULES:
        return change_rules(&world->rules, command);
    case COMMAND_ROLL:
        return chest_open(world, map, command->slot, command->gift);
    }
    return false;
}
