// SPDX-License-Identifier: MIT
// Tests what balls report to the caller, and which balls are refused.
#include "stage.h"

static struct {
    struct df_ball_hit hits[8];
    int count, squishes;
} seen;

static void note(struct df_space *space, int32_t ball, struct df_ball_hit hit, void *context)
{
    (void)space, (void)ball;
    struct stage *stage = context;
    seen.hits[seen.count++ % 8] = hit;
    if (hit.solid < 0) {
        int32_t tile = hit.row * stage->space.tiles.columns + hit.column;
        stage->broken[tile / 32] |= 1u << (tile % 32);
    }
}

static void stop(struct df_space *space, int32_t ball, struct df_ball_hit hit, void *context)
{
    (void)hit, (void)context;
    space->balls[ball].flags = 0;
}

static void begin(struct stage *stage)
{
    memset(&seen, 0, sizeof seen);
    stage->space.rules.ball_hit = stage->space.rules.ball_hit ? stage->space.rules.ball_hit : note;
    stage_begin(stage);
}

static void a_block_that_is_hit_is_reported_and_breaks(void **state)
{
    (void)state;
    struct stage stage = {0};
    stage_tiles(&stage, 4, "....BB..", DF_OUTSIDE_WRAP);
    stage_ball(&stage, 12 * DF_SUB, 3 * DF_SUB, 2, 0, 512);
    begin(&stage);
    for (int i = 0; i < 3; i++)
        df_ball_step(&stage.space, 0);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.hits[0].bounce, DF_BOUNCE_TOP_BOTTOM);
    assert_int_equal(seen.hits[0].column, 1);
    assert_int_equal(seen.hits[0].row, 1);
    assert_int_equal(stage.broken[0], 1u << 5);
    assert_int_equal(stage.balls[0].vy, -512);
}

static void a_ball_that_a_rule_kills_stops_there(void **state)
{
    (void)state;
    struct stage stage = {0};
    stage_solid(&stage, 0, 10, 20, 4);
    stage_ball(&stage, 10 * DF_SUB, 5 * DF_SUB, 4, 0, 2048);
    stage.space.rules.ball_hit = stop;
    begin(&stage);
    df_ball_step(&stage.space, 0);
    assert_int_equal(stage.balls[0].cy, 6 * DF_SUB);
    df_ball_step(&stage.space, 0);
    assert_int_equal(stage.balls[0].cy, 6 * DF_SUB);
}

static void a_ball_beyond_the_limits_is_refused(void **state)
{
    (void)state;
    static const struct df_ball rows[] = {
        /* 1 */ {0, 0, 0, 0, 0, DF_BALL_ALIVE},
        /* 2 */ {0, 0, 65, 0, 0, DF_BALL_ALIVE},
        /* 3 */ {0, 0, 4, 64 * DF_SUB + 1, 0, DF_BALL_ALIVE},
        /* 4 */ {0, 0, 4, 0, -64 * DF_SUB - 1, DF_BALL_ALIVE},
        /* 5 */ {DF_COORDINATE_PX_MAX * DF_SUB + 1, 0, 4, 0, 0, DF_BALL_ALIVE},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        stage_ball(&stage, 0, 0, 4, 0, 0);
        stage.balls[0] = rows[i];
        begin(&stage);
        assert_int_equal(df_ball_step(&stage.space, 0), DF_OUT_OF_RANGE);
        assert_int_equal(df_ball_step(&stage.space, 1), DF_OUT_OF_RANGE);
        assert_memory_equal(&stage.balls[0], &rows[i], sizeof rows[i]);
    }
}

static void a_ball_inside_a_solid_is_reported_in_every_tick(void **state)
{
    (void)state;
    struct stage stage = {0};
    stage_solid(&stage, 0, 0, 40, 40);
    stage_ball(&stage, 20 * DF_SUB, 20 * DF_SUB, 4, 0, 0);
    begin(&stage);
    df_ball_step(&stage.space, 0);
    assert_int_equal(seen.hits[0].bounce, DF_BOUNCE_INSIDE);
    assert_true((stage.balls[0].flags & DF_BALL_INSIDE) != 0);
    stage.solids[0].x = 500;
    df_solid_changed(&stage.space, 0);
    df_ball_step(&stage.space, 0);
    assert_int_equal(stage.balls[0].flags, DF_BALL_ALIVE);
}

static void respawn(struct df_space *space, int32_t ball, int32_t solid, void *context)
{
    (void)context;
    assert_int_equal(solid, 0);
    seen.squishes++;
    space->balls[ball].cx = 0;
}

static void a_squished_ball_is_passed_to_the_rule_or_dies(void **state)
{
    (void)state;
    for (int with_rule = 0; with_rule < 2; with_rule++) {
        struct stage stage = {0};
        stage_solid(&stage, 0, 0, 8, 40);
        stage_solid(&stage, 20, 0, 8, 40);
        stage_ball(&stage, 14 * DF_SUB, 20 * DF_SUB, 4, 0, 0);
        stage.space.rules.ball_squish = with_rule ? respawn : NULL;
        begin(&stage);
        df_solid_move(&stage.space, 0, 12 * DF_SUB, 0);
        assert_int_equal(seen.squishes, with_rule);
        assert_int_equal(stage.balls[0].flags, with_rule ? DF_BALL_ALIVE : 0);
        assert_int_equal(stage.solids[0].x, 12);
    }
}

static void a_ball_collides_across_the_seam(void **state)
{
    (void)state;
    struct stage stage = {0};
    stage_tiles(&stage, 8, "................................", DF_OUTSIDE_WRAP); // 64 x 32
    stage_solid(&stage, 0, 0, 4, 31);
    stage_ball(&stage, 58 * DF_SUB, 15 * DF_SUB, 4, 1024, 0);
    begin(&stage);
    df_ball_step(&stage.space, 0);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.hits[0].bounce, DF_BOUNCE_LEFT_RIGHT);
    assert_int_equal(stage.balls[0].vx, -1024);
    assert_int_equal(stage.balls[0].cx, 58 * DF_SUB); // two there, two back
    df_solid_move(&stage.space, 0, -6 * DF_SUB, 0);
    assert_int_equal(stage.solids[0].x, 58);
    assert_int_equal(stage.balls[0].cx, 54 * DF_SUB);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_that_is_hit_is_reported_and_breaks),
        cmocka_unit_test(a_ball_that_a_rule_kills_stops_there),
        cmocka_unit_test(a_ball_beyond_the_limits_is_refused),
        cmocka_unit_test(a_ball_inside_a_solid_is_reported_in_every_tick),
        cmocka_unit_test(a_squished_ball_is_passed_to_the_rule_or_dies),
        cmocka_unit_test(a_ball_collides_across_the_seam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
