// SPDX-License-Identifier: MIT
//
// Measures what far bodies cost: one actor and one lift move in a world alone, beside 20,000 solids and 100,000 actors
// that are far away, and in a level of 100,000 px. Prints one JSON line for each world: ns per move of the actor, of
// the lift without and with the actor on it, and the bytes of the index. valgrind --tool=callgrind counts instructions.
//     bench_far_bodies [MOVES]
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "physics/physics.h"

#define SOLIDS        20000
#define ACTORS        100000
#define LEVEL_COLUMNS 12500
#define LEVEL_ROWS    90

static struct df_solid solids[SOLIDS + 1];
static struct df_actor actors[ACTORS + 1];
static uint8_t tiles[LEVEL_COLUMNS * LEVEL_ROWS];

// Fills a square from (2000, 2000) on with bodies, 40 px apart; the actor and the lift are at 400, 400.
static void place_bodies(void)
{
    for (int32_t i = 0; i <= ACTORS; i++)
        actors[i] = (struct df_actor){
            .x = 2000 + i % 317 * 40, .y = 2000 + i / 317 * 40, .w = 8, .h = 11, .flags = DF_ACTOR_ALIVE};
    for (int32_t i = 0; i <= SOLIDS; i++)
        solids[i] = (struct df_solid){
            .x = 2000 + i % 142 * 80, .y = 2000 + i / 142 * 80, .w = 24, .h = 8, .flags = DF_SOLID_PRESENT};
    actors[0].x = actors[0].y = solids[0].x = solids[0].y = 400;
    actors[0].y -= actors[0].h;
}

static double move_actor(struct df_space *space, int32_t moves)
{
    double begin_us = bench_cpu_us();
    for (int32_t i = 0; i < moves; i++)
        df_actor_move_x(space, 0, i % 2 == 0 ? DF_SUB : -DF_SUB, NULL, NULL);
    return (bench_cpu_us() - begin_us) * 1e3 / moves;
}

static double move_lift(struct df_space *space, int32_t moves)
{
    double begin_us = bench_cpu_us();
    for (int32_t i = 0; i < moves; i++)
        df_solid_move(space, 0, 0, i % 2 == 0 ? DF_SUB : -DF_SUB);
    return (bench_cpu_us() - begin_us) * 1e3 / moves;
}

static bool measure(const char *world, struct df_space space, int32_t moves)
{
    place_bodies();
    size_t bytes = df_index_bytes(&space);
    void *memory = malloc(bytes);
    if (memory == NULL || df_space_init(&space, memory, bytes) != DF_OK) {
        fprintf(stderr, "bench_far_bodies: no memory\n");
        free(memory);
        return false;
    }
    df_tick_begin(&space, 1);
    double riding_ns = move_lift(&space, moves);
    df_actor_place(&space, 0, 400, 200);
    double lift_ns = move_lift(&space, moves), actor_ns = move_actor(&space, moves);
    printf("{\"bench\": \"far_bodies\", \"world\": \"%s\", \"actor_ns\": %.1f, \"lift_ns\": %.1f, \"riding_ns\": %.1f, "
           "\"index_bytes\": %zu}\n",
           world, actor_ns, lift_ns, riding_ns, bytes);
    free(memory);
    return true;
}

int main(int argc, char **argv)
{
    long moves = argc > 1 ? strtol(argv[1], NULL, 10) : 1000000;
    if (moves < 1 || moves > 1000000000) {
        fprintf(stderr, "bench_far_bodies [MOVES]: 1 to 1000000000 moves\n");
        return 64;
    }
    struct df_space alone = {.solids = solids, .actors = actors, .solid_count = 1, .actor_count = 1};
    struct df_space beside = alone, level = alone;
    beside.solid_count = SOLIDS + 1;
    beside.actor_count = ACTORS + 1;
    level.tiles = (struct df_tiles){.kinds = tiles, .columns = LEVEL_COLUMNS, .rows = LEVEL_ROWS, .edge_px = 8};
    struct df_space screen = level;
    screen.tiles.columns = 160;
    bool measured = measure("alone", alone, (int32_t)moves) && measure("beside", beside, (int32_t)moves) &&
                    measure("screen", screen, (int32_t)moves) && measure("level", level, (int32_t)moves);
    return measured ? 0 : 1;
}
