// SPDX-License-Identifier: MIT
// Tests the actor functions besides moving: refused arguments, callbacks, teleporting, resizing, lift.
#include "stage.h"

TEST(a_bad_argument_changes_nothing)
{
    static const struct {
        int32_t actor, x, rem, amount;
    } rows[] = {
        /* 1 */ {-1, 0, 0, 256},
        /* 2 */ {1, 0, 0, 256},
        /* 3 */ {0, 0, 0, DF_AMOUNT_SUB_MAX + 1},
        /* 4 */ {0, 0, 0, -DF_AMOUNT_SUB_MAX - 1},
        /* 5 */ {0, 0, 129, 256},
        /* 6 */ {0, 0, -129, 256},
        /* 7 */ {0, DF_COORDINATE_PX_MAX, 0, 256},
        /* 8 */ {0, -DF_COORDINATE_PX_MAX, 0, -256},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        stage_actor(&stage, rows[i].x, rows[i].x, 8, 8);
        stage.actors[0].rem_x = stage.actors[0].rem_y = rows[i].rem;
        stage_begin(&stage);
        struct df_actor before = stage.actors[0];
        assert_int_equal(df_actor_move_x(&stage.space, rows[i].actor, rows[i].amount, NULL, NULL), DF_OUT_OF_RANGE);
        assert_int_equal(df_actor_move_y(&stage.space, rows[i].actor, rows[i].amount, NULL, NULL), DF_OUT_OF_RANGE);
        assert_int_equal(df_actor_step(&stage.space, rows[i].actor, rows[i].amount, 0, NULL), DF_OUT_OF_RANGE);
        assert_int_equal(df_actor_step(&stage.space, rows[i].actor, 0, rows[i].amount, NULL), DF_OUT_OF_RANGE);
        assert_memory_equal(&before, &stage.actors[0], sizeof before);
    }
}

TEST(an_argument_at_its_limit_is_accepted)
{
    static const struct {
        int32_t at, rem, amount, end;
    } rows[] = {
        /* 1 */ {0, 0, DF_AMOUNT_SUB_MAX, DF_AMOUNT_SUB_MAX / DF_SUB},
        /* 2 */ {0, 0, -DF_AMOUNT_SUB_MAX, -DF_AMOUNT_SUB_MAX / DF_SUB},
        /* 3 */ {0, 128, 128, 1},
        /* 4 */ {0, -128, -128, -1},
        /* 5 */ {DF_COORDINATE_PX_MAX - 1, 0, 256, DF_COORDINATE_PX_MAX},
        /* 6 */ {1 - DF_COORDINATE_PX_MAX, 0, -256, -DF_COORDINATE_PX_MAX},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        stage_actor(&stage, rows[i].at, rows[i].at, 8, 8);
        stage.actors[0].rem_x = stage.actors[0].rem_y = rows[i].rem;
        stage_begin(&stage);
        assert_int_equal(df_actor_move_x(&stage.space, 0, rows[i].amount, NULL, NULL), DF_OK);
        assert_int_equal(df_actor_move_y(&stage.space, 0, rows[i].amount, NULL, NULL), DF_OK);
        assert_int_equal(stage.actors[0].x, rows[i].end);
        assert_int_equal(stage.actors[0].y, rows[i].end);
        df_actor_place(&stage.space, 0, rows[i].at, rows[i].at);
        stage.actors[0].rem_x = stage.actors[0].rem_y = rows[i].rem;
        assert_int_equal(df_actor_step(&stage.space, 0, rows[i].amount, rows[i].amount, NULL), DF_OK);
        assert_int_equal(stage.actors[0].x, rows[i].end);
        assert_int_equal(stage.actors[0].y, rows[i].end);
    }
}

TEST(a_step_whose_second_half_is_refused_changes_nothing)
{
    struct stage stage = {0};
    stage_actor(&stage, 0, DF_COORDINATE_PX_MAX, 8, 8);
    stage_begin(&stage);
    struct df_actor before = stage.actors[0];
    struct df_actor_hits hits;
    assert_int_equal(df_actor_step(&stage.space, 0, 700, 256, &hits), DF_OUT_OF_RANGE);
    assert_memory_equal(&before, &stage.actors[0], sizeof before);
}

TEST(a_probe_reaches_as_far_as_the_largest_move)
{
    static const struct {
        int32_t actor, dx, dy, index;
    } rows[] = {
        /* 1 */ {0, 0, 0, -1},     /* 2 */ {0, 3, 0, 0},
        /* 3 */ {0, 16384, 0, 0},  /* 4 */ {0, 16385, 0, -1},
        /* 5 */ {0, -16384, 0, 1}, /* 6 */ {0, -16385, 0, -1},
        /* 7 */ {0, 0, 16384, 2},  /* 8 */ {0, 0, 16385, -1},
        /* 9 */ {0, 0, -16384, 3}, /* 10 */ {0, 0, -16385, -1},
        /* 11 */ {-1, 3, 0, -1},   /* 12 */ {1, 3, 0, -1},
        /* 13 */ {0, 2, 0, -1},    /* 14 */ {0, 0, -2, -1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        stage_solid(&stage, 10, 0, 8, 8);
        stage_solid(&stage, -10, 0, 8, 8);
        stage_solid(&stage, 0, 10, 8, 8);
        stage_solid(&stage, 0, -10, 8, 8);
        stage_actor(&stage, 0, 0, 8, 8);
        stage_begin(&stage);
        struct df_hit hit = df_actor_probe(&stage.space, rows[i].actor, rows[i].dx, rows[i].dy);
        if (hit.index != rows[i].index || (hit.kind == DF_HIT_SOLID) != (rows[i].index >= 0))
            fail_msg("row %zu: hits %d", i + 1, hit.index);
    }
}

TEST(a_dead_actor_is_skipped)
{
    struct stage stage = {0};
    stage_solid(&stage, 0, 8, 8, 8);
    stage_actor(&stage, 0, 0, 8, 8);
    stage.actors[0].flags = 0;
    stage_begin(&stage);
    struct df_actor before = stage.actors[0];
    assert_int_equal(df_actor_move_x(&stage.space, 0, 512, NULL, NULL), DF_OK);
    df_solid_move(&stage.space, 0, 512, -512);
    assert_memory_equal(&before, &stage.actors[0], sizeof before);
    assert_int_equal(df_actor_ground(&stage.space, 0).kind, DF_HIT_NONE);
    assert_false(df_actor_is_embedded(&stage.space, 0));
}

static void count_hit(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    struct df_hit *seen = context;
    assert_int_equal(space->actors[actor].rem_x, 0); // forgotten before the call
    hit.left_px += seen->left_px * 1000;
    *seen = hit;
}

TEST(a_stopped_move_calls_back_once_with_the_obstacle)
{
    struct stage stage = {0};
    stage_solid(&stage, 20, 0, 8, 8);
    stage_solid(&stage, 20, 4, 8, 8); // at the same pixel: the lowest index is reported
    stage_actor(&stage, 0, 0, 8, 8);
    stage.actors[0].rem_y = 77;
    stage_begin(&stage);
    struct df_hit hit = {.left_px = 0};
    df_actor_move_x(&stage.space, 0, 20 * DF_SUB + 100, count_hit, &hit);
    assert_int_equal(hit.kind, DF_HIT_SOLID);
    assert_int_equal(hit.index, 0);
    assert_int_equal(hit.direction, 1);
    assert_int_equal(hit.left_px, 8);
    assert_int_equal(stage.actors[0].x, 12);
    assert_int_equal(stage.actors[0].rem_y, 77);
}

static void kill_itself(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    (void)hit, (void)context;
    space->actors[actor].flags = 0;
    df_actor_place(space, 1, 100, 100);
    assert_int_equal(df_solid_move(space, 1, 256, 0), DF_OK); // an actor's move is over: nothing is queued
}

// Solid 0 is flush with the actor on all sides but does not overlap it.
TEST(an_embedded_actor_hits_what_blocks_its_first_pixel)
{
    static const int32_t ways[][2] = {{9, 0}, {-9, 0}, {0, 9}, {0, -9}};
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        struct stage stage = {0};
        stage_tiles(&stage, 8,
                    "........"
                    "........"
                    "..#....."
                    "........"
                    "........"
                    "........",
                    DF_OUTSIDE_EMPTY);
        stage_solid(&stage, i == 0 ? 28 : i == 1 ? 12 : 20, i == 2 ? 28 : i == 3 ? 12 : 20, 8, 8);
        stage_actor(&stage, 20, 20, 8, 8);
        stage_begin(&stage);
        struct df_hit hit = df_actor_probe(&stage.space, 0, ways[i][0], ways[i][1]);
        assert_int_equal(hit.kind, DF_HIT_SOLID); // before a tile
        stage.solids[0].flags = 0;
        df_solid_changed(&stage.space, 0);
        hit = df_actor_probe(&stage.space, 0, ways[i][0], ways[i][1]);
        assert_int_equal(hit.kind, DF_HIT_TILE);
        assert_int_equal(hit.column, 2);
        assert_int_equal(hit.row, 2);
        assert_int_equal(hit.left_px, 9);
        stage.solids[0].flags = DF_SOLID_PRESENT;
        stage.solids[0].w = stage.solids[0].h = 20; // and overlaps it
        stage.solids[0].x = stage.solids[0].y = 18;
        stage.kinds[2 * 8 + 2] = DF_TILE_SOLID;
        df_solid_changed(&stage.space, 0);
        hit = df_actor_probe(&stage.space, 0, ways[i][0], ways[i][1]);
        assert_int_equal(hit.kind, DF_HIT_SOLID); // before a tile
    }
}

TEST(a_callback_may_kill_and_move_the_actor)
{
    struct stage stage = {0};
    stage_solid(&stage, 8, 0, 8, 8);
    stage_solid(&stage, 92, 100, 8, 8);
    stage_actor(&stage, 0, 0, 8, 8);
    stage_actor(&stage, 50, 50, 8, 8);
    stage_begin(&stage);
    df_actor_move_x(&stage.space, 0, 256, kill_itself, NULL);
    assert_int_equal(stage.actors[1].x, 101); // pushed from its new place
}

TEST(a_box_is_resized_only_if_there_is_room)
{
    struct stage stage = {0};
    stage_solid(&stage, 0, 0, 40, 8);
    stage_actor(&stage, 8, 10, 8, 6);
    stage_begin(&stage);
    assert_false(df_actor_resize(&stage.space, 0, (struct df_box){8, 5, 8, 11}));
    assert_int_equal(stage.actors[0].h, 6);
    assert_false(df_actor_resize(&stage.space, 0, (struct df_box){8, 10, 0, 11}));
    assert_true(df_actor_resize(&stage.space, 0, (struct df_box){8, 8, 8, 8})); // an exact fit
    assert_int_equal(stage.actors[0].y, 8);
    assert_true(df_actor_resize(&stage.space, 0, (struct df_box){60, 60, 200, 200}));
    df_solid_move(&stage.space, 0, 0, 100 * DF_SUB); // misses it by its left edge
    assert_int_equal(stage.actors[0].x, 60);
    df_solid_move(&stage.space, 0, 30 * DF_SUB, 0);
    assert_int_equal(stage.actors[0].x, 70); // the index knows its new size
}

TEST(df_actor_place_clears_fractions_and_reports_overlaps)
{
    struct stage stage = {0};
    stage_tiles(&stage, 8,
                "........"
                "...##...",
                DF_OUTSIDE_WRAP);
    stage_actor(&stage, 0, 0, 8, 6);
    stage.actors[0].rem_x = 100;
    stage_begin(&stage);
    assert_int_equal(df_actor_place(&stage.space, 0, -4, 17), DF_OK);
    assert_int_equal(stage.actors[0].x, 60); // canonical
    assert_int_equal(stage.actors[0].y, 1);
    assert_int_equal(stage.actors[0].rem_x, 0);
    assert_false(df_actor_is_embedded(&stage.space, 0));
    assert_int_equal(df_actor_place(&stage.space, 0, 24, 8), DF_OK);
    assert_true(df_actor_is_embedded(&stage.space, 0));
    assert_int_equal(df_actor_place(&stage.space, 0, DF_COORDINATE_PX_MAX + 1, 0), DF_OUT_OF_RANGE);
    int32_t x, y;
    assert_true(df_find_free(&stage.space, 0, 8, &x, &y));
    assert_int_equal(x, 24); // up by six is nearer than left by eight
    assert_int_equal(y, 2);
    assert_false(df_find_free(&stage.space, 0, 5, &x, &y));
    assert_int_equal(stage.actors[0].y, 8);
}

TEST(a_wiggle_tries_the_nearest_first_and_ties_fairly)
{
    static const struct {
        int32_t solid_x, solid_w, rem_x, max_x, max_y;
        bool found;
        int32_t x, y;
    } rows[] = {
        /* 1 */ {0, 8, 0, 0, 0, false, 0, 0},
        /* 2 */ {-1, 8, 0, 4, 0, false, 0, 0},
        /* 3 */ {-5, 8, 0, 4, 4, true, 3, 0},     // right: out by three
        /* 4 */ {5, 8, 0, 4, 4, true, -3, 0},     // its mirror image
        /* 5 */ {-2, 12, 0, 20, 20, true, 0, -8}, // up before down
        /* 6 */ {3, 2, 1, 20, 0, true, 5, 0},     // a thorn in the middle: the remainder leans right
        /* 7 */ {3, 2, -1, 20, 0, true, -5, 0},
        /* 8 */ {3, 2, 0, 20, 0, false, 0, 0}, // and with none, no side is fair
        /* 9 */ {100, 8, 0, 3, 3, true, 0, 0}, // free where it is
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        stage_solid(&stage, rows[i].solid_x, 0, rows[i].solid_w, 8);
        stage_actor(&stage, 0, 0, 8, 8);
        stage.actors[0].rem_x = rows[i].rem_x;
        stage_begin(&stage);
        assert_int_equal(df_actor_wiggle(&stage.space, 0, rows[i].max_x, rows[i].max_y), rows[i].found);
        assert_int_equal(stage.actors[0].x, rows[i].x);
        assert_int_equal(stage.actors[0].y, rows[i].y);
    }
}

static enum df_squish_answer wiggle(struct df_space *space, struct df_squish squish, void *context)
{
    (void)context;
    return df_actor_wiggle(space, squish.actor, 6, 8) ? DF_SQUISH_HANDLED : DF_SQUISH_DESTROY;
}

// A pusher presses the actor against a wall, above a floor and below a ceiling. A thorn leaves room only on either side
// of it: above, or below if the floor is missing.
TEST(a_wiggle_goes_against_the_push_first)
{
    static const struct {
        int32_t push, rem_x;
        bool above_is_free, below_is_free;
        int32_t x, y;
    } rows[] = {
        /* 1 */ {1, 0, true, false, -5, -8},   // left: the push goes to the right
        /* 2 */ {1, 100, true, false, -5, -8}, // whatever the remainder says
        /* 3 */ {-1, 0, true, false, 5, -8},
        /* 4 */ {-1, -100, true, false, 5, -8},
        /* 5 */ {1, 0, false, true, -5, 8},
        /* 6 */ {1, 100, true, true, -5, -8}, // up before down
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        stage_solid(&stage, -8, 0, 8, 8);
        stage_solid(&stage, 8, 0, 8, 8);
        stage_solid(&stage, 3, -20, 2, 16);
        stage_solid(&stage, 3, 12, 2, 16);
        stage_solid(&stage, -50, rows[i].above_is_free ? 100 : -8, 100, 8);
        stage_solid(&stage, -50, rows[i].below_is_free ? 100 : 8, 100, 8);
        stage_actor(&stage, 0, 0, 8, 8);
        stage.actors[0].rem_x = rows[i].rem_x;
        stage.actors[0].ride = DF_RIDE_NEVER;
        stage.space.rules.squish = wiggle;
        stage_begin(&stage);
        df_solid_move(&stage.space, rows[i].push > 0 ? 0 : 1, rows[i].push * DF_SUB, 0);
        if (stage.actors[0].x != rows[i].x || stage.actors[0].y != rows[i].y)
            fail_msg("row %zu: %d, %d", i + 1, stage.actors[0].x, stage.actors[0].y);
    }
}

TEST(only_a_squish_embeds_an_actor)
{
    struct stage stage = {0};
    stage_tiles(&stage, 8,
                "........"
                "....B..."
                "........",
                DF_OUTSIDE_EMPTY);
    stage_solid(&stage, 56, 0, 8, 8);
    stage_actor(&stage, 30, 8, 8, 8);
    stage.actors[0].flags |= DF_ACTOR_EMBEDDED;
    stage_begin(&stage);
    df_actor_move_x(&stage.space, 0, -100, NULL, NULL);
    assert_int_equal(stage.actors[0].flags, DF_ACTOR_ALIVE | DF_ACTOR_EMBEDDED); // still in the block
    stage.broken[0] = 1u << 12;
    df_actor_move_x(&stage.space, 0, 50, NULL, NULL);
    assert_int_equal(stage.actors[0].flags, DF_ACTOR_ALIVE);
    stage.broken[0] = 0; // the block comes back around it
    df_solid_move(&stage.space, 0, DF_SUB, 0);
    assert_int_equal(stage.actors[0].flags, DF_ACTOR_ALIVE);
    assert_true(df_actor_is_embedded(&stage.space, 0));
}

TEST(a_rider_rides_across_the_seam_too)
{
    struct stage wrapping = {0}, walled = {0};
    stage_tiles(&wrapping, 8, "................................", DF_OUTSIDE_WRAP); // 64 x 32
    stage_tiles(&walled, 8, "................................", DF_OUTSIDE_SOLID);
    static const struct {
        struct df_actor actor;
        struct df_solid solid;
        bool rides, rides_wrapping;
    } rows[] = {
        /* 1 */ {{.x = 0, .y = 0, .w = 8, .h = 8, .flags = DF_ACTOR_ALIVE},
                 {7, 8, 8, 8, 0, 0, DF_SOLID_PRESENT},
                 true,
                 true},
        /* 2 */
        {{.x = 0, .y = 0, .w = 8, .h = 8, .flags = DF_ACTOR_ALIVE}, {8, 8, 8, 8, 0, 0, DF_SOLID_PRESENT}, false, false},
        /* 3 */
        {{.x = 0, .y = 0, .w = 8, .h = 8, .flags = DF_ACTOR_ALIVE}, {60, 8, 8, 8, 0, 0, DF_SOLID_PRESENT}, false, true},
        /* 4 */
        {{.x = 0, .y = 24, .w = 8, .h = 8, .flags = DF_ACTOR_ALIVE}, {0, 0, 8, 8, 0, 0, DF_SOLID_PRESENT}, false, true},
        /* 5 */ {{.x = 0, .y = 0, .w = 8, .h = 8}, {0, 8, 8, 8, 0, 0, DF_SOLID_PRESENT}, false, false},
        /* 6 */ {{.x = 0, .y = 0, .w = 8, .h = 8, .flags = DF_ACTOR_ALIVE}, {0, 8, 8, 8, 0, 0, 0}, false, false},
        /* 7 */
        {{.x = 0, .y = 0, .w = 8, .h = 8, .ride = DF_RIDE_NEVER, .flags = DF_ACTOR_ALIVE},
         {0, 8, 8, 8, 0, 0, DF_SOLID_PRESENT},
         false,
         false},
        // Boxes that no space has: without a width, or beyond all coordinates.
        /* 8 */ {{.x = 0, .y = 0, .h = 8, .flags = DF_ACTOR_ALIVE}, {0, 8, 8, 8, 0, 0, DF_SOLID_PRESENT}, false, false},
        /* 9 */
        {{.x = 0, .y = 0, .w = 8, .h = 8, .flags = DF_ACTOR_ALIVE},
         {0, 8, INT32_MAX, 8, 0, 0, DF_SOLID_PRESENT},
         false,
         false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct df_tiles none = {.outside = DF_OUTSIDE_WRAP};
        assert_int_equal(df_actor_rides(&rows[i].actor, &rows[i].solid, &none), rows[i].rides);
        assert_int_equal(df_actor_rides(&rows[i].actor, &rows[i].solid, &walled.space.tiles), rows[i].rides);
        assert_int_equal(df_actor_rides(&rows[i].actor, &rows[i].solid, &wrapping.space.tiles), rows[i].rides_wrapping);
    }
}

TEST(a_place_and_an_index_have_limits)
{
    static const struct {
        int32_t actor, x, y;
        enum df_result result;
    } rows[] = {
        /* 1 */ {0, DF_COORDINATE_PX_MAX, 0, DF_OK},
        /* 2 */ {0, -DF_COORDINATE_PX_MAX, 0, DF_OK},
        /* 3 */ {0, 0, DF_COORDINATE_PX_MAX, DF_OK},
        /* 4 */ {0, 0, -DF_COORDINATE_PX_MAX, DF_OK},
        /* 5 */ {0, -DF_COORDINATE_PX_MAX - 1, 0, DF_OUT_OF_RANGE},
        /* 6 */ {0, 0, DF_COORDINATE_PX_MAX + 1, DF_OUT_OF_RANGE},
        /* 7 */ {0, 0, -DF_COORDINATE_PX_MAX - 1, DF_OUT_OF_RANGE},
        /* 8 */ {-1, 0, 0, DF_OUT_OF_RANGE},
        /* 9 */ {1, 0, 0, DF_OUT_OF_RANGE},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        int32_t x = 7, y = 7;
        stage_actor(&stage, 5, 5, 8, 8);
        stage.actors[0].lift_x = 9;
        stage.actors[0].lift_tick = 1;
        stage_begin(&stage);
        df_actor_changed(&stage.space, rows[i].actor);
        assert_int_equal(df_actor_place(&stage.space, rows[i].actor, rows[i].x, rows[i].y), rows[i].result);
        assert_int_equal(stage.actors[0].x, rows[i].result == DF_OK ? rows[i].x : 5);
        assert_int_equal(stage.actors[0].y, rows[i].result == DF_OK ? rows[i].y : 5);
        df_actor_lift(&stage.space, rows[i].actor, &x, &y);
        assert_int_equal(x, rows[i].actor == 0 ? 9 : 0);
        assert_int_equal(y, 0);
        assert_int_equal(df_actor_is_embedded(&stage.space, rows[i].actor), false);
        assert_int_equal(df_find_free(&stage.space, rows[i].actor, 1, &x, &y), rows[i].actor == 0);
        assert_int_equal(df_actor_wiggle(&stage.space, rows[i].actor, 1, 1), rows[i].actor == 0);
        assert_int_equal(df_actor_resize(&stage.space, rows[i].actor, (struct df_box){0, 0, 1, 1}), rows[i].actor == 0);
    }
}

TEST(lift_is_readable_for_ten_ticks_and_capped)
{
    static const struct {
        int32_t dx, dy, lift_x, lift_y;
    } rows[] = {
        /* 1 */ {300, 0, 300, 0},
        /* 2 */ {1067, 0, 1067, 0},
        /* 3 */ {1068, 0, 1067, 0},
        /* 4 */ {-2000, 0, -1067, 0},
        /* 5 */ {0, -555, 0, -555},
        /* 6 */ {0, -1000, 0, -555},
        /* 7 */ {0, 400, 0, 0}, // never downward
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        stage_solid(&stage, 0, 8, 8, 8);
        stage_actor(&stage, 0, 0, 8, 8);
        stage_begin(&stage);
        int32_t x, y;
        df_actor_lift(&stage.space, 0, &x, &y);
        assert_int_equal(x | y, 0);
        df_tick_begin(&stage.space, 7);
        df_solid_move(&stage.space, 0, rows[i].dx, rows[i].dy);
        df_tick_begin(&stage.space, 17);
        df_actor_lift(&stage.space, 0, &x, &y);
        assert_int_equal(x, rows[i].lift_x);
        assert_int_equal(y, rows[i].lift_y);
        df_tick_begin(&stage.space, 18);
        df_actor_lift(&stage.space, 0, &x, &y);
        assert_int_equal(x | y, 0);
    }
}

TEST(an_actor_pushed_or_lifted_by_a_oneway_gets_lift_too)
{
    struct stage stage = {0};
    stage_solid(&stage, 0, 0, 8, 8);
    stage_solid(&stage, 0, 60, 40, 4);
    stage.solids[1].flags |= DF_SOLID_ONEWAY;
    stage_actor(&stage, 8, 0, 8, 8);
    stage_actor(&stage, 8, 52, 8, 8);
    stage.actors[0].ride = stage.actors[1].ride = DF_RIDE_NEVER;
    stage_begin(&stage);
    df_solid_move(&stage.space, 0, 300, -100);
    df_solid_move(&stage.space, 1, 0, -300);
    int32_t x, y;
    df_actor_lift(&stage.space, 0, &x, &y);
    assert_int_equal(x, 300);
    assert_int_equal(y, -100);
    df_actor_lift(&stage.space, 1, &x, &y);
    assert_int_equal(y, -300);
    assert_int_equal(stage.actors[1].carried_tick, 0); // a push is no carry
}
