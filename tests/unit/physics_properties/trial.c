// SPDX-License-Identifier: MIT
#include "trial.h"
#include "seeds.h"
#include "test.h"

#include <stdlib.h>

static uint64_t seed = 1;
static uint64_t worlds = SEEDS_ALL ? 15000 : 5000;

static void print_event(const struct event *event)
{
    fprintf(stderr, "#   '%c' body %d other %d: %d %d %d %d (tile %d %d)\n", (char)event->kind, event->body,
            event->other, event->a, event->b, event->c, event->d, event->tile_column, event->tile_row);
}

static void print_outcome(const char *name, const struct world *world)
{
    fprintf(stderr, "# %s:\n", name);
    for (int32_t i = 0; i < world->space.solid_count; i++) {
        const struct df_solid *s = &world->solids[i];
        fprintf(stderr, "#   S%d %d %d rem %d %d flags %u\n", i, s->x, s->y, s->rem_x, s->rem_y, s->flags);
    }
    for (int32_t i = 0; i < world->space.actor_count; i++) {
        const struct df_actor *a = &world->actors[i];
        fprintf(stderr, "#   A%d %d %d (%d x %d) rem %d %d lift %d %d at %u, carried at %u by %u, flags %u\n", i, a->x,
                a->y, a->w, a->h, a->rem_x, a->rem_y, a->lift_x, a->lift_y, a->lift_tick, a->carried_tick, a->carrier,
                a->flags);
    }
    for (int32_t i = 0; i < world->space.ball_count; i++) {
        const struct df_ball *b = &world->balls[i];
        fprintf(stderr, "#   b%d %d %d %d %d flags %u\n", i, b->cx, b->cy, b->vx, b->vy, b->flags);
    }
    for (int32_t i = 0; i < world->event_count; i++)
        print_event(&world->events[i]);
}

void trial_fail(const struct trial *trial, const char *law, const struct world *a, const struct world *b)
{
    fprintf(stderr, "\n# %s: DEADFALL_SEED=%llu, world %llu\n", law, (unsigned long long)seed,
            (unsigned long long)trial->number);
    world_print(&trial->start, stderr);
    for (int32_t i = 0; i < trial->count; i++)
        operation_print(trial->done[i], stderr);
    print_outcome("one", a);
    if (b != NULL)
        print_outcome("other", b);
    fail_msg("%s", law);
}

void trial_begin(struct trial *trial, struct random *random, uint64_t number, struct taste taste)
{
    *random = random_seeded(seed, number);
    trial->number = number;
    trial->count = 0;
    world_make(&trial->start, random, taste, &implementation_literal);
}

struct operation trial_next(struct trial *trial, struct random *random)
{
    trial->done[trial->count] = operation_make(&trial->start, random);
    return trial->done[trial->count++];
}

static uint64_t number_or(const char *text, uint64_t otherwise)
{
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

void trial_set(void)
{
    worlds = number_or(getenv("DEADFALL_WORLDS"), worlds);
    seed = number_or(getenv("DEADFALL_SEED"), seed);
    printf("%llu worlds a law, DEADFALL_SEED=%llu\n", (unsigned long long)worlds, (unsigned long long)seed);
}

uint64_t trial_worlds(void)
{
    return worlds;
}
