// SPDX-License-Identifier: MIT
//
// This game's answers to a load test.
#include "load/load_game.h"

#include <string.h>

#include "base/utf8.h"
#include "game/ai/ai.h"
#include "game/player/player.h"
#include "game/rules/round.h"
#include "game/state.h"
#include "sync/player_name.h"

const char LOAD_GAME_PROGRAM[] = "deadfall-bots";
const char LOAD_GAME_SERVER[] = "127.0.0.1:27440";
const char *const LOAD_GAME_SKILLS[] = {AI_SKILL_WORDS, NULL};
const char LOAD_GAME_SKILL[] = "normal";

struct player_input load_game_think(const struct world *world, const struct map *map, uint32_t slot, uint32_t skill)
{
    return ai_think(world, map, NULL, slot, (enum skill)skill);
}

struct player_input load_game_walk(uint32_t random)
{
    return (struct player_input){
        random & (BUTTON_LEFT | BUTTON_RIGHT | BUTTON_UP | BUTTON_DOWN | BUTTON_JUMP | BUTTON_DASH | BUTTON_SHOOT)};
}

const char *load_game_event(uint32_t kind)
{
    return kind == 0 ? NULL : event_kind_name((enum event_kind)kind);
}

// --- the scoreboard

// Rows that fit a small terminal.
#define ROWS_MAX 16

// Orders by score, then kills, then slot.
static bool before(const struct player *a, const struct player *b)
{
    if (a->score != b->score)
        return a->score > b->score;
    return a->stats.kills != b->stats.kills ? a->stats.kills > b->stats.kills : a < b;
}

void load_game_print_scores(const struct world *world, const struct map *map, bool redraw, FILE *out)
{
    const struct player *ranked[PLAYER_CAPACITY];
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        if (!player_plays(player))
            continue;
        uint32_t at = count++;
        for (; at > 0 && before(player, ranked[at - 1]); at--)
            ranked[at] = ranked[at - 1];
        ranked[at] = player;
    }
    uint32_t seconds = world->tick / TICKS_PER_SECOND;
    if (redraw)
        fputs("\033[H\033[2J", out);
    fprintf(out, "%s, %u players, %u:%02u, %s\n", map->name, count, seconds / 60, seconds % 60,
            round_state_name(world));
    fprintf(out, "  %-*s %6s %6s %6s\n", PLAYER_NAME_BYTES, "name", "score", "kills", "deaths");
    for (uint32_t i = 0; i < count && i < ROWS_MAX; i++) {
        char name[PLAYER_NAME_BYTES + 1];
        player_name_to_text(ranked[i]->name, name);
        int width = PLAYER_NAME_BYTES + (int)(strlen(name) - utf8_length(name)); // bytes that fill so many columns
        fprintf(out, "%c %-*s %6d %6u %6u\n", ranked[i]->state == PLAYER_DEAD ? 'x' : ' ', width, name,
                ranked[i]->score, ranked[i]->stats.kills, ranked[i]->stats.deaths);
    }
    if (count > ROWS_MAX)
        fprintf(out, "  and %u more\n", count - ROWS_MAX);
    fflush(out);
}
