// SPDX-License-Identifier: MIT
//
// Measures physics with actors among moving platforms: 256 x 128 tiles of 8 px, 30 % of them solid, M platforms that
// move back and forth, and N actors of 8 x 11 px that run and jump at random from a fixed seed. Prints one JSON line
// for each size: the median of several runs in ns per actor and tick, and how many times as long the literal
// implementation and the one with a plain grid take in the same run. Pin it to one core for reliable figures. With an
// IMPLEMENTATION (fast, grid, literal) only that one runs; then callgrind can count the instructions of run_ticks().
//     bench_actors [TICKS [RUNS [ACTORS SOLIDS [IMPLEMENTATION]]]]
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "grid.h"
#include "literal.h"

#define COLUMNS        256
#define ROWS           128
#define EDGE_PX        8
#define ACTOR_CAPACITY 1000
#define SOLID_CAPACITY 200
#define RUN_CAPACITY   32
#define GRAVITY_SUB    64
#define FALL_SUB_MAX   683
#define JUMP_SUB       (-448)
#define RUN_SUB_MAX    384
#define RUN_ACCEL_SUB  71
#define PLATFORM_W_PX  48
#define PLATFORM_TURN  120

struct mind {
    int32_t vx, vy;
    int32_t direction; ///< -1, 0, +1
    bool grounded;
};

struct population {
    uint8_t kinds[COLUMNS * ROWS];
    struct df_solid solids[SOLID_CAPACITY];
    struct df_actor actors[ACTOR_CAPACITY];
    struct mind minds[ACTOR_CAPACITY];
    int32_t speeds[SOLID_CAPACITY][2]; ///< of the platforms, sub per tick
    struct df_space space;
    const struct physics *physics; ///< what moves them
    uint32_t random;
};

// The calls of one implementation.
struct physics {
    const char *name;
    void (*begin)(const struct df_space *);
    enum df_result (*step)(struct df_space *, int32_t, int32_t, int32_t, struct df_actor_hits *);
    enum df_result (*solid_move)(struct df_space *, int32_t, int32_t, int32_t);
    enum df_result (*place)(struct df_space *, int32_t, int32_t, int32_t);
    bool (*blocked)(const struct df_space *, struct df_box);
};

static void begin_nothing(const struct df_space *space)
{
    (void)space; // has its index
}

static const struct physics FAST = {"fast",        begin_nothing,  df_actor_step,
                                    df_solid_move, df_actor_place, df_space_blocked};
static const struct physics GRID = {"grid",          grid_begin,       grid_actor_step,
                                    grid_solid_move, grid_actor_place, grid_space_blocked};
static const struct physics LITERAL = {"literal",          begin_nothing,       literal_actor_step,
                                       literal_solid_move, literal_actor_place, literal_space_blocked};

static uint32_t next_random(struct population *population, uint32_t below)
{
    population->random = population->random * 1664525u + 1013904223u;
    return (population->random >> 8) % below;
}

static void find_free(struct population *population, const struct physics *physics, struct df_box *box)
{
    do {
        box->x = (int32_t)next_random(population, (uint32_t)(COLUMNS * EDGE_PX - box->w));
        box->y = (int32_t)next_random(population, (uint32_t)(ROWS * EDGE_PX - box->h));
    } while (physics->blocked(&population->space, *box));
}

static void fill(struct population *population, int32_t actors, int32_t solids)
{
    memset(population, 0, sizeof *population);
    population->random = 20261121;
    for (int32_t i = 0; i < COLUMNS * ROWS; i++)
        population->kinds[i] = next_random(population, 100) < 30 ? DF_TILE_SOLID : DF_TILE_EMPTY;
    struct df_space *space = &population->space;
    space->tiles = (struct df_tiles){population->kinds, NULL, COLUMNS, ROWS, EDGE_PX, DF_OUTSIDE_SOLID};
    space->solids = population->solids;
    space->actors = population->actors;
    space->solid_count = solids;
    for (int32_t i = 0; i < solids; i++) {
        population->solids[i] =
            (struct df_solid){.x = (int32_t)next_random(population, COLUMNS * EDGE_PX - PLATFORM_W_PX),
                              .y = (int32_t)next_random(population, ROWS * EDGE_PX - EDGE_PX),
                              .w = PLATFORM_W_PX,
                              .h = EDGE_PX,
                              .flags = DF_SOLID_PRESENT};
        population->speeds[i][i % 2] = 64 + (int32_t)next_random(population, 320);
    }
    for (int32_t i = 0; i < actors; i++) {
        struct df_box box = {0, 0, 8, 11};
        find_free(population, &LITERAL, &box);
        population->actors[i] = (struct df_actor){.x = box.x, .y = box.y, .w = 8, .h = 11, .flags = DF_ACTOR_ALIVE};
    }
    space->actor_count = actors;
}

// A squished actor continues elsewhere, so that the number of actors stays the same.
static enum df_squish_answer respawn(struct df_space *space, struct df_squish squish, void *context)
{
    struct df_actor *actor = &space->actors[squish.actor];
    struct df_box box = {0, 0, actor->w, actor->h};
    struct population *population = context;
    find_free(population, population->physics, &box);
    population->physics->place(space, squish.actor, box.x, box.y);
    return DF_SQUISH_HANDLED;
}

static int32_t approach(int32_t value, int32_t target, int32_t by)
{
    if (value < target)
        return value + by < target ? value + by : target;
    return value - by > target ? value - by : target;
}

static void think(struct population *population, int32_t actor)
{
    const struct physics *physics = population->physics;
    struct mind *mind = &population->minds[actor];
    uint32_t dice = next_random(population, 64);
    if (dice < 3)
        mind->direction = (int32_t)dice - 1;
    mind->vx = approach(mind->vx, mind->direction * RUN_SUB_MAX, RUN_ACCEL_SUB);
    mind->vy = approach(mind->vy, FALL_SUB_MAX, GRAVITY_SUB);
    if (mind->grounded && dice >= 60)
        mind->vy = JUMP_SUB;
    struct df_actor_hits hits;
    physics->step(&population->space, actor, mind->vx, mind->vy, &hits);
    mind->vx = hits.x.kind != DF_HIT_NONE ? 0 : mind->vx;
    mind->vy = hits.y.kind != DF_HIT_NONE ? 0 : mind->vy;
    mind->grounded = hits.ground.kind != DF_HIT_NONE;
}

static void tick(struct population *population, uint32_t now)
{
    df_tick_begin(&population->space, now);
    int32_t way = now / PLATFORM_TURN % 2 == 0 ? 1 : -1;
    for (int32_t i = 0; i < population->space.solid_count; i++)
        population->physics->solid_move(&population->space, i, way * population->speeds[i][0],
                                        way * population->speeds[i][1]);
    for (int32_t i = 0; i < population->space.actor_count; i++)
        think(population, i);
}

__attribute__((noinline)) static void run_ticks(struct population *population, uint32_t ticks)
{
    for (uint32_t i = 1; i <= ticks; i++)
        tick(population, i);
}

static void *index_memory(const struct df_space *space, size_t *bytes)
{
    *bytes = df_index_bytes(space);
    void *memory = malloc(*bytes);
    if (memory == NULL)
        abort();
    return memory;
}

// Nanoseconds per actor and tick.
static double run_once(struct population *population, const struct physics *physics, int32_t actors, int32_t solids,
                       uint32_t ticks)
{
    fill(population, actors, solids);
    size_t bytes;
    void *memory = index_memory(&population->space, &bytes);
    if (df_space_init(&population->space, memory, bytes) != DF_OK)
        abort();
    population->space.context = population;
    population->space.rules.squish = respawn;
    population->physics = physics;
    physics->begin(&population->space);
    double begin_us = bench_cpu_us();
    run_ticks(population, ticks);
    double spent_us = bench_cpu_us() - begin_us;
    free(memory);
    return spent_us * 1e3 / ticks / actors;
}

static double median(struct population *population, const struct physics *physics, int32_t actors, int32_t solids,
                     uint32_t ticks, int32_t runs)
{
    double spent[RUN_CAPACITY];
    for (int32_t i = 0; i < runs; i++)
        spent[i] = run_once(population, physics, actors, solids, ticks);
    bench_sort(spent, (size_t)runs);
    return spent[runs / 2];
}

static bool are_equal(const struct population *a, const struct population *b)
{
    bool equal =
        memcmp(a->actors, b->actors, sizeof a->actors) == 0 && memcmp(a->solids, b->solids, sizeof a->solids) == 0;
    if (!equal)
        fprintf(stderr, "bench_actors: %s and %s differ with %d actors and %d solids\n", a->physics->name,
                b->physics->name, a->space.actor_count, a->space.solid_count);
    return equal;
}

// All run the same world, or the figures would not be comparable; the literal implementation for fewer ticks.
static bool measure(int32_t actors, int32_t solids, uint32_t ticks, int32_t runs)
{
    static struct population fast, grid, literal;
    uint32_t literal_ticks = ticks * 16 / (uint32_t)actors / 8;
    literal_ticks = literal_ticks < 2 ? 2 : literal_ticks;
    double literal_ns = run_once(&literal, &LITERAL, actors, solids, literal_ticks);
    run_once(&fast, &FAST, actors, solids, literal_ticks);
    if (!are_equal(&fast, &literal))
        return false;
    double fast_ns = median(&fast, &FAST, actors, solids, ticks, runs);
    double grid_ns = median(&grid, &GRID, actors, solids, ticks, runs);
    if (!are_equal(&fast, &grid))
        return false;
    printf("{\"bench\": \"population\", \"actors\": %d, \"solids\": %d, \"ticks\": %" PRIu32
           ", \"ns_per_actor_tick\": %.1f, \"grid_ns\": %.1f, \"grid_ratio\": %.1f, \"literal_ns\": %.1f, "
           "\"ratio\": %.1f}\n",
           actors, solids, ticks, fast_ns, grid_ns, grid_ns / fast_ns, literal_ns, literal_ns / fast_ns);
    return true;
}

static bool measure_one(const char *name, int32_t actors, int32_t solids, uint32_t ticks, int32_t runs)
{
    static struct population population;
    static const struct physics *const all[] = {&FAST, &GRID, &LITERAL};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i]->name, name) == 0) {
            printf("{\"bench\": \"population\", \"implementation\": \"%s\", \"actors\": %d, \"solids\": %d, "
                   "\"ticks\": %" PRIu32 ", \"ns_per_actor_tick\": %.1f}\n",
                   name, actors, solids, ticks, median(&population, all[i], actors, solids, ticks, runs));
            return true;
        }
    fprintf(stderr, "bench_actors: no implementation '%s'\n", name);
    return false;
}

int main(int argc, char **argv)
{
    long ticks = argc > 1 ? strtol(argv[1], NULL, 10) : 3600, runs = argc > 2 ? strtol(argv[2], NULL, 10) : 7;
    long actors = argc > 4 ? strtol(argv[3], NULL, 10) : 1, solids = argc > 4 ? strtol(argv[4], NULL, 10) : 0;
    if (ticks < 1 || ticks > 1000000 || runs < 1 || runs > RUN_CAPACITY || actors < 1 || actors > ACTOR_CAPACITY ||
        solids < 0 || solids > SOLID_CAPACITY) {
        fprintf(stderr,
                "bench_actors [TICKS [RUNS [ACTORS SOLIDS [IMPLEMENTATION]]]]: 1 to 1000000 ticks, 1 to %d runs, 1 to "
                "%d actors, 0 to %d solids, fast, grid or literal\n",
                RUN_CAPACITY, ACTOR_CAPACITY, SOLID_CAPACITY);
        return 64;
    }
    if (argc > 5)
        return measure_one(argv[5], (int32_t)actors, (int32_t)solids, (uint32_t)ticks, (int32_t)runs) ? 0 : 1;
    if (argc > 4)
        return measure((int32_t)actors, (int32_t)solids, (uint32_t)ticks, (int32_t)runs) ? 0 : 1;
    static const int32_t sizes[][2] = {{16, 16}, {128, 64}, {1000, 200}};
    bool agreed = true;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        agreed = measure(sizes[i][0], sizes[i][1], (uint32_t)ticks, (int32_t)runs) && agreed;
    return agreed ? 0 : 1;
}
