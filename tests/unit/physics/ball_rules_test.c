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

TEST(a_block_that_is_hit_is_reported_and_breaks)
{
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

TEST(a_ball_that_a_rule_kills_stops_there)
{
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

TEST(a_sub_step_reports_32_hits_and_bounces_off_more)
{
    struct stage stage = {0};
    for (int32_t i = 0; i < DF_BALL_HITS_CAPACITY - 1; i++)
        stage_solid(&stage, 0, 0, 40, 40);
    stage_solid(&stage, 24, 0, 8, 40);
    stage_ball(&stage, 19 * DF_SUB, 20 * DF_SUB, 4, 256, 0);
    begin(&stage);
    df_ball_step(&stage.space, 0);
    assert_int_equal(seen.count, DF_BALL_HITS_CAPACITY);
    assert_int_equal(seen.hits[(DF_BALL_HITS_CAPACITY - 1) % 8].bounce, DF_BOUNCE_LEFT_RIGHT);
    assert_int_equal(stage.balls[0].vx, -256);

    stage_solid(&stage, 0, 28, 40, 8); // one more: not reported, but a surface all the same
    stage.balls[0] = (struct df_ball){20 * DF_SUB - 180, 24 * DF_SUB - 180, 4, 180, 180, DF_BALL_ALIVE};
    begin(&stage);
    df_ball_step(&stage.space, 0);
    assert_int_equal(seen.count, DF_BALL_HITS_CAPACITY);
    assert_int_equal(stage.balls[0].vx, -180);
    assert_int_equal(stage.balls[0].vy, -180);
}

static void speed_up(struct df_space *space, int32_t ball, struct df_ball_hit hit, void *context)
{
    (void)hit, (void)context;
    space->balls[ball].vx = -64 * DF_SUB;
    space->balls[ball].vy = 64 * DF_SUB;
}

TEST(a_ball_that_a_rule_speeds_up_moves_by_a_pixel_at_most)
{
    struct stage stage = {0};
    stage_solid(&stage, 15, -100, 8, 200);
    stage_ball(&stage, 10 * DF_SUB, 0, 4, 2 * DF_SUB, 0); // two sub-steps: the wall, and what follows
    stage.space.rules.ball_hit = speed_up;
    begin(&stage);
    df_ball_step(&stage.space, 0);
    assert_int_equal(stage.balls[0].cx, 11 * DF_SUB - DF_SUB / 2); // a whole pixel on both axes would be longer
    assert_int_equal(stage.balls[0].cy, DF_SUB / 2);
}

TEST(a_ball_at_the_limits_moves)
{
    static const int32_t place = DF_COORDINATE_PX_MAX * DF_SUB, speed = 64 * DF_SUB;
    static const struct df_ball rows[] = {
        /* 1 */ {0, 0, 1, 0, 0, DF_BALL_ALIVE},
        /* 2 */ {0, 0, 64, 0, 0, DF_BALL_ALIVE},
        /* 3 */ {0, 0, 4, speed, 0, DF_BALL_ALIVE},
        /* 4 */ {0, 0, 4, -speed, 0, DF_BALL_ALIVE},
        /* 5 */ {0, 0, 4, 0, speed, DF_BALL_ALIVE},
        /* 6 */ {0, 0, 4, 0, -speed, DF_BALL_ALIVE},
        /* 7 */ {place, 0, 4, -9, 0, DF_BALL_ALIVE},
        /* 8 */ {-place, 0, 4, 9, 0, DF_BALL_ALIVE},
        /* 9 */ {0, place, 4, 0, -9, DF_BALL_ALIVE},
        /* 10 */ {0, -place, 4, 0, 9, DF_BALL_ALIVE},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        stage_ball(&stage, 0, 0, 4, 0, 0);
        stage.balls[0] = rows[i];
        begin(&stage);
        assert_int_equal(df_ball_step(&stage.space, 0), DF_OK);
        assert_int_equal(stage.balls[0].cx, rows[i].cx + rows[i].vx);
        assert_int_equal(stage.balls[0].cy, rows[i].cy + rows[i].vy);
    }
}

TEST(a_ball_beyond_the_limits_is_refused)
{
    static const struct df_ball rows[] = {
        /* 1 */ {0, 0, 0, 0, 0, DF_BALL_ALIVE},
        /* 2 */ {0, 0, 65, 0, 0, DF_BALL_ALIVE},
        /* 3 */ {0, 0, 4, 64 * DF_SUB + 1, 0, DF_BALL_ALIVE},
        /* 4 */ {0, 0, 4, -64 * DF_SUB - 1, 0, DF_BALL_ALIVE},
        /* 5 */ {0, 0, 4, 0, 64 * DF_SUB + 1, DF_BALL_ALIVE},
        /* 6 */ {0, 0, 4, 0, -64 * DF_SUB - 1, DF_BALL_ALIVE},
        /* 7 */ {DF_COORDINATE_PX_MAX * DF_SUB + 1, 0, 4, 0, 0, DF_BALL_ALIVE},
        /* 8 */ {-DF_COORDINATE_PX_MAX * DF_SUB - 1, 0, 4, 0, 0, DF_BALL_ALIVE},
        /* 9 */ {0, DF_COORDINATE_PX_MAX * DF_SUB + 1, 4, 0, 0, DF_BALL_ALIVE},
        /* 10 */ {0, -DF_COORDINATE_PX_MAX * DF_SUB - 1, 4, 0, 0, DF_BALL_ALIVE},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        stage_ball(&stage, 0, 0, 4, 0, 0);
        stage.balls[0] = rows[i];
        begin(&stage);
        assert_int_equal(df_ball_step(&stage.space, 0), DF_OUT_OF_RANGE);
        assert_int_equal(df_ball_step(&stage.space, 1), DF_OUT_OF_RANGE);
        assert_int_equal(df_ball_step(&stage.space, -1), DF_OUT_OF_RANGE);
        assert_memory_equal(&stage.balls[0], &rows[i], sizeof rows[i]);
    }
}

TEST(a_ball_inside_a_solid_is_reported_in_every_tick)
{
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
    assert_true(df_space_blocked(space, (struct df_box){space->solids[0].x, 0, 1, 1})); // collidable where it stands
    seen.squishes++;
    space->balls[ball].cx = 0;
}

TEST(a_squished_ball_is_passed_to_the_rule_or_dies)
{
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

TEST(after_a_squished_ball_the_solid_pushes_on)
{
    struct stage stage = {0};
    stage_solid(&stage, 0, 0, 8, 40);
    stage_solid(&stage, 20, 0, 8, 10);
    stage_ball(&stage, 14 * DF_SUB, 5 * DF_SUB, 4, 0, 0);
    stage_actor(&stage, 8, 20, 8, 8);
    stage.space.rules.ball_squish = respawn;
    begin(&stage);
    df_solid_move(&stage.space, 0, 12 * DF_SUB, 0);
    assert_int_equal(seen.squishes, 1);
    assert_int_equal(stage.actors[0].x, 20);
    assert_int_equal(stage.actors[0].flags, DF_ACTOR_ALIVE);
}

// The ball starts in the middle of the solid, which is wider than the world is high.
TEST(a_solid_pushes_out_a_ball_where_the_world_has_room)
{
    static const struct {
        int32_t columns, length, x, y;
    } rows[] = {
        /* 1 */ {8, 40, 42, 8},  // 64 x 16, along x
        /* 2 */ {2, 40, 8, 42},  // 16 x 64, along y
        /* 3 */ {8, 63, -1, -1}, // no room for it beside the solid
        /* 4 */ {2, 63, -1, -1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        bool along_x = rows[i].columns == 8;
        int32_t length = rows[i].length, middle = length / 2;
        stage_tiles(&stage, rows[i].columns, "................", DF_OUTSIDE_WRAP);
        stage_solid(&stage, along_x ? 0 : 6, along_x ? 6 : 0, along_x ? length : 4, along_x ? 4 : length);
        stage_ball(&stage, (along_x ? middle : 8) * DF_SUB, (along_x ? 8 : middle) * DF_SUB, 1, 0, 0);
        begin(&stage);
        df_solid_move(&stage.space, 0, along_x ? DF_SUB : 0, along_x ? 0 : DF_SUB);
        assert_int_equal(stage.balls[0].flags, rows[i].x >= 0 ? DF_BALL_ALIVE : 0);
        if (rows[i].x >= 0) {
            assert_int_equal(stage.balls[0].cx, rows[i].x * DF_SUB);
            assert_int_equal(stage.balls[0].cy, rows[i].y * DF_SUB);
        }
    }
}

TEST(a_ball_collides_across_the_seam)
{
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
