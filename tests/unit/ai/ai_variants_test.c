// SPDX-License-Identifier: MIT
// Bots play every variant on every map: in real matches they keep moving and kill each other.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/ai/ai.h"
#include "game/ai/nav_graph_build.h"
#include "game/map/tiled/map_file.h"
#include "game/variant.h"
#include "seeds.h"
#include "sync/game.h"
#include "sync/world.h"
#include "test.h"

enum { BOTS = 8, TICKS = 1500, KILLS_MIN = 2, STILL_TICKS_MAX = 120, RIDE_TICKS_MAX = 360 };

static struct map map;
static struct nav_graph graph;
static struct world world;

static struct score {
    uint32_t kills, deaths, moved_px, alive_ticks, longest_still_ticks, longest_idle_ticks, longest_ride_ticks;
} score;

static uint32_t matches, kills[VARIANTS + 1]; // of each variant

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

// A bot that rides on something moves, but if it holds no button for long, it only stands there: it may ride half of
// the longest loop of a map.
static void note(const struct world *before_world, const struct player_input *inputs, uint32_t *still, uint32_t *idle,
                 uint32_t *rides)
{
    for (uint32_t slot = 0; slot < BOTS; slot++) {
        const struct df_actor *was = &before_world->actors[slot], *is = &world.actors[slot];
        if (before_world->players[slot].state != PLAYER_ALIVE || world.players[slot].state != PLAYER_ALIVE) {
            still[slot] = idle[slot] = rides[slot] = 0;
            continue;
        }
        int32_t dx = abs(is->x - was->x), dy = abs(is->y - was->y);
        score.alive_ticks++;
        score.moved_px += (uint32_t)(dx + dy < 32 ? dx + dy : 0); // the seam of a map that wraps is no way
        still[slot] = dx + dy > 0 ? 0 : still[slot] + 1;
        bool is_carried = is->carrier != 0 && world.tick - is->carried_tick < DF_LIFT_TICKS;
        idle[slot] = inputs[slot].buttons || is_carried ? 0 : idle[slot] + 1;
        rides[slot] = inputs[slot].buttons ? 0 : rides[slot] + 1;
        score.longest_still_ticks = larger(score.longest_still_ticks, still[slot]);
        score.longest_idle_ticks = larger(score.longest_idle_ticks, idle[slot]);
        score.longest_ride_ticks = larger(score.longest_ride_ticks, rides[slot]);
    }
}

static void play(uint32_t variants, uint32_t seed, uint32_t ticks)
{
    static struct player_input inputs[PLAYER_CAPACITY];
    static struct world before;
    uint32_t still[BOTS] = {0}, idle[BOTS] = {0}, rides[BOTS] = {0};
    world_init(&world, &map, &(struct rules){.seed = seed, .bot_skill = SKILL_NORMAL, .variants = variants});
    for (uint32_t slot = 0; slot < BOTS; slot++)
        world_command(&world, &map, &(struct command){.kind = COMMAND_JOIN, .slot = slot, .bot = 1});
    while (world.tick < ticks) {
        before = world;
        game_think_bots(&world, &map, &graph, inputs);
        game_roll(&world, &map, NULL, NULL, NULL);
        world_step(&world, &map, inputs);
        if (world.round.phase == ROUND_PLAYING)
            note(&before, inputs, still, idle, rides);
        assert_true(world_validate(&world, &map));
    }
    for (uint32_t slot = 0; slot < BOTS; slot++) {
        score.kills += world.players[slot].stats.kills;
        score.deaths += world.players[slot].stats.deaths;
    }
}

// Plays all variants on a map, each alone, from each of some seeds. Counts matches and kills, and returns whether
// nobody ever stands still for long.
static bool play_all(const char *name, uint32_t seeds, uint32_t ticks)
{
    char path[256];
    struct error error;
    bool good = true;
    snprintf(path, sizeof path, SOURCE_ROOT "/shared/maps/%s.tmj", name);
    if (!map_file_read(path, &map, &error))
        fail_msg("%s", error.text);
    nav_graph_build(&graph, &map);
    for (uint32_t i = 0; i <= VARIANTS; i++) {
        score = (struct score){0};
        for (uint32_t seed = 1; seed <= seeds; seed++)
            play(i < VARIANTS ? 1u << i : 0, seed, ticks);
        uint32_t speed = score.alive_ticks ? score.moved_px * 60 / score.alive_ticks : 0;
        print_message(
            "%s, %s: %u kills, %u deaths, %u px/s, stood still for %u ticks at most, idle for %u, on a ride for %u\n",
            name, i < VARIANTS ? VARIANT_TABLE[i].name : "none", score.kills, score.deaths, speed,
            score.longest_still_ticks, score.longest_idle_ticks, score.longest_ride_ticks);
        kills[i] += score.kills;
        good = good && speed >= 40 && score.longest_still_ticks <= STILL_TICKS_MAX &&
               score.longest_idle_ticks <= STILL_TICKS_MAX && score.longest_ride_ticks <= RIDE_TICKS_MAX;
    }
    matches += seeds;
    return good;
}

// How many there are in one match is chance, so all matches of a variant count together.
static bool kill_enough(void)
{
    bool good = true;
    for (uint32_t i = 0; i <= VARIANTS; i++)
        good = good && kills[i] >= KILLS_MIN * matches;
    return good;
}

static void forget_kills(void)
{
    matches = 0;
    memset(kills, 0, sizeof kills);
}

EACH_TEST(forget_kills, NULL);

TEST(bots_play_every_variant_without_standing_still)
{
    assert_true(play_all("foundry", seeds_asked(3), TICKS));
    assert_true(kill_enough());
}

TEST(bots_play_every_variant_on_every_map)
{
    static const char *const MAPS[] = {"clockwork", "skyline", "breakout", "duel", "colosseum"};
    bool good = true;
    for (size_t i = 0; i < sizeof MAPS / sizeof *MAPS; i++)
        good = play_all(MAPS[i], 1, TICKS) && good;
    assert_true(good);
    assert_true(kill_enough());
}
