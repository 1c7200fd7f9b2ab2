// SPDX-License-Identifier: MIT
// Tests what asks a space without moving anything: casts, lists and exact places. Random worlds test the first two
// further (physics_queries_test).
#include "stage.h"

#define FAR INT32_MAX

// A room of 8 x 4 tiles of 8 px: a block in the middle, one-ways to the right, a solid of 4 x 4 px on the left.
static struct stage room(void)
{
    struct stage stage = {0};
    stage_tiles(&stage, 8, "###########.B==##......#########", DF_OUTSIDE_SOLID);
    return stage;
}

TEST(a_cast_says_what_it_meets_where_and_on_which_side)
{
    struct stage stage = room();
    stage_solid(&stage, 12, 16, 4, 4);
    stage_begin(&stage);
    static const struct {
        struct df_box box;
        int32_t dx, dy;
        uint32_t flags;
        struct df_cast shall;
    } rows[] = {
        {{20, 17, 2, 2}, -16, 0, 0, {DF_HIT_SOLID, 0, 0, 0, 1, 0, -4, 0}},
        {{24, 20, 2, 2}, 0, 9, 0, {DF_HIT_TILE, -1, 3, 3, 0, -1, 0, 2}},
        {{34, 20, 2, 2}, 4, -8, 0, {DF_HIT_TILE, -1, 4, 1, 0, 1, 2, -4}},
        {{44, 20, 2, 2}, 0, -10, DF_CAST_ONEWAYS, {DF_HIT_NONE, -1, 0, 0, 0, 0, 0, -10}},
        {{20, 22, 2, 2}, 4, 4, 0, {DF_HIT_TILE, -1, 2, 3, 0, -1, 0, 0}},
        {{22, 10, 2, 2}, 9, 0, 0, {DF_HIT_TILE, -1, 2, 1, 0, 0, 0, 0}},
        {{-9, -9, 2, 2}, 9, 0, 0, {DF_HIT_OUTSIDE, -1, -2, -2, 0, 0, 0, 0}},
        {{40, 0, 2, 2}, 0, 1, 0, {DF_HIT_TILE, -1, 5, 0, 0, 0, 0, 0}},
        {{26, 18, 2, 2}, 4, -1, 0, {DF_HIT_NONE, -1, 0, 0, 0, 0, 4, -1}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct df_cast cast =
            df_cast_box(&stage.space, rows[i].box, rows[i].dx * DF_SUB, rows[i].dy * DF_SUB, rows[i].flags);
        struct df_cast shall = rows[i].shall;
        shall.dx_sub *= DF_SUB;
        shall.dy_sub *= DF_SUB;
        if (memcmp(&cast, &shall, sizeof cast) != 0)
            fail_msg("row %zu: kind %d index %d tile %d %d normal %d %d way %d %d", i, (int)cast.kind, cast.index,
                     cast.column, cast.row, cast.normal_x, cast.normal_y, cast.dx_sub, cast.dy_sub);
    }
}

TEST(a_oneway_stops_a_cast_from_above_if_asked)
{
    struct stage stage = {0};
    int32_t oneway = stage_solid(&stage, 0, 20, 40, 4);
    stage.solids[oneway].flags |= DF_SOLID_ONEWAY;
    stage_begin(&stage);
    int32_t x = 10 * DF_SUB, y = 10 * DF_SUB, way = 30 * DF_SUB;
    assert_int_equal(df_cast_ray(&stage.space, x, y, 0, way, 0).kind, DF_HIT_NONE);
    assert_int_equal(df_cast_ray(&stage.space, x, y, 0, way, DF_CAST_ONEWAYS).kind, DF_HIT_SOLID);
    assert_int_equal(df_cast_ray(&stage.space, x, y, way / 3, way, DF_CAST_ONEWAYS).normal_y, -1);
    assert_int_equal(df_cast_ray(&stage.space, x, y + way, 0, -way, DF_CAST_ONEWAYS).kind, DF_HIT_NONE);
    assert_int_equal(df_cast_ray(&stage.space, -x, 22 * DF_SUB, way, 0, DF_CAST_ONEWAYS).kind, DF_HIT_NONE);
}

TEST(a_ray_does_not_slip_through_a_seam)
{
    struct stage stage = {0};
    stage_solid(&stage, 10, 0, 8, 8);
    stage_solid(&stage, 10, 8, 8, 8);
    stage_solid(&stage, 18, 16, 8, 8); // a corner against a corner
    stage_begin(&stage);
    assert_int_equal(df_cast_ray(&stage.space, 0, 8 * DF_SUB, 99 * DF_SUB, 0, 0).index, 1);
    assert_int_equal(df_cast_ray(&stage.space, 0, 8 * DF_SUB - 1, 99 * DF_SUB, 0, 0).index, 0);
    for (int32_t x = 17 * DF_SUB; x <= 19 * DF_SUB; x++)
        assert_int_not_equal(df_cast_ray(&stage.space, x + 16 * DF_SUB, 0, -32 * DF_SUB, 32 * DF_SUB, 0).kind,
                             DF_HIT_NONE);
}

TEST(a_cast_beyond_the_limits_meets_nothing_and_stays)
{
    struct stage stage = room();
    stage_begin(&stage);
    static const int32_t bad[][6] = {
        {FAR, 0, 2, 2, 9, 9},       {0, INT32_MIN, 2, 2, 9, 9}, {0, 0, 0, 2, 9, 9},
        {0, 0, 2, INT32_MIN, 9, 9}, {0, 0, 2, 2, FAR, 9},       {0, 0, 2, 2, 9, -DF_AMOUNT_SUB_MAX - 1},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        const int32_t *b = bad[i];
        struct df_cast cast = df_cast_box(&stage.space, (struct df_box){b[0], b[1], b[2], b[3]}, b[4], b[5], 0);
        assert_int_equal(cast.kind, DF_HIT_NONE);
        assert_int_equal(cast.dx_sub, 0);
        assert_int_equal(cast.dy_sub, 0);
    }
    assert_int_equal(df_cast_ray(&stage.space, FAR, INT32_MIN, 9, 9, 0).dx_sub, 0);
}

TEST(a_falling_solid_finds_its_floor)
{
    struct stage stage = room();
    stage_solid(&stage, 26, 9, 4, 4);
    stage.solids[0].rem_x = 128;
    stage.solids[0].rem_y = 128;
    stage_begin(&stage);
    struct df_cast cast = df_cast_solid(&stage.space, 0, 0, 20 * DF_SUB, 0);
    assert_int_equal(cast.kind, DF_HIT_TILE);
    assert_int_equal(cast.row, 3);
    assert_int_equal(cast.normal_y, -1);
    assert_int_equal(df_solid_move(&stage.space, 0, cast.dx_sub, cast.dy_sub), DF_OK);
    assert_int_equal(stage.solids[0].x, 26);
    assert_int_equal(stage.solids[0].y, 20);
    assert_int_equal(stage.solids[0].rem_y, 0);
    assert_int_equal(df_cast_solid(&stage.space, 0, 0, 5, 0).dy_sub, 0); // it stands
    static const int32_t bad[][3] = {{-1, 5, 5}, {1, 5, 5}, {0, DF_AMOUNT_SUB_MAX + 1, 0}, {0, 0, INT32_MIN}};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_int_equal(df_cast_solid(&stage.space, bad[i][0], bad[i][1], bad[i][2], 0).kind, DF_HIT_NONE);
    stage.solids[0].rem_y = FAR;
    assert_int_equal(df_cast_solid(&stage.space, 0, 0, 5, 0).kind, DF_HIT_NONE);
}

TEST(next_goes_over_those_that_take_part)
{
    struct stage stage = {0};
    for (int32_t i = 0; i < 4; i++) {
        stage_solid(&stage, 40 * i, 0, 8, 8);
        stage_actor(&stage, 40 * i, 20, 8, 8);
    }
    stage_ball(&stage, 0, 9000, 2, 0, 0);
    stage.solids[0].flags = stage.solids[2].flags = stage.actors[3].flags = 0;
    stage_begin(&stage);
    const struct df_space *space = &stage.space;
    static const int32_t rows[][4] = {// after: solid, actor, ball
                                      {INT32_MIN, 1, 0, 0}, {-1, 1, 0, 0},   {0, 1, 1, -1},    {1, 3, 2, -1},
                                      {2, 3, -1, -1},       {3, -1, -1, -1}, {FAR, -1, -1, -1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_int_equal(df_next_solid(space, rows[i][0]), rows[i][1]);
        assert_int_equal(df_next_actor(space, rows[i][0]), rows[i][2]);
        assert_int_equal(df_next_ball(space, rows[i][0]), rows[i][3]);
    }
}

TEST(a_sensor_needs_no_body)
{
    struct stage stage = {0};
    stage_actor(&stage, 0, 0, 8, 8);
    stage_begin(&stage);
    struct df_box door = {9, 0, 4, 8};
    assert_int_equal(df_list_actors(&stage.space, door, NULL, 0), 0);
    df_actor_move_x(&stage.space, 0, 2 * DF_SUB, NULL, NULL);
    assert_int_equal(df_list_actors(&stage.space, door, NULL, 0), 1);
    assert_int_equal(df_list_actors(&stage.space, (struct df_box){FAR, 0, 4, 8}, NULL, 0), 0);
}

TEST(an_exact_place_is_the_pixel_and_the_fraction)
{
    struct stage stage = {0};
    stage_actor(&stage, -3, 5, 8, 8);
    stage_solid(&stage, 100, 0, 8, 8);
    stage_begin(&stage);
    df_actor_move_x(&stage.space, 0, 100, NULL, NULL);
    df_actor_move_y(&stage.space, 0, -200, NULL, NULL);
    df_solid_move(&stage.space, 0, 50, 60);
    int32_t x, y;
    df_actor_exact(&stage.space, 0, &x, &y);
    assert_int_equal(x, -3 * DF_SUB + 100);
    assert_int_equal(y, 5 * DF_SUB - 200);
    df_solid_exact(&stage.space, 0, &x, &y);
    assert_int_equal(x, 100 * DF_SUB + 50);
    assert_int_equal(y, 60);
    assert_int_equal(df_actor_clear_rem_x(&stage.space, 0), DF_OK);
    assert_int_equal(stage.actors[0].rem_x, 0);
    assert_int_equal(stage.actors[0].rem_y, 56);
    assert_int_equal(df_actor_clear_rem_y(&stage.space, 0), DF_OK);
    assert_int_equal(stage.actors[0].rem_y, 0);
    assert_int_equal(df_solid_clear_rem(&stage.space, 0), DF_OK);
    assert_int_equal(stage.solids[0].rem_x | stage.solids[0].rem_y, 0);
    for (int32_t i = -1; i <= 1; i += 2) {
        df_actor_exact(&stage.space, i, &x, &y);
        assert_int_equal(x | y, 0);
        df_solid_exact(&stage.space, i, &x, &y);
        assert_int_equal(x | y, 0);
        assert_int_equal(df_actor_clear_rem_x(&stage.space, i), DF_OUT_OF_RANGE);
        assert_int_equal(df_actor_clear_rem_y(&stage.space, i), DF_OUT_OF_RANGE);
        assert_int_equal(df_solid_clear_rem(&stage.space, i), DF_OUT_OF_RANGE);
    }
    stage.actors[0].x = FAR;
    df_actor_exact(&stage.space, 0, &x, &y);
    assert_int_equal(x | y, 0);
}
