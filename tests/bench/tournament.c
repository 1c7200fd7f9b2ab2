// SPDX-License-Identifier: MIT
//
// Lets bots play against bots: each skill against the next better one, in many short matches of ffa with different
// seeds. Prints one JSON line per pair and map: the matches that each won by points, rides on moving solids, the
// longest time that a bot stood still although it held a direction, and the causes of death.
//     bench_tournament MATCHES BOTS MAP.tmj...
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "game/ai/nav_graph_build.h"
#include "game/map/tiled/map_file.h"
#include "game/tuning.h"
#include "tournament.h"

#define TICKS 3600 ///< of a match: a minute

static struct map map;
static struct nav_graph graph;

static void compete(enum skill better, uint32_t matches, uint32_t bots)
{
    struct tournament t = {.map = &map, .graph = &graph, .bots = bots, .skills = {better - 1, better}, .ticks = TICKS};
    double start_us = bench_cpu_us();
    for (uint32_t seed = 1; seed <= matches; seed++)
        tournament_play(&t, seed);
    double us = (bench_cpu_us() - start_us) / (double)matches / (TICKS + TUNING.warmup_ticks + TUNING.countdown_ticks);
    uint32_t decided = t.wins[0] + t.wins[1];
    printf("{\"bench\":\"tournament\",\"map\":\"%s\",\"bots\":%" PRIu32 ",\"seeds\":\"1-%" PRIu32
           "\",\"worse\":\"%s\",\"better\":\"%s\",\"worse_won\":%" PRIu32 ",\"better_won\":%" PRIu32
           ",\"drawn\":%" PRIu32 ",\"better_percent\":%" PRIu32 ",\"worse_kills\":%" PRIu32 ",\"better_kills\":%" PRIu32
           ",\"rides\":%" PRIu32 ",\"stands\":%" PRIu32 ",\"stand_ticks_max\":%" PRIu32 ",\"stand_at\":\"%s at %" PRId32
           ", %" PRId32 ", seed %" PRIu32 ", tick %" PRIu32 "\",\"tick_us\":%.1f,\"deaths\":{",
           map.name, bots, matches, ai_skill_name(t.skills[0]), ai_skill_name(t.skills[1]), t.wins[0], t.wins[1],
           matches - decided, decided > 0 ? 100 * t.wins[1] / decided : 0, t.kills[0], t.kills[1], t.rides, t.stands,
           t.stand_ticks_max, ai_skill_name(t.stand_at.skill), t.stand_at.x, t.stand_at.y, t.stand_at.seed,
           t.stand_at.tick, us);
    for (uint32_t cause = 0; cause < TOURNAMENT_CAUSES; cause++)
        printf("%s\"%" PRIu32 "\":[%" PRIu32 ",%" PRIu32 "]", cause > 0 ? "," : "", cause, t.deaths[0][cause],
               t.deaths[1][cause]);
    printf("}}\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    uint32_t matches = argc > 3 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    uint32_t bots = argc > 3 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    if (matches < 1 || bots < 2 || bots > PLAYER_CAPACITY || bots % 2 != 0) {
        fprintf(stderr, "usage: bench_tournament MATCHES BOTS MAP.tmj...\nBOTS: an even number, 2 to %d\n",
                PLAYER_CAPACITY);
        return EXIT_FAILURE;
    }
    for (int i = 3; i < argc; i++) {
        struct error error;
        if (!map_file_read(argv[i], &map, &error)) {
            fprintf(stderr, "bench_tournament: %s\n", error.text);
            return EXIT_FAILURE;
        }
        double start_us = bench_cpu_us();
        nav_graph_build(&graph, &map);
        printf("{\"bench\":\"nav_graph\",\"map\":\"%s\",\"cells\":%" PRIu32 ",\"edges\":%" PRIu32
               ",\"regions\":%" PRIu32 ",\"draw_us\":%.0f}\n",
               map.name, graph.cell_count, graph.edge_count, graph.region_count, bench_cpu_us() - start_us);
        for (enum skill better = SKILL_EASY; better < SKILLS; better++)
            compete(better, matches, bots);
    }
    return EXIT_SUCCESS;
}
