// SPDX-License-Identifier: MIT
//
// Tests the laws P1 to P7 of the physics contract on random worlds (trial.h).
#include <stdlib.h>
#include <string.h>

#include "broadphase_scan.h"
#include "test.h"
#include "trial.h"

#define WORLDS_A_LARGE_WORLD 250 ///< a large world takes as long as that many small ones

// ---- comparing -------------------------------------------------------------------------------------------------

static bool same_state(const struct world *a, const struct world *b)
{
    return memcmp(a->solids, b->solids, sizeof a->solids) == 0 && memcmp(a->actors, b->actors, sizeof a->actors) == 0 &&
           memcmp(a->balls, b->balls, sizeof a->balls) == 0 && memcmp(a->broken, b->broken, sizeof a->broken) == 0;
}

static bool same_events(const struct world *a, const struct world *b)
{
    return a->event_count == b->event_count &&
           memcmp(a->events, b->events, (size_t)a->event_count * sizeof a->events[0]) == 0;
}

static int by_content(const void *a, const void *b)
{
    return memcmp(a, b, offsetof(struct event, tile_column));
}

// The same events in any order; tiles are not compared.
static bool same_events_unordered(struct world *a, struct world *b)
{
    if (a->event_count != b->event_count)
        return false;
    qsort(a->events, (size_t)a->event_count, sizeof a->events[0], by_content);
    qsort(b->events, (size_t)b->event_count, sizeof b->events[0], by_content);
    for (int32_t i = 0; i < a->event_count; i++)
        if (by_content(&a->events[i], &b->events[i]) != 0)
            return false;
    return true;
}

// ---- the laws --------------------------------------------------------------------------------------------------

static const struct implementation *const IMPLEMENTATIONS[] = {&implementation_fast, &implementation_literal};

static bool was_squished(const struct world *world, int32_t actor)
{
    for (int32_t i = 0; i < world->event_count; i++)
        if (world->events[i].kind == 's' && world->events[i].body == actor)
            return true;
    return false;
}

ALL_TESTS(trial_set, NULL);

TEST(only_an_actor_flagged_embedded_overlaps_a_solid)
{
    static struct trial trial;
    static struct world world;
    struct random random;
    for (uint64_t n = 0; n < trial_worlds(); n++) {
        trial_begin(&trial, &random, n, (struct taste){.gentle = true});
        world_copy(&world, &trial.start, IMPLEMENTATIONS[n % 2]);
        while (trial.count < TRIAL_OPERATIONS) {
            uint32_t flags[WORLD_ACTORS];
            for (int32_t i = 0; i < world.space.actor_count; i++)
                flags[i] = world.actors[i].flags;
            operation_do(&world, trial_next(&trial, &random));
            for (int32_t i = 0; i < world.space.actor_count; i++) {
                bool flagged = (world.actors[i].flags & DF_ACTOR_EMBEDDED) != 0;
                bool flagged_before = (flags[i] & DF_ACTOR_EMBEDDED) != 0;
                if (implementation_literal.actor_is_embedded(&world.space, i) &&
                    (!flagged || (!flagged_before && !was_squished(&world, i))))
                    trial_fail(&trial, "P1 no overlap", &world, NULL);
            }
        }
    }
}

TEST(a_mirrored_world_gives_a_mirrored_result)
{
    static struct trial trial;
    static struct world world, image, unmirrored;
    struct random random;
    for (uint64_t n = 0; n < trial_worlds(); n++) {
        trial_begin(&trial, &random, n, (struct taste){.balls = n % 3 == 0});
        world_copy(&world, &trial.start, IMPLEMENTATIONS[n % 2]);
        world_mirror(&image, &trial.start, IMPLEMENTATIONS[n % 2]);
        while (trial.count < TRIAL_OPERATIONS) {
            struct operation operation = trial_next(&trial, &random);
            if (operation.kind == OPERATION_BOUNCE && world.space.tiles.outside == DF_OUTSIDE_WRAP)
                continue; // it queries one rectangle, which the seam cuts at another place in the mirror image
            operation_do(&world, operation);
            operation_do(&image, operation);
            world_mirror(&unmirrored, &image, IMPLEMENTATIONS[n % 2]);
            if (!same_state(&world, &unmirrored) || !same_events_unordered(&world, &image))
                trial_fail(&trial, "P2 mirror", &world, &unmirrored);
        }
    }
}

TEST(the_order_of_the_actors_changes_no_result)
{
    static struct trial trial;
    static struct world world, shuffled;
    struct random random;
    for (uint64_t n = 0; n < trial_worlds(); n++) {
        trial_begin(&trial, &random, n, (struct taste){.gentle = true});
        int32_t count = trial.start.space.actor_count;
        trial.start.space.rules.rides = NULL;
        world_copy(&world, &trial.start, IMPLEMENTATIONS[n % 2]);
        memcpy(&shuffled, &trial.start, offsetof(struct world, memory));
        for (int32_t i = 0; i < count; i++) { // reversed
            shuffled.actors[count - 1 - i] = trial.start.actors[i];
            shuffled.answers[count - 1 - i] = trial.start.answers[i];
            shuffled.reach_px[count - 1 - i] = trial.start.reach_px[i];
        }
        world_copy(&shuffled, &shuffled, IMPLEMENTATIONS[n % 2]);
        while (trial.count < TRIAL_OPERATIONS) {
            struct operation operation = trial_next(&trial, &random), same = operation;
            bool is_solids = operation.kind == OPERATION_SHIFT || operation.kind == OPERATION_VANISH;
            same.body = is_solids || operation.body >= count ? operation.body : count - 1 - operation.body;
            operation_do(&world, operation);
            operation_do(&shuffled, same);
            for (int32_t i = 0; i < shuffled.event_count; i++)
                shuffled.events[i].body = count - 1 - shuffled.events[i].body;
            bool same_result = same_events_unordered(&world, &shuffled);
            for (int32_t i = 0; i < count; i++)
                same_result &= memcmp(&world.actors[i], &shuffled.actors[count - 1 - i], sizeof world.actors[i]) == 0;
            if (!same_result)
                trial_fail(&trial, "P3 order", &world, &shuffled);
        }
    }
}

static bool is_rem(int32_t rem)
{
    return rem >= -128 && rem <= 128;
}

TEST(every_remainder_stays_within_half_a_pixel)
{
    static struct trial trial;
    static struct world world;
    struct random random;
    for (uint64_t n = 0; n < trial_worlds(); n++) {
        trial_begin(&trial, &random, n, (struct taste){0});
        world_copy(&world, &trial.start, IMPLEMENTATIONS[n % 2]);
        while (trial.count < TRIAL_OPERATIONS) {
            operation_do(&world, trial_next(&trial, &random));
            for (int32_t i = 0; i < world.space.actor_count; i++)
                if (!is_rem(world.actors[i].rem_x) || !is_rem(world.actors[i].rem_y))
                    trial_fail(&trial, "P4 remainder of an actor", &world, NULL);
            for (int32_t i = 0; i < world.space.solid_count; i++)
                if (!is_rem(world.solids[i].rem_x) || !is_rem(world.solids[i].rem_y))
                    trial_fail(&trial, "P4 remainder of a solid", &world, NULL);
        }
    }
}

// Runs a world through both implementations, and looks at the broadphase after each operation.
static void compare(uint64_t number, struct taste taste, int32_t operations)
{
    static struct trial trial;
    static struct world fast, literal;
    struct random random;
    trial_begin(&trial, &random, number, taste);
    world_copy(&fast, &trial.start, &implementation_fast);
    world_copy(&literal, &trial.start, &implementation_literal);
    while (trial.count < operations) {
        struct operation operation = trial_next(&trial, &random);
        enum df_result result = operation_do(&fast, operation);
        bool same_result = result == operation_do(&literal, operation) && fast.ride_questions == literal.ride_questions;
        if (!same_result || !same_state(&fast, &literal) || !same_events(&fast, &literal))
            trial_fail(&trial, "P5 fast (one) equals literal (other)", &fast, &literal);
        const char *fault = broadphase_fault(&fast.space);
        if (fault != NULL)
            trial_fail(&trial, fault, &fast, NULL);
    }
}

TEST(the_fast_implementation_equals_the_literal_one)
{
    for (uint64_t n = 0; n < trial_worlds(); n++)
        compare(n, (struct taste){.balls = n % 2 == 0}, TRIAL_OPERATIONS);
}

TEST(in_large_worlds_too)
{
    for (uint64_t n = 0; n < trial_worlds() / WORLDS_A_LARGE_WORLD; n++)
        compare(n, (struct taste){.balls = n % 2 == 0, .large = true}, TRIAL_OPERATIONS_OF_LARGE);
}

static int32_t modulo(int32_t value, int32_t period)
{
    return period > 0 ? value - df_floor_div(value, period) * period : value;
}

static int32_t displacement_px(int32_t rem_sub, int32_t amount_sub)
{
    return amount_sub == 0 ? 0 : df_round_px(rem_sub + amount_sub);
}

TEST(a_solid_always_arrives)
{
    static struct trial trial;
    static struct world world, before;
    struct random random;
    for (uint64_t n = 0; n < trial_worlds(); n++) {
        trial_begin(&trial, &random, n, (struct taste){.gentle = true, .balls = n % 3 == 0});
        world_copy(&world, &trial.start, IMPLEMENTATIONS[n % 2]);
        const struct df_tiles *tiles = &world.space.tiles;
        bool wraps = tiles->kinds != NULL && tiles->outside == DF_OUTSIDE_WRAP;
        int32_t period_x = wraps ? tiles->columns * tiles->edge_px : 0;
        int32_t period_y = wraps ? tiles->rows * tiles->edge_px : 0;
        while (trial.count < TRIAL_OPERATIONS) {
            struct operation operation = trial_next(&trial, &random);
            memcpy(&before, &world, offsetof(struct world, memory));
            operation_do(&world, operation);
            const struct df_solid *first = &before.solids[operation.group[0]];
            for (int32_t i = 0; operation.kind == OPERATION_SHIFT && i < operation.group_count; i++) {
                const struct df_solid *from = &before.solids[operation.group[i]];
                const struct df_solid *to = &world.solids[operation.group[i]];
                int32_t x = modulo(from->x + displacement_px(first->rem_x, operation.a), period_x);
                int32_t y = modulo(from->y + displacement_px(first->rem_y, operation.b), period_y);
                if ((from->flags & DF_SOLID_PRESENT) != 0 && (to->x != x || to->y != y))
                    trial_fail(&trial, "P6 a solid arrives", &before, &world);
            }
        }
    }
}

TEST(no_result_depends_on_the_index_or_on_earlier_queries)
{
    static struct trial trial;
    static struct world plain, asked;
    struct random random;
    for (uint64_t n = 0; n < trial_worlds(); n++) {
        trial_begin(&trial, &random, n, (struct taste){.balls = n % 3 == 0});
        world_copy(&plain, &trial.start, &implementation_fast);
        world_copy(&asked, &trial.start, &implementation_fast);
        while (trial.count < TRIAL_OPERATIONS) {
            struct operation operation = trial_next(&trial, &random);
            if (random_one_in(&random, 3))
                df_space_refresh(&asked.space);
            for (int32_t i = random_in(&random, 0, 2); i > 0; i--) {
                operation_do(&asked, (struct operation){.kind = OPERATION_QUERIES,
                                                        .body = random_in(&random, 0, 5),
                                                        .a = random_in(&random, -4000, 4000)});
            }
            operation_do(&plain, operation);
            operation_do(&asked, operation);
            if (!same_state(&plain, &asked) || !same_events(&plain, &asked))
                trial_fail(&trial, "P7 index", &plain, &asked);
        }
    }
}
