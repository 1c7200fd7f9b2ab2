// SPDX-License-Identifier: MIT
//
// What a snapshot costs: bots play on a map for a minute, and each tick is encoded against the world of 6 ticks
// before (100 ms) and decoded. Prints a JSON line a figure; median of 5 turns where it is a time.
//     bench_snapshot MAP.tmj [BOTS]...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "game/brain.h"
#include "tiled.h"
#include "wire/snapshot.h"

enum { TICKS = 3600, AGE = 6, TURNS = 5 };

static struct map map;
static struct world worlds[AGE + 1], decoded;
static uint32_t sizes[TICKS];
static uint8_t body[SNAPSHOT_BODY_BYTES_MAX];

static double now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void begin(struct world *world, uint32_t bots)
{
    world_init(world, &map, &(struct rules){.mode = MODE_FFA, .seed = 1});
    for (uint32_t slot = 0; slot < bots; slot++)
        world_command(world, &map,
                      &(struct command){.kind = COMMAND_JOIN, .slot = slot, .bot = 1, .colour = slot % 16});
}

static void step(struct world *next, const struct world *world)
{
    static struct player_input inputs[PLAYER_CAPACITY];
    for (uint32_t slot = 0; slot < world->player_slots; slot++)
        inputs[slot] = brain_think(world, &map, slot, SKILL_NORMAL);
    world_copy(next, world);
    world_step(next, &map, inputs);
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static int by_size(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/// One match. Returns false if a world does not come back.
static bool play(uint32_t bots, double *encode_us, double *decode_us)
{
    *encode_us = *decode_us = 0;
    begin(&worlds[0], bots);
    for (uint32_t i = 1; i <= AGE; i++)
        world_copy(&worlds[i], &worlds[0]);
    for (uint32_t t = 0; t < TICKS; t++) {
        struct world *next = &worlds[(t + 1) % (AGE + 1)];
        const struct world *baseline = &worlds[(t + 2) % (AGE + 1)];
        step(next, &worlds[t % (AGE + 1)]);
        double start = now_us();
        sizes[t] = (uint32_t)snapshot_body_encode(baseline, next, body, sizeof body);
        double middle = now_us();
        bool good = snapshot_body_decode(&decoded, baseline, &map, body, sizes[t]);
        *decode_us += (now_us() - middle) / TICKS;
        *encode_us += (middle - start) / TICKS;
        if (!good || memcmp(&decoded, next, sizeof decoded) != 0)
            return false;
    }
    return true;
}

static int measure(uint32_t bots)
{
    double encode_us[TURNS], decode_us[TURNS], mean = 0;
    for (int turn = 0; turn < TURNS; turn++)
        if (!play(bots, &encode_us[turn], &decode_us[turn])) {
            fprintf(stderr, "bench_snapshot: a world did not come back\n");
            return EXIT_FAILURE;
        }
    for (uint32_t t = 0; t < TICKS; t++)
        mean += (double)sizes[t] / TICKS;
    qsort(sizes, TICKS, sizeof sizes[0], by_size);
    qsort(encode_us, TURNS, sizeof encode_us[0], by_value);
    qsort(decode_us, TURNS, sizeof decode_us[0], by_value);
    printf("{\"bench\":\"snapshot\",\"map\":\"%s\",\"bots\":%u,\"baseline_ticks\":%d,\"body_bytes_mean\":%.1f,"
           "\"body_bytes_p99\":%u,\"body_bytes_max\":%u,\"encode_us\":%.2f,\"decode_us\":%.2f}\n",
           map.name, bots, AGE, mean, sizes[TICKS * 99 / 100], sizes[TICKS - 1], encode_us[TURNS / 2],
           decode_us[TURNS / 2]);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct tiled_error error;
    if (argc < 2 || !tiled_read(argv[1], &map, &error)) {
        fprintf(stderr, "bench_snapshot: %s\n", argc < 2 ? "usage: bench_snapshot MAP.tmj [BOTS]..." : error.sentence);
        return EXIT_FAILURE;
    }
    int result = EXIT_SUCCESS;
    for (int i = 2; i < argc; i++)
        result |= measure((uint32_t)strtoul(argv[i], NULL, 10));
    return argc > 2 ? result : measure(16) | measure(64);
}
