// SPDX-License-Identifier: MIT
//
// Tests the questions that a space answers on random worlds (trial.h) after random operations: casts against a judge
// (cast_judge.h) and against the moves of actors, lists of bodies against a look at all of them.
#include <stdlib.h>
#include <string.h>

#include "cast_judge.h"
#include "test.h"
#include "trial.h"

static struct trial trial;
static struct world world;

// Makes the next world, some operations after its start. Every fourth one is large.
static struct random next_world(uint64_t n)
{
    struct random random;
    trial_begin(&trial, &random, n, (struct taste){.balls = true, .large = n % 4 == 3});
    world_copy(&world, &trial.start, &implementation_fast);
    for (int32_t i = random_in(&random, 0, 6); i > 0; i--)
        operation_do(&world, trial_next(&trial, &random));
    return random;
}

// A box around the world; now and then far beyond, or flush with a solid.
static struct df_box random_box(struct random *random, int32_t size)
{
    struct df_box box = {.w = random_in(random, 1, size), .h = random_in(random, 1, size)};
    const struct df_tiles *tiles = &world.space.tiles;
    int32_t width = tiles->kinds != NULL ? tiles->columns * tiles->edge_px : 300, height = 120;
    if (tiles->kinds != NULL) {
        height = tiles->rows * tiles->edge_px;
        box.w = box.w < width ? box.w : width - 1;
        box.h = box.h < height ? box.h : height - 1;
    }
    box.x = random_in(random, -width / 4, width + width / 4);
    box.y = random_in(random, -height / 4, height + height / 4);
    if (random_one_in(random, 3)) {
        const struct df_solid *solid = &world.solids[random_in(random, 0, world.space.solid_count - 1)];
        box.x = random_one_in(random, 2) ? solid->x - box.w : solid->x + solid->w;
        box.y = solid->y + random_in(random, -box.h - 2, solid->h + 2);
    }
    return box;
}

// Often along an axis, or a diagonal of whole pixels, which meets corners.
static int32_t random_way(struct random *random)
{
    switch (random_in(random, 0, 3)) {
    case 0:
        return 0;
    case 1:
        return random_in(random, -40, 40) * DF_SUB;
    case 2:
        return random_in(random, -600, 600);
    default:
        return random_in(random, -40000, 40000);
    }
}

static void fail_cast(struct cast_judge_way way, struct df_cast is, struct df_cast shall)
{
    fprintf(stderr, "# cast %d %d (%d x %d) by %d %d, oneways %d\n", way.x, way.y, way.w, way.h, way.dx, way.dy,
            way.oneways);
    fprintf(stderr, "#   is    kind %d index %d tile %d %d normal %d %d way %d %d\n", (int)is.kind, is.index, is.column,
            is.row, is.normal_x, is.normal_y, is.dx_sub, is.dy_sub);
    fprintf(stderr, "#   shall kind %d index %d tile %d %d normal %d %d way %d %d\n", (int)shall.kind, shall.index,
            shall.column, shall.row, shall.normal_x, shall.normal_y, shall.dx_sub, shall.dy_sub);
    trial_fail(&trial, "a cast meets what comes first", &world, NULL);
}

static bool are_equal(struct df_cast a, struct df_cast b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

ALL_TESTS(trial_set, NULL);

TEST(casts_meet_what_the_judge_says)
{
    for (uint64_t n = 0; n < trial_worlds(); n++) {
        struct random random = next_world(n);
        for (int i = 0; i < 6; i++) {
            struct df_box box = random_box(&random, i < 4 ? 16 : 60);
            struct cast_judge_way way = {
                box.x * DF_SUB, box.y * DF_SUB, box.w * DF_SUB, box.h * DF_SUB, 0, 0, false, -1, 0};
            way.dx = random_way(&random);
            way.dy = random_one_in(&random, 3) ? way.dx * (random_one_in(&random, 2) ? 1 : -1) : random_way(&random);
            way.oneways = random_one_in(&random, 2);
            way.passes = random_one_in(&random, 3) ? DF_LAYER(random_in(&random, 0, 2)) : 0;
            uint32_t flags = way.passes | (way.oneways ? DF_CAST_ONEWAYS : 0u);
            struct df_cast is = df_cast_box(&world.space, box, way.dx, way.dy, flags);
            if (i % 2 == 0) {
                way.x += random_in(&random, 0, 3) == 0 ? random_in(&random, 0, DF_SUB) : 0;
                way.w = way.h = 1;
                is = df_cast_ray(&world.space, way.x, way.y, way.dx, way.dy, flags);
            }
            struct df_cast shall = cast_judge(&world.space, way);
            if (!are_equal(is, shall))
                fail_cast(way, is, shall);
        }
    }
}

TEST(a_solid_that_moves_as_far_as_its_cast_ends_flush)
{
    for (uint64_t n = 0; n < trial_worlds(); n++) {
        struct random random = next_world(n);
        int32_t i = random_in(&random, 0, world.space.solid_count - 1);
        struct df_solid *solid = &world.solids[i];
        struct cast_judge_way way = {.x = solid->x * DF_SUB, .y = solid->y * DF_SUB, .left_out = i};
        way.w = solid->w * DF_SUB;
        way.h = solid->h * DF_SUB;
        way.oneways = random_one_in(&random, 2);
        int32_t dx = random_way(&random), dy = random_way(&random);
        int32_t rem_x = dx != 0 ? solid->rem_x : 0, rem_y = dy != 0 ? solid->rem_y : 0;
        way.dx = dx + rem_x;
        way.dy = dy + rem_y;
        struct df_cast is = df_cast_solid(&world.space, i, dx, dy, way.oneways ? DF_CAST_ONEWAYS : 0);
        struct df_cast shall = cast_judge(&world.space, way);
        shall.dx_sub -= rem_x;
        shall.dy_sub -= rem_y;
        if (!are_equal(is, shall))
            fail_cast(way, is, shall);
        world.event_count = 0; // a rule may move it once more
        bool moves = (solid->flags & DF_SOLID_PRESENT) != 0 && is.dy_sub != 0 &&
                     df_solid_move(&world.space, i, is.dx_sub, is.dy_sub) == DF_OK && world.event_count == 0;
        if (moves && is.normal_y != 0 && solid->rem_y != 0)
            fail_cast(way, is, shall);
    }
}

TEST(a_cast_along_an_axis_is_a_probe)
{
    for (uint64_t n = 0; n < trial_worlds(); n++) {
        struct random random = next_world(n);
        for (int32_t i = df_next_actor(&world.space, -1); i >= 0; i = df_next_actor(&world.space, i)) {
            const struct df_actor *actor = &world.actors[i];
            int32_t px = random_in(&random, 1, 60) * (random_one_in(&random, 2) ? 1 : -1);
            bool along_x = random_one_in(&random, 2);
            if (df_actor_is_embedded(&world.space, i) || (actor->flags & DF_ACTOR_DROP_THROUGH) != 0)
                continue;
            struct df_box box = {actor->x, actor->y, actor->w, actor->h};
            struct df_hit hit = df_actor_probe(&world.space, i, along_x ? px : 0, along_x ? 0 : px);
            struct df_cast cast = df_cast_box(&world.space, box, along_x ? px * DF_SUB : 0, along_x ? 0 : px * DF_SUB,
                                              DF_CAST_ONEWAYS | (actor->flags & DF_LAYERS));
            int32_t left_px = abs(px) - abs(along_x ? cast.dx_sub : cast.dy_sub) / DF_SUB;
            if (cast.kind != hit.kind || cast.index != hit.index ||
                (hit.kind != DF_HIT_NONE &&
                 (left_px != hit.left_px || cast.column != hit.column || cast.row != hit.row ||
                  (along_x ? cast.normal_x : cast.normal_y) != -hit.direction)))
                trial_fail(&trial, "a cast along an axis is a probe", &world, NULL);
        }
    }
}

static bool overlaps(int32_t x, int32_t y, int32_t w, int32_t h, struct df_box box)
{
    for (int32_t dx = -2; dx <= 2; dx++)
        for (int32_t dy = -2; dy <= 2; dy++) {
            const struct df_tiles *tiles = &world.space.tiles;
            bool wraps = tiles->kinds != NULL && tiles->outside == DF_OUTSIDE_WRAP;
            struct df_box image = {x, y, w, h};
            image.x += wraps ? dx * tiles->columns * tiles->edge_px : 0;
            image.y += wraps ? dy * tiles->rows * tiles->edge_px : 0;
            if (df_box_overlaps(image, box))
                return true;
        }
    return false;
}

// Compares a list, of any capacity, with all the bodies that overlap.
static void compare_list(int32_t (*list)(const struct df_space *, struct df_box, int32_t *, int32_t), struct df_box box,
                         const int32_t *shall, int32_t shall_count, int32_t capacity)
{
    int32_t is[WORLD_SOLIDS];
    memset(is, 0xee, sizeof is);
    int32_t written = shall_count < capacity ? shall_count : capacity;
    if (list(&world.space, box, is, capacity) != shall_count || memcmp(is, shall, (size_t)written * sizeof *is) != 0 ||
        is[written] != (int32_t)0xeeeeeeee)
        trial_fail(&trial, "a list has what overlaps, in index order", &world, NULL);
}

TEST(lists_have_what_overlaps)
{
    for (uint64_t n = 0; n < trial_worlds(); n++) {
        struct random random = next_world(n);
        struct df_box box = random_box(&random, random_one_in(&random, 4) ? 2000 : 40);
        int32_t shall[WORLD_SOLIDS], count = 0, capacity = random_in(&random, 0, random_one_in(&random, 2) ? 3 : 150);
        for (int32_t i = 0; i < world.space.solid_count; i++) {
            const struct df_solid *solid = &world.solids[i];
            if ((solid->flags & DF_SOLID_PRESENT) != 0 && overlaps(solid->x, solid->y, solid->w, solid->h, box))
                shall[count++] = i;
        }
        compare_list(df_list_solids, box, shall, count, capacity);
        count = 0;
        for (int32_t i = 0; i < world.space.actor_count; i++) {
            const struct df_actor *actor = &world.actors[i];
            if ((actor->flags & DF_ACTOR_ALIVE) != 0 && overlaps(actor->x, actor->y, actor->w, actor->h, box))
                shall[count++] = i;
        }
        compare_list(df_list_actors, box, shall, count, capacity);
        assert_int_equal(df_list_actors(&world.space, box, NULL, 0), count);
    }
}
