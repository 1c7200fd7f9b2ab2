// SPDX-License-Identifier: MIT
//
// Tests an actor's own speed: hits on each axis, bounces, and jumps that are held.
#include "stage.h"

#define GRAVITY 64

// A room of 56 x 56 px inside of walls 4 px thick, with an actor of 4 x 4.
static void set(struct stage *stage, int32_t x, int32_t y)
{
    *stage = (struct stage){0};
    stage_solid(stage, -4, -4, 64, 4);
    stage_solid(stage, -4, 56, 64, 4);
    stage_solid(stage, -4, 0, 4, 56);
    stage_solid(stage, 56, 0, 4, 56);
    stage_actor(stage, x, y, 4, 4);
    stage_begin(stage);
}

TEST(a_hit_changes_the_speed_of_its_axis_alone)
{
    static const struct {
        struct df_velocity before;
        int32_t vx, vy;
        enum df_hit_kind hit_x, hit_y;
    } rows[] = {
        /* 1 */ {{300, 200, 0, 0, 0}, 300, 200, DF_HIT_NONE, DF_HIT_NONE},
        /* 2 */ {{9000, 200, 0, 0, 0}, 0, 200, DF_HIT_SOLID, DF_HIT_NONE},
        /* 3 */ {{9000, 200, 128, 0, 0}, -4500, 200, DF_HIT_SOLID, DF_HIT_NONE},
        /* 4 */ {{-9000, 200, 128, 0, 0}, 4500, 200, DF_HIT_SOLID, DF_HIT_NONE}, // the mirror image
        /* 5 */ {{9001, 0, 128, 0, 0}, -4500, 0, DF_HIT_SOLID, DF_HIT_NONE},     // rounded toward 0
        /* 6 */ {{-9001, 0, 128, 0, 0}, 4500, 0, DF_HIT_SOLID, DF_HIT_NONE},
        /* 7 */ {{0, 9000, 64, 0, 0}, 0, -2250, DF_HIT_NONE, DF_HIT_SOLID},
        /* 8 */ {{0, -9000, 64, 0, 0}, 0, 2250, DF_HIT_NONE, DF_HIT_SOLID},
        /* 9 */ {{9000, 9000, 256, 0, 0}, -9000, -9000, DF_HIT_SOLID, DF_HIT_SOLID},
        /* 10 */ {{-DF_AMOUNT_SUB_MAX, 0, 256, 0, 0}, DF_AMOUNT_SUB_MAX, 0, DF_HIT_SOLID, DF_HIT_NONE},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage;
        struct df_velocity velocity = rows[i].before;
        struct df_actor_hits hits;
        set(&stage, 26, 26);
        enum df_result result = df_velocity_step(&stage.space, 0, &velocity, &hits);
        if (result != DF_OK || velocity.vx != rows[i].vx || velocity.vy != rows[i].vy || hits.x.kind != rows[i].hit_x ||
            hits.y.kind != rows[i].hit_y)
            fail_msg("row %zu: %d %d, hits %d %d", i + 1, velocity.vx, velocity.vy, hits.x.kind, hits.y.kind);
    }
}

TEST(a_whole_bounce_loses_nothing)
{
    struct stage stage;
    struct df_velocity velocity = {.vx = 700, .vy = -450, .bounce = DF_BOUNCE_WHOLE};
    set(&stage, 20, 30);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(df_velocity_step(&stage.space, 0, &velocity, NULL), DF_OK);
        assert_int_equal(velocity.vx * velocity.vx, 700 * 700);
        assert_int_equal(velocity.vy * velocity.vy, 450 * 450);
    }
}

TEST(a_thrown_thing_comes_to_rest)
{
    struct stage stage;
    struct df_velocity velocity = {.vx = 500, .vy = -900, .bounce = 160};
    int32_t hits_below = 0;
    set(&stage, 2, 40);
    for (int i = 0; i < 600; i++) {
        struct df_actor_hits hits;
        velocity.vy += GRAVITY;
        assert_int_equal(df_velocity_step(&stage.space, 0, &velocity, &hits), DF_OK);
        hits_below += hits.y.kind == DF_HIT_SOLID && hits.y.direction > 0 && velocity.vy < 0;
    }
    assert_in_range(hits_below, 2, 20);
    assert_int_equal(stage.actors[0].y, 52);
    assert_in_range(velocity.vy, 0, 2 * GRAVITY); // a tick or two until the next pixel
}

// Returns how many pixels a jump rises if its button is held for some ticks, of at most 12.
static int32_t rise_px(int32_t held_ticks)
{
    struct stage stage;
    struct df_velocity velocity = {0};
    int32_t highest = 52;
    set(&stage, 26, 52);
    df_velocity_jump(&velocity, -448, 12);
    for (int32_t i = 0; i < 60; i++) {
        velocity.vy += GRAVITY;
        df_velocity_hold(&velocity, i < held_ticks);
        df_velocity_step(&stage.space, 0, &velocity, NULL);
        highest = stage.actors[0].y < highest ? stage.actors[0].y : highest;
    }
    return 52 - highest;
}

TEST(a_jump_is_as_high_as_its_button_is_held_long)
{
    assert_int_equal(rise_px(0), 5); // 384 + 320 + 256 + 192 + 128 + 64 sub
    assert_int_equal(rise_px(1), 7);
    assert_int_equal(rise_px(12), 26);
    assert_int_equal(rise_px(13), 26);
}

TEST(a_jump_that_was_let_go_or_hit_something_cannot_be_held)
{
    struct stage stage;
    struct df_velocity velocity = {0};
    set(&stage, 26, 2);
    df_velocity_jump(&velocity, -448, 12);
    df_velocity_hold(&velocity, true);
    df_velocity_hold(&velocity, false);
    velocity.vy = 0;
    df_velocity_hold(&velocity, true);
    assert_int_equal(velocity.vy, 0);
    df_velocity_jump(&velocity, -1024, 12);
    df_velocity_step(&stage.space, 0, &velocity, NULL);
    df_velocity_hold(&velocity, true);
    assert_int_equal(velocity.vy, 0);
}

TEST(what_is_beyond_the_limits_changes_nothing)
{
    static const struct {
        int32_t actor;
        struct df_velocity velocity;
    } rows[] = {
        /* 1 */ {-1, {256, 0, 0, 0, 0}},      /* 2 */ {1, {256, 0, 0, 0, 0}},
        /* 3 */ {0, {INT32_MIN, 0, 0, 0, 0}}, /* 4 */ {0, {256, INT32_MAX, 0, 0, 0}},
        /* 5 */ {0, {256, 0, -1, 0, 0}},      /* 6 */ {0, {256, 0, DF_BOUNCE_WHOLE + 1, 0, 0}},
        /* 7 */ {0, {256, 1 << 20, 0, 0, 0}}, // y ends beyond the coordinates, and x has moved by then
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        stage_actor(&stage, 0, DF_COORDINATE_PX_MAX - 8, 4, 4);
        stage_begin(&stage);
        struct df_actor before = stage.actors[0];
        struct df_velocity velocity = rows[i].velocity;
        if (df_velocity_step(&stage.space, rows[i].actor, &velocity, NULL) != DF_OUT_OF_RANGE ||
            memcmp(&before, &stage.actors[0], sizeof before) != 0 ||
            memcmp(&velocity, &rows[i].velocity, sizeof velocity) != 0)
            fail_msg("row %zu", i + 1);
    }
}
