// SPDX-License-Identifier: MIT
// Tests the limits of every public call: any integers are answered, soon and without an overflow (run it with UBSan).
#include <stdlib.h>

#include "stage.h"

#define FAR INT32_MAX

TEST(arithmetic_takes_any_integer)
{
    assert_int_equal(df_round_px(INT32_MAX), 8388608);
    assert_int_equal(df_round_px(INT32_MIN), -8388608);
    assert_int_equal(df_floor_div(INT32_MIN, 1), INT32_MIN);
    assert_int_equal(df_floor_div(INT32_MIN, -1), 0);
    assert_int_equal(df_floor_div(7, 0), 0);
    assert_true(df_box_overlaps((struct df_box){FAR, FAR, FAR, FAR}, (struct df_box){FAR, FAR, 1, 1}));
    assert_false(df_box_overlaps((struct df_box){INT32_MIN, 0, FAR, 9}, (struct df_box){0, 0, 9, 9}));
}

TEST(tiles_take_any_box_and_any_grid)
{
    struct stage stage = {0};
    stage_tiles(&stage, 4, "####....", DF_OUTSIDE_SOLID);
    assert_false(df_tiles_touch(&stage.space.tiles, (struct df_box){FAR - 4, 0, 8, 8}, DF_TILE_SOLID));
    assert_false(df_tiles_touch(&stage.space.tiles, (struct df_box){0, 0, FAR, 0}, DF_TILE_SOLID));
    assert_true(df_tiles_block(&stage.space.tiles, (struct df_box){FAR - 4, 0, 8, 8}));
    assert_int_equal(df_tiles_at(&stage.space.tiles, INT32_MIN, FAR), DF_TILE_SOLID);
    struct df_tiles bad[] = {
        {stage.kinds, NULL, 0, 1, 8, DF_OUTSIDE_SOLID},      {stage.kinds, NULL, 1, -1, 8, DF_OUTSIDE_SOLID},
        {stage.kinds, NULL, 1, 1, 0, DF_OUTSIDE_WRAP},       {stage.kinds, NULL, FAR, FAR, FAR, DF_OUTSIDE_WRAP},
        {stage.kinds, NULL, 4, 2, 8, (enum df_outside)(-1)}, {stage.kinds, NULL, 4, 2, 8, (enum df_outside)3},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct df_space space = {.tiles = bad[i]};
        assert_int_equal(df_tiles_at(&bad[i], 0, 0), DF_TILE_EMPTY);
        assert_false(df_tiles_block(&bad[i], (struct df_box){0, 0, 8, 8}));
        assert_false(df_tiles_touch(&bad[i], (struct df_box){0, 0, 8, 8}, DF_TILE_SOLID));
        assert_int_equal(df_index_bytes(&space), 0);
    }
}

// An actor that its owner has written by hand is not what a short way takes it for.
TEST(a_step_refuses_what_its_moves_refuse)
{
    static const struct {
        struct df_actor actor;
        int32_t dx_sub, dy_sub;
    } rows[] = {
        /* 1 */ {{.w = -3, .h = 8}, 5 * DF_SUB, 0},
        /* 2 */ {{.w = 0, .h = 8}, 5 * DF_SUB, 0},
        /* 3 */ {{.w = 8, .h = -3}, 0, -5 * DF_SUB},
        /* 4 */ {{.w = 8, .h = 0}, 0, 0},
        /* 5 */ {{.w = 8, .h = 8, .rem_x = DF_SUB / 2 + 1}, 0, 0},
        /* 6 */ {{.w = 8, .h = 8, .rem_x = -DF_SUB / 2 - 1}, 9, 9},
        /* 7 */ {{.w = 8, .h = 8, .rem_y = INT32_MAX}, INT32_MAX, INT32_MAX},
        /* 8 */ {{.w = 8, .h = 8, .rem_y = INT32_MIN}, 0, INT32_MIN},
        /* 9 */ {{.w = 8, .h = 8}, INT32_MAX, 0},
        /* 10 */ {{.w = 8, .h = 8, .rem_x = DF_SUB / 2}, INT32_MAX, 0},
        /* 11 */ {{.w = 8, .h = 8, .rem_x = -DF_SUB / 2}, INT32_MIN, 0},
        /* 12 */ {{.w = 8, .h = 8}, 300, INT32_MIN},
        /* 13 */ {{.w = 8, .h = 8}, 0, DF_AMOUNT_SUB_MAX + 1},
        /* 14 */ {{.w = 8, .h = 8}, -DF_AMOUNT_SUB_MAX - 1, 300},
        /* 15 */ {{.x = INT32_MAX, .w = 8, .h = 8}, 300, 300},
        /* 16 */ {{.y = INT32_MIN, .w = 8, .h = 8}, 300, -300},
        /* 17 */ {{.w = INT32_MAX, .h = INT32_MAX}, 300, 300},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        stage_actor(&stage, 0, 0, 8, 8);
        stage_begin(&stage);
        stage.actors[0] = rows[i].actor;
        stage.actors[0].flags = DF_ACTOR_ALIVE;
        struct df_actor before = stage.actors[0];
        struct df_actor_hits hits;
        if (df_actor_step(&stage.space, 0, rows[i].dx_sub, rows[i].dy_sub, &hits) != DF_OUT_OF_RANGE)
            fail_msg("row %zu is not refused", i + 1);
        assert_memory_equal(&stage.actors[0], &before, sizeof before);
    }
}

TEST(an_index_wants_aligned_memory_and_all_arrays)
{
    struct stage stage = {0};
    stage_actor(&stage, 0, 0, 8, 8);
    stage.space.actors = stage.actors;
    for (size_t i = 1; i < 8; i++)
        assert_int_equal(df_space_init(&stage.space, (unsigned char *)stage.memory + i, sizeof stage.memory - 8),
                         DF_OUT_OF_RANGE);
    stage.space.actors = NULL;
    assert_int_equal(df_space_init(&stage.space, stage.memory, sizeof stage.memory), DF_OUT_OF_RANGE);
    stage.space.actors = stage.actors;
    assert_int_equal(df_space_init(&stage.space, stage.memory, sizeof stage.memory), DF_OK);
}

TEST(a_search_ends_whatever_its_reach)
{
    static const int32_t rows[] = {INT32_MIN, -1, 0, DF_SEARCH_PX_MAX, DF_SEARCH_PX_MAX + 1, FAR};
    struct stage stage = {0};
    stage_solid(&stage, -1000, -1000, 2000, 2000);
    stage_actor(&stage, 0, 0, 8, 8);
    stage_begin(&stage);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int32_t x, y;
        assert_false(df_find_free(&stage.space, 0, rows[i], &x, &y));
        assert_false(df_actor_wiggle(&stage.space, 0, rows[i], rows[i]));
    }
    stage.solids[0] = (struct df_solid){-1000, -248, 2000, 2000, 0, 0, DF_SOLID_PRESENT};
    df_solid_changed(&stage.space, 0);
    assert_true(df_actor_wiggle(&stage.space, 0, FAR, FAR)); // 256 px up
    assert_int_equal(stage.actors[0].y, -256);
}

TEST(a_box_as_wide_as_a_wrapping_grid_is_refused)
{
    struct stage stage = {0};
    stage_tiles(&stage, 4, "................", DF_OUTSIDE_WRAP); // 32 x 32
    stage_solid(&stage, 0, 24, 8, 8);
    stage_actor(&stage, 0, 0, 8, 8);
    stage_begin(&stage);
    assert_false(df_actor_resize(&stage.space, 0, (struct df_box){0, 0, 32, 8}));
    assert_false(df_actor_resize(&stage.space, 0, (struct df_box){8, 0, 8, 32}));
    assert_true(df_actor_resize(&stage.space, 0, (struct df_box){0, 0, 31, 8}));
    assert_true(df_space_blocked(&stage.space, (struct df_box){0, 0, 32, 8}));
    stage.actors[0].w = stage.solids[0].w = 32; // by hand
    df_actor_changed(&stage.space, 0);
    df_solid_changed(&stage.space, 0);
    assert_int_equal(df_actor_move_x(&stage.space, 0, 256, NULL, NULL), DF_OUT_OF_RANGE);
    assert_int_equal(df_solid_move(&stage.space, 0, 256, 0), DF_OUT_OF_RANGE);
}

TEST(a_ball_far_away_meets_nothing)
{
    static const struct df_ball balls[] = {
        {FAR, 0, 4, 0, 0, DF_BALL_ALIVE}, {0, INT32_MIN, 4, 0, 0, DF_BALL_ALIVE},
        {0, 0, FAR, 0, 0, DF_BALL_ALIVE}, {0, 0, 4, INT32_MIN, 0, DF_BALL_ALIVE},
        {0, 0, 4, 0, FAR, DF_BALL_ALIVE},
    };
    for (size_t i = 0; i < COUNT_OF(balls); i++) {
        struct df_ball ball = balls[i];
        assert_int_equal(df_ball_against(&ball, (struct df_box){-8, -8, 16, 16}), DF_BOUNCE_NONE);
        assert_int_equal(df_ball_bounce(&ball, (struct df_box){INT32_MIN, FAR, FAR, FAR}), DF_BOUNCE_NONE);
        assert_memory_equal(&ball, &balls[i], sizeof ball);
    }
    struct df_ball near = {0, 0, 4, 0, 0, DF_BALL_ALIVE};
    assert_int_equal(df_ball_against(&near, (struct df_box){INT32_MIN, FAR, FAR, FAR}), DF_BOUNCE_NONE);
}

TEST(a_ball_stays_at_the_end_of_the_coordinates_and_flies_back)
{
    static const int32_t end = DF_COORDINATE_PX_MAX * DF_SUB;
    struct stage stage = {0};
    stage_ball(&stage, end - 100, 0, 4, 512, 0);
    stage_begin(&stage);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(df_ball_step(&stage.space, 0), DF_OK);
        assert_int_equal(stage.balls[0].cx, end - 100);
    }
    stage.balls[0].vx = -512;
    assert_int_equal(df_ball_step(&stage.space, 0), DF_OK);
    assert_int_equal(stage.balls[0].cx, end - 612);
}

TEST(a_group_without_solids_is_refused)
{
    struct stage stage = {0};
    stage_solid(&stage, 0, 0, 8, 8);
    stage_begin(&stage);
    assert_int_equal(df_group_move(&stage.space, NULL, 1, 256, 0), DF_OUT_OF_RANGE);
    assert_int_equal(df_group_move(&stage.space, NULL, INT32_MIN, 256, 0), DF_OUT_OF_RANGE);
    assert_int_equal(df_solid_move(&stage.space, FAR, 256, 0), DF_OUT_OF_RANGE);
    assert_int_equal(df_solid_move(&stage.space, 0, INT32_MIN, 0), DF_OUT_OF_RANGE);
    assert_int_equal(stage.solids[0].x, 0);
}

// Solid 0 pushes actor 0 into solid 1, and the rule writes solid 0 or actor 1, which rides it, by hand.
static int32_t written;

static enum df_squish_answer write_by_hand(struct df_space *space, struct df_squish squish, void *context)
{
    (void)squish, (void)context;
    if (written == 0)
        space->solids[0].flags = 0;
    else if (written == 1)
        space->solids[0].w = FAR;
    else
        space->actors[1].y = FAR;
    return DF_SQUISH_HANDLED;
}

TEST(a_rule_may_remove_what_moves_now)
{
    for (written = 0; written < 3; written++) {
        struct stage stage = {0};
        stage_solid(&stage, 0, 0, 8, 8);
        stage_solid(&stage, 18, 0, 8, 8);
        stage_actor(&stage, 8, 0, 8, 8);
        stage_actor(&stage, 0, -8, 8, 8);
        stage.space.rules.squish = write_by_hand;
        stage_begin(&stage);
        assert_int_equal(df_solid_move(&stage.space, 0, 9 * DF_SUB, 0), DF_OK);
        assert_int_equal(stage.solids[0].x, written < 2 ? 3 : 9); // it squishes with its third pixel
        assert_int_equal(stage.actors[1].x, written < 2 ? 3 : 2);
    }
}
