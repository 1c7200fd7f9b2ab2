// SPDX-License-Identifier: MIT
//
// Measures what single features of the physics cost, in a world as that of bench_actors with 1000 actors and 200
// solids: casts, lists, layers, attachments, a rule of riding, the helper of speeds. Prints one JSON line for each: ns
// per call. Beside each feature that changes moves, the same moves without it. features.py counts instructions, too.
//     bench_features [CALLS [FEATURE]]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "physics/physics.h"

#define COLUMNS 256
#define ROWS    128
#define EDGE_PX 8
#define ACTORS  1000
#define SOLIDS  200
#define TURNS   5
#define LIFT    SOLIDS ///< a solid in the free top of the world, and an actor beside it
#define RIDER   ACTORS

static uint8_t kinds[COLUMNS * ROWS];
static struct df_solid solids[SOLIDS + 1];
static struct df_actor actors[ACTORS + 1];
static uint64_t memory[1 << 16];
static struct df_space space;
static uint32_t random_state;

static int32_t next_random(int32_t below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (int32_t)((random_state >> 8) % (uint32_t)below);
}

static void fill(void)
{
    memset(kinds, DF_TILE_EMPTY, sizeof kinds);
    random_state = 20261121;
    for (int32_t i = 16 * COLUMNS; i < ROWS * COLUMNS; i++)
        kinds[i] = next_random(100) < 30 ? DF_TILE_SOLID : DF_TILE_EMPTY;
    space = (struct df_space){.tiles = {.kinds = kinds, .columns = COLUMNS, .rows = ROWS, .edge_px = EDGE_PX},
                              .solids = solids,
                              .actors = actors,
                              .solid_count = SOLIDS + 1,
                              .actor_count = ACTORS + 1};
    for (int32_t i = 0; i < SOLIDS; i++)
        solids[i] = (struct df_solid){.x = next_random(COLUMNS * EDGE_PX - 48),
                                      .y = 128 + next_random((ROWS - 17) * EDGE_PX),
                                      .w = 48,
                                      .h = EDGE_PX,
                                      .flags = DF_SOLID_PRESENT};
    solids[LIFT] = (struct df_solid){.x = 400, .y = 64, .w = 48, .h = EDGE_PX, .flags = DF_SOLID_PRESENT};
    memset(actors, 0, sizeof actors);
    if (df_space_init(&space, memory, sizeof memory) != DF_OK)
        abort();
    for (int32_t i = 0; i < ACTORS; i++) {
        actors[i] = (struct df_actor){.w = 8, .h = 11, .flags = DF_ACTOR_ALIVE};
        do {
            actors[i].x = next_random(COLUMNS * EDGE_PX - 8);
            actors[i].y = 128 + next_random((ROWS - 18) * EDGE_PX);
        } while (df_space_blocked(&space, df_actor_box(&actors[i])));
    }
    actors[RIDER] = (struct df_actor){.x = 600, .y = 32, .w = 8, .h = 11, .flags = DF_ACTOR_ALIVE};
}

// --- what is set before

static void nothing(void)
{
}

static void other_layers(void)
{
    for (int32_t i = 0; i <= SOLIDS; i++)
        solids[i].flags |= DF_LAYER(0);
    for (int32_t i = 0; i <= ACTORS; i++)
        actors[i].flags |= DF_LAYER(1);
}

static void same_layers(void)
{
    for (int32_t i = 0; i <= SOLIDS; i++)
        solids[i].flags |= DF_LAYER(0);
    for (int32_t i = 0; i <= ACTORS; i++)
        actors[i].flags |= DF_LAYER(0);
}

static void rider(void)
{
    actors[RIDER].x = 410;
    actors[RIDER].y = solids[LIFT].y - actors[RIDER].h;
}

static void attached_rider(void)
{
    actors[RIDER].ride = DF_RIDE_ATTACHED + LIFT;
}

static void attached_to_another(void)
{
    for (int32_t i = 0; i < ACTORS; i++)
        actors[i].ride = DF_RIDE_ATTACHED + (uint32_t)i % SOLIDS;
}

static int by_kind(const struct df_space *of, int32_t actor, int32_t solid, void *context)
{
    (void)of, (void)actor, (void)solid, (void)context;
    return -1;
}

static void riding_rule(void)
{
    space.rules.rides = by_kind;
}

static void rider_and_rule(void)
{
    rider();
    riding_rule();
}

// --- what is called

static void move_actor(int32_t i)
{
    df_actor_move_x(&space, i % ACTORS, i / ACTORS % 2 == 0 ? 384 : -384, NULL, NULL);
}

static void move_actor_both_ways(int32_t i)
{
    df_actor_move_x(&space, i % ACTORS, i / ACTORS % 2 == 0 ? 384 : -384, NULL, NULL);
    df_actor_move_y(&space, i % ACTORS, i / ACTORS % 2 == 0 ? 384 : -384, NULL, NULL);
}

static void step_velocity(int32_t i)
{
    int32_t v = i / ACTORS % 2 == 0 ? 384 : -384;
    df_velocity_step(&space, i % ACTORS, &(struct df_velocity){.vx = v, .vy = v}, NULL);
}

static void move_lift(int32_t i)
{
    df_solid_move(&space, LIFT, i % 2 == 0 ? 384 : -384, 0);
}

static void cast_box(int32_t i)
{
    df_cast_box(&space, df_actor_box(&actors[i % ACTORS]), (i % 129 - 64) * DF_SUB, (i / 129 % 129 - 64) * DF_SUB, 0);
}

static void cast_ray(int32_t i)
{
    df_cast_ray(&space, actors[i % ACTORS].x * DF_SUB, actors[i % ACTORS].y * DF_SUB, (i % 129 - 64) * DF_SUB,
                (i / 129 % 129 - 64) * DF_SUB, 0);
}

static void cast_free_ray(int32_t i) // 512 px through the free top of the world
{
    df_cast_ray(&space, (500 + i % 512) * DF_SUB, i % 60 * DF_SUB, 512 * DF_SUB, 0, 0);
}

static void cast_solid(int32_t i)
{
    df_cast_solid(&space, i % SOLIDS, 0, 64 * DF_SUB, 0);
}

static void list_solids(int32_t i)
{
    int32_t found[16];
    df_list_solids(&space, (struct df_box){actors[i % ACTORS].x - 8, actors[i % ACTORS].y - 8, 24, 24}, found, 16);
}

static void list_actors(int32_t i)
{
    int32_t found[16];
    df_list_actors(&space, (struct df_box){actors[i % ACTORS].x - 8, actors[i % ACTORS].y - 8, 24, 24}, found, 16);
}

static void list_many_actors(int32_t i)
{
    int32_t found[64];
    df_list_actors(&space, (struct df_box){i % 1900, i % 900, 128, 128}, found, 64);
}

static void read_exact(int32_t i)
{
    int32_t x, y;
    df_actor_exact(&space, i % ACTORS, &x, &y);
}

static const struct feature {
    const char *name;
    void (*set)(void);
    void (*call)(int32_t i);
} FEATURES[] = {
    {"move", nothing, move_actor},
    {"move, solids in layers that it meets", other_layers, move_actor},
    {"move, solids in layers that it passes", same_layers, move_actor},
    {"move along x and y", nothing, move_actor_both_ways},
    {"the same by df_velocity_step", nothing, step_velocity},
    {"lift, nobody near", nothing, move_lift},
    {"lift, nobody near, with a rule of riding", riding_rule, move_lift},
    {"lift, nobody near, others attached to others", attached_to_another, move_lift},
    {"lift, one stands on it", rider, move_lift},
    {"lift, one stands on it, with a rule of riding", rider_and_rule, move_lift},
    {"lift, one is attached to it", attached_rider, move_lift},
    {"cast of a box, up to 64 px", nothing, cast_box},
    {"cast of a ray, up to 64 px", nothing, cast_ray},
    {"cast of a ray, 512 px, free", nothing, cast_free_ray},
    {"cast of a solid, 64 px", nothing, cast_solid},
    {"list of solids, 24 px", nothing, list_solids},
    {"list of actors, 24 px", nothing, list_actors},
    {"list of actors, 128 px", nothing, list_many_actors},
    {"exact place", nothing, read_exact},
};

__attribute__((noinline)) static void run_calls(const struct feature *feature, int32_t calls)
{
    for (int32_t i = 0; i < calls; i++)
        feature->call(i);
}

static void measure(const struct feature *feature, int32_t calls)
{
    double least_us = 1e300;
    for (int turn = 0; turn < TURNS; turn++) {
        fill();
        feature->set();
        df_space_refresh(&space);
        df_tick_begin(&space, 1);
        double begin_us = bench_cpu_us();
        run_calls(feature, calls);
        double spent_us = bench_cpu_us() - begin_us;
        least_us = spent_us < least_us ? spent_us : least_us;
    }
    printf("{\"bench\": \"features\", \"feature\": \"%s\", \"ns\": %.1f}\n", feature->name, least_us * 1e3 / calls);
}

int main(int argc, char **argv)
{
    long calls = argc > 1 ? strtol(argv[1], NULL, 10) : 200000;
    if (calls < 1 || calls > 100000000) {
        fprintf(stderr, "bench_features [CALLS [FEATURE]]: 1 to 100000000 calls\n");
        return 64;
    }
    for (size_t i = 0; i < sizeof FEATURES / sizeof FEATURES[0]; i++)
        if (argc < 3 || strcmp(argv[2], FEATURES[i].name) == 0)
            measure(&FEATURES[i], (int32_t)calls);
    return 0;
}
