// SPDX-License-Identifier: MIT
//
// Measures the cost of a world: bots play on a map for half a minute, and the step, copy, hash and thinking of each
// tick are timed. Prints one JSON line per figure: the mean over the ticks, us; "memcpys" is the same in copies of
// sizeof(struct world).
//     bench_world MAP.tmj [BOTS]...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "game/ai/ai.h"
#include "game/ai/nav_graph_build.h"
#include "game/map/tiled/map_file.h"
#include "sync/game.h"
#include "sync/world.h"

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
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void begin(uint32_t bots)
{
    world_init(&world, &map, &(struct rules){.mode = MODE_FFA, .seed = 1});
    for (uint32_t slot = 0; slot < bots; slot++)
        world_command(&world, &map, &(struct command){.kind = COMMAND_JOIN, .slot = slot, .bot = 1});
}

static void think(void)
{
    for (uint32_t slot = 0; slot < world.player_slots; slot++)
        inputs[slot] = ai_think(&world, &map, &graph, slot, SKILL_NORMAL);
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
        think();
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
    begin(bots);
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
    struct error error;
    if (argc < 2 || !map_file_read(argv[1], &map, &error)) {
        fprintf(stderr, "bench_world: %s\n", argc < 2 ? "usage: bench_world MAP.tmj [BOTS]..." : error.text);
        return EXIT_FAILURE;
    }
    nav_graph_build(&graph, &map);
    for (int i = 2; i < argc; i++)
        measure((uint32_t)strtoul(argv[i], NULL, 10) % (PLAYER_CAPACITY + 1));
    if (argc == 2)
        measure(64);
    return EXIT_SUCCESS;
}
