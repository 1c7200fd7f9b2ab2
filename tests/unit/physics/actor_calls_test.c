// SPDX-License-Identifier: MIT
// Tests the actor functions besides moving: refused arguments, callbacks, teleporting, resizing, lift.
#include "stage.h"

static void a_bad_argument_changes_nothing(void **state)
{
    (void)state;
    static const struct {
        int32_t actor, x, rem, amount;
    } rows[] = {
        /* 1 */ {-1, 0, 0, 256},
        /* 2 */ {1, 0, 0, 256},
        /* 3 */ {0, 0, 0, DF_AMOUNT_SUB_MAX + 1},
        /* 4 */ {0, 0, 0, -DF_AMOUNT_SUB_MAX - 1},
        /* 5 */ {0, 0, 129, 256},
        /* 6 */ {0, DF_COORDINATE_PX_MAX, 0, 256},
        /* 7 */ {0, -DF_COORDINATE_PX_MAX, 0, -256},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        stage_actor(&stage, rows[i].x, rows[i].x, 8, 8);
        stage.actors[0].rem_x = stage.actors[0].rem_y = rows[i].rem;
        stage_begin(&stage);
        struct df_actor before = stage.actors[0];
        assert_int_equal(df_actor_move_x(&stage.space, rows[i].actor, rows[i].amount, NULL, NULL), DF_OUT_OF_RANGE);
        assert_int_equal(df_actor_move_y(&stage.space, rows[i].actor, rows[i].amount, NULL, NULL), DF_OUT_OF_RANGE);
        assert_memory_equal(&before, &stage.actors[0], sizeof before);
    }
}

static void a_dead_actor_is_skipped(void **state)
{
    (void)state;
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

static void a_stopped_move_calls_back_once_with_the_obstacle(void **state)
{
    (void)state;
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

static void a_callback_may_kill_and_move_the_actor(void **state)
{
    (void)state;
    struct stage stage = {0};
    stage_solid(&stage, 8, 0, 8, 8);
    stage_solid(&stage, 92, 100, 8, 8);
    stage_actor(&stage, 0, 0, 8, 8);
    stage_actor(&stage, 50, 50, 8, 8);
    stage_begin(&stage);
    df_actor_move_x(&stage.space, 0, 256, kill_itself, NULL);
    assert_int_equal(stage.actors[1].x, 101); // pushed from its new place
}

static void a_box_is_resized_only_if_there_is_room(void **state)
{
    (void)state;
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

static void df_actor_place_clears_fractions_and_reports_overlaps(void **state)
{
    (void)state;
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

static void a_wiggle_tries_the_nearest_first_and_ties_fairly(void **state)
{
    (void)state;
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

static void lift_is_readable_for_ten_ticks_and_capped(void **state)
{
    (void)state;
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

static void an_actor_pushed_or_lifted_by_a_oneway_gets_lift_too(void **state)
{
    (void)state;
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

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bad_argument_changes_nothing),
        cmocka_unit_test(a_dead_actor_is_skipped),
        cmocka_unit_test(a_stopped_move_calls_back_once_with_the_obstacle),
        cmocka_unit_test(a_callback_may_kill_and_move_the_actor),
        cmocka_unit_test(a_box_is_resized_only_if_there_is_room),
        cmocka_unit_test(df_actor_place_clears_fractions_and_reports_overlaps),
        cmocka_unit_test(a_wiggle_tries_the_nearest_first_and_ties_fairly),
        cmocka_unit_test(an_actor_pushed_or_lifted_by_a_oneway_gets_lift_too),
        cmocka_unit_test(lift_is_readable_for_ten_ticks_and_capped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
