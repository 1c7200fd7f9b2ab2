// SPDX-License-Identifier: MIT
//
// Measures the cost of a world: bots play on a map for half a minute, and the step, copy, hash and thinking of each
// tick are timed. Prints one JSON line per figure: the mean over the ticks, us; "memcpys" is the same in copies of
// sizeof(struct world).
//     bench_world MAP.tmj [BOTS]...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench_match.h"
#include "game/ai/ai.h"
#include "sync/game.h"

enum { TICKS = 1800, TURNS = 7 };

// What is measured.
enum player_figure { STEP, COPY, HASH, THINK, SOUND, MEMCPY, FIGURES };

static const char *const NAMES[FIGURES] = {"step", "copy", "hash", "think", "is_sound", "memcpy"};

static struct map map;
static struct nav_graph graph;
static struct world world, copy, plain;
static struct player_input inputs[PLAYER_CAPACITY];
static volatile uint64_t sink;

static double now_us(void)
{
    return (double)clock_now_ns() / 1e3;
}

static void do_one(enum player_figure figure)
{
    switch (figure) {
    case STEP:
        game_roll(&world, &map, NULL, NULL, NULL);
        world_step(&world, &map, inputs);
        return;
    case COPY:
        world_copy(&copy, &world);
        return;
    case HASH:
        sink = world_hash(&world);
        return;
    case THINK:
        for (uint32_t slot = 0; slot < world.player_slots; slot++)
            inputs[slot] = ai_think(&world, &map, &graph, slot, SKILL_NORMAL);
        return;
    case SOUND:
        sink = world_validate(&world, &map);
        return;
    case MEMCPY:
        memcpy(&plain, &world, sizeof plain);
        sink = plain.tick;
        return;
    case FIGURES:
        return;
    }
}

// The match is the same in every turn, so each tick has its own median, which removes the noise of the machine.
static float times_us[FIGURES][TICKS][TURNS];

static void play(uint32_t bots, int turn)
{
    bench_match_begin(&world, &map, bots);
    for (uint32_t t = 0; t < TICKS; t++)
        for (enum player_figure figure = FIGURES; figure-- > 0;) { // thinking first, stepping last
            double start = now_us();
            do_one(figure);
            times_us[figure][t][turn] = (float)(now_us() - start);
        }
}

static int by_value(const void *a, const void *b)
{
    float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

static double mean_us(enum player_figure figure)
{
    double sum_us = 0;
    for (uint32_t t = 0; t < TICKS; t++) {
        qsort(times_us[figure][t], TURNS, sizeof times_us[0][0][0], by_value);
        sum_us += (double)times_us[figure][t][TURNS / 2];
    }
    return sum_us / TICKS;
}

static void measure(uint32_t bots)
{
    for (int turn = 0; turn < TURNS; turn++)
        play(bots, turn);
    double memcpy_us = mean_us(MEMCPY);
    for (enum player_figure figure = STEP; figure < FIGURES; figure++) {
        double us = mean_us(figure);
        printf("{\"bench\":\"world\",\"map\":\"%s\",\"players\":%u,\"figure\":\"%s\",\"us\":%.2f,\"memcpys\":%.2f}\n",
               map.name, bots, NAMES[figure], us, us / memcpy_us);
    }
}

int main(int argc, char **argv)
{
    if (!bench_match_map(argc, argv, "bench_world MAP.tmj [BOTS]...", &map, &graph))
        return EXIT_FAILURE;
    for (int i = 2; i < argc; i++)
        measure((uint32_t)strtoul(argv[i], NULL, 10) % (PLAYER_CAPACITY + 1));
    if (argc == 2)
        measure(64);
    return EXIT_SUCCESS;
}
