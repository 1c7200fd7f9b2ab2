// SPDX-License-Identifier: MIT
//
// What the engine asks of this game (sync/game.h), beside what world.c, guess.c, entities and bots answer.
#include "player/player.h"
#include "rules/mode.h"
#include "sync/game.h"
#include "tuning.h"
#include "variant.h"

_Static_assert(GAME_ROLL_CAPACITY <= 1 << 5 && MAP_GIFTS <= 1 << 3, "a roll fits its bits");
_Static_assert(sizeof(struct rules) == 7 * sizeof(uint32_t), "each field of the rules is walked");

void game_walk_rules(struct walk *walk, struct rules *rules)
{
    walk->number(walk, &rules->mode, 8);
    game_walk_signed(walk, &rules->score_limit);
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
        game_walk_signed(walk, &command->score_limit);
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

struct player_record game_record(const struct player *player)
{
    return player_record(player);
}

void game_record_new_round(struct player_record *record)
{
    *record = (struct player_record){.team = record->team, .handicap = record->handicap};
}

void game_record_handicap(struct player_record *record, uint32_t handicap, bool allows_help)
{
    record->handicap = handicap == HANDICAP_SHIELD && !allows_help ? (uint32_t)HANDICAP_NONE : handicap;
}

// Without teams, each player's is 0.
bool game_is_team_mate(const struct world *world, uint32_t slot, uint32_t other)
{
    uint32_t team = world->players[slot].team;
    return team == 0 || world->players[other].team == team;
}

void game_keep_bots(struct rules *next, const struct rules *before)
{
    next->bot_skill = before->bot_skill;
}

#define RESULT_MARGIN_TICKS 30u // before the result of a round disappears

// The result of a round is shown for round_over_ticks, that of a match for longer.
enum game_stage game_stage(const struct world *world)
{
    const struct round *round = &world->round;
    switch ((enum round_phase)round->phase) {
    case ROUND_WARMUP:
        break;
    case ROUND_COUNTDOWN:
    case ROUND_PLAYING:
        return GAME_PLAYS;
    case ROUND_OVER:
    case ROUND_MATCH_OVER:
        return world->tick - round->since_tick < TUNING.round_over_ticks - RESULT_MARGIN_TICKS ? GAME_SHOWS_RESULT
                                                                                               : GAME_HAS_SHOWN_RESULT;
    }
    return GAME_WAITS;
}

bool game_round_begins(const struct world *world)
{
    return world->round.phase == ROUND_PLAYING && world->round.since_tick == world->tick && !world->round.paused;
}

const char *game_map_name(const struct map *map)
{
    return map->name;
}

const char *game_mode_name(const struct rules *rules)
{
    return mode_name((enum mode)rules->mode);
}

uint32_t game_variant(const char *word)
{
    enum variant variant = variant_find(word);
    return variant < VARIANTS ? 1u << variant : 0;
}
