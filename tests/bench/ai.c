// SPDX-License-Identifier: MIT
//
// Measures the cost of bots to a server. Prints one JSON line per skill and number of bots: the mean and the 99th
// percentile of the time that all of them think in a tick, the same for the tick with its step, and the time to build
// the navigation graph.
//     bench_ai MAP.tmj [BOTS]...
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "bench_match.h"
#include "game/ai/ai.h"
#include "sync/game.h"

#define TICKS       1800
#define FIRST_TICKS 600 ///< not counted: warm-up and countdown

static struct map map;
static struct nav_graph graph;
static struct world world;
static struct player_input inputs[PLAYER_CAPACITY];
static double thinks_us[TICKS];

static void measure(enum skill skill, uint32_t bots, double draw_us)
{
    double think_us = 0, tick_us = 0;
    bench_match_begin(&world, &map, bots);
    for (uint32_t t = 0; t < FIRST_TICKS + TICKS; t++) {
        double start = bench_cpu_us();
        for (uint32_t slot = 0; slot < bots; slot++)
            inputs[slot] = ai_think(&world, &map, &graph, slot, skill);
        double thought = bench_cpu_us();
        game_roll(&world, &map, NULL, NULL, NULL);
        world_step(&world, &map, inputs);
        if (t < FIRST_TICKS)
            continue;
        think_us += thinks_us[t - FIRST_TICKS] = thought - start;
        tick_us += bench_cpu_us() - start;
    }
    bench_sort(thinks_us, TICKS);
    printf("{\"bench\":\"ai\",\"map\":\"%s\",\"bots\":%" PRIu32
           ",\"skill\":\"%s\",\"think_us\":%.1f,\"think_p99_us\":%.1f,"
           "\"tick_us\":%.1f,\"draw_us\":%.0f}\n",
           map.name, bots, ai_skill_name(skill), think_us / TICKS, thinks_us[TICKS * 99 / 100], tick_us / TICKS,
           draw_us);
}

int main(int argc, char **argv)
{
    if (!bench_match_map(argc, argv, "bench_ai MAP.tmj [BOTS]...", &map, &graph))
        return EXIT_FAILURE;
    double start = bench_cpu_us();
    nav_graph_build(&graph, &map);
    double draw_us = bench_cpu_us() - start;
    for (int i = 2; i < argc; i++)
        for (enum skill skill = SKILL_RANDOM; skill < SKILLS; skill++)
            measure(skill, (uint32_t)strtoul(argv[i], NULL, 10) % (PLAYER_CAPACITY + 1), draw_us);
    return EXIT_SUCCESS;
}
