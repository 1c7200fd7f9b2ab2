// SPDX-License-Identifier: MIT
//
// The fields of commands and rules, in the order in which the wire and replays have them.
#include "player/player.h"
#include "rules/mode.h"
#include "sync/game.h"
#include "tuning.h"
#include "variant.h"

_Static_assert(MAP_CHEST_CAPACITY <= 1 << 5 && MAP_GIFTS <= 1 << 3, "a roll fits its bits");
_Static_assert(sizeof(struct rules) == 7 * sizeof(uint32_t), "each field of the rules is walked");

void game_walk_rules(struct walk *walk, struct rules *rules)
{
    walk->number(walk, &rules->mode, 8);
    walk_signed(walk, &rules->score_limit);
    walk->number(walk, &rules->time_limit_ticks, 32);
    walk->number(walk, &rules->seed, 32);
    walk->number(walk, &rules->friendly_fire, 8);
    walk->number(walk, &rules->bot_skill, 8);
    walk->number(walk, &rules->variants, 16);
}

bool game_rules_are_valid(const struct rules *rules)
{
    return rules->mode < MODES && rules->friendly_fire <= 1 && rules->bot_skill < SKILLS &&
           rules->variants >> VARIANTS == 0;
}

void game_walk_command(struct walk *walk, struct command *command)
{
    walk->number(walk, &command->slot, command->kind == COMMAND_ROLL ? 5 : 8);
    if (walk->whole || command->kind == COMMAND_JOIN) {
        walk->number(walk, &command->bot, 1);
        walk->number(walk, &command->colour, 4);
        walk->words(walk, command->name, PLAYER_NAME_BYTES / 4);
        walk->words(walk, (uint32_t *)&command->record, PLAYER_RECORD_WORDS);
    }
    if (walk->whole || command->kind == COMMAND_TEAM)
        walk->number(walk, &command->team, 2);
    if (walk->whole || command->kind == COMMAND_PAUSE)
        walk->number(walk, &command->paused, 2);
    if (walk->whole || command->kind == COMMAND_RULES) {
        walk_signed(walk, &command->score_limit);
        walk->number(walk, &command->time_limit_ticks, 32);
        walk->number(walk, &command->friendly_fire, 1);
        walk->number(walk, &command->bot_skill, 3);
    }
    if (walk->whole || command->kind == COMMAND_ROLL)
        walk->number(walk, &command->gift, 3);
}

bool game_command_is_possible(const struct command *command, bool is_there)
{
    switch ((enum command_kind)command->kind) {
    case COMMAND_JOIN:
        return !is_there;
    case COMMAND_LEAVE:
    case COMMAND_TEAM:
        return is_there;
    case COMMAND_PAUSE:
        return command->paused < PAUSES;
    case COMMAND_RULES:
        return command->score_limit >= 0 && command->score_limit <= TUNING.score_max && command->bot_skill < SKILLS;
    case COMMAND_ROLL:
        return command->gift < MAP_GIFTS;
    case COMMAND_KINDS:
        break;
    }
    return false;
}
