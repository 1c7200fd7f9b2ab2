// SPDX-License-Identifier: MIT
// Tests the space and its memory.
#include "stage.h"

static void too_little_memory_is_refused(void **state)
{
    (void)state;
    struct stage stage = {0};
    stage_actor(&stage, 0, 0, 8, 8);
    stage.space.actors = stage.actors;
    size_t needed_bytes = df_index_bytes(&stage.space);
    assert_int_equal(df_space_init(&stage.space, stage.memory, needed_bytes - 1), DF_OUT_OF_RANGE);
    assert_int_equal(df_space_init(&stage.space, NULL, needed_bytes), DF_OUT_OF_RANGE);
    assert_int_equal(df_space_init(&stage.space, stage.memory, needed_bytes), DF_OK);
}

static void a_space_beyond_the_limits_is_refused(void **state)
{
    (void)state;
    static const struct {
        int32_t columns, edge_px, actor_x, solid_w;
        enum df_outside outside;
    } rows[] = {
        /* 1 */ {0, 8, 0, 8, DF_OUTSIDE_SOLID},
        /* 2 */ {4, 0, 0, 8, DF_OUTSIDE_SOLID},
        /* 3 */ {DF_COORDINATE_PX_MAX / 8 + 1, 8, 0, 8, DF_OUTSIDE_SOLID},
        /* 4 */ {4, DF_COORDINATE_PX_MAX, 0, 8, DF_OUTSIDE_SOLID},
        /* 5 */ {4, 8, DF_COORDINATE_PX_MAX + 1, 8, DF_OUTSIDE_SOLID},
        /* 6 */ {4, 8, 0, 0, DF_OUTSIDE_SOLID},
        /* 7 */ {4, 8, 0, 32, DF_OUTSIDE_WRAP}, // as wide as the world
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        stage_tiles(&stage, 4, "................", rows[i].outside);
        stage.space.tiles.columns = rows[i].columns;
        stage.space.tiles.edge_px = rows[i].edge_px;
        stage_actor(&stage, rows[i].actor_x, 0, 8, 8);
        stage_solid(&stage, 0, 0, rows[i].solid_w, 8);
        stage.space.actors = stage.actors;
        stage.space.solids = stage.solids;
        assert_int_equal(df_space_init(&stage.space, stage.memory, sizeof stage.memory), DF_OUT_OF_RANGE);
    }
}

static void a_restored_world_continues_unchanged(void **state)
{
    (void)state;
    struct stage stage = {0};
    stage_solid(&stage, 0, 40, 64, 8);
    stage_solid(&stage, 500, 0, 8, 48);
    stage_actor(&stage, 10, 29, 8, 11);
    stage_begin(&stage);
    struct df_solid solids[80];
    struct df_actor actors[4];
    memcpy(solids, stage.solids, sizeof solids);
    memcpy(actors, stage.actors, sizeof actors);
    df_solid_move(&stage.space, 0, 480 * DF_SUB, 0);
    int32_t first_x = stage.actors[0].x;
    assert_int_equal(first_x, 490);
    memcpy(stage.solids, solids, sizeof solids);
    memcpy(stage.actors, actors, sizeof actors);
    df_space_refresh(&stage.space);
    df_solid_move(&stage.space, 0, 480 * DF_SUB, 0);
    assert_int_equal(stage.actors[0].x, first_x);
}

static void df_space_changed_finds_a_body_at_its_new_position(void **state)
{
    (void)state;
    struct stage stage = {0};
    stage_solid(&stage, 0, 40, 8, 8);
    stage_actor(&stage, 1000, 1000, 8, 8);
    stage_begin(&stage);
    stage.solids[0].x = 1012;
    stage.solids[0].y = 1000;
    df_solid_changed(&stage.space, 0);
    assert_int_equal(df_actor_probe(&stage.space, 0, 8, 0).left_px, 4);
    stage.solids[0].flags = 0;
    df_solid_changed(&stage.space, 0);
    assert_int_equal(df_actor_probe(&stage.space, 0, 8, 0).kind, DF_HIT_NONE);
    stage.solids[0].flags = DF_SOLID_PRESENT;
    df_solid_changed(&stage.space, 0);
    stage.actors[0].x = 1005;
    stage.actors[0].y = 900;
    df_actor_changed(&stage.space, 0);
    df_solid_move(&stage.space, 0, 0, -95 * DF_SUB);
    assert_int_equal(stage.actors[0].y, 1000 - 95 - 8);
}

static void without_a_living_body_nothing_is_near(void **state)
{
    (void)state;
    struct stage stage = {0};
    stage_begin(&stage);
    assert_false(df_space_blocked(&stage.space, (struct df_box){0, 0, 8, 8}));
    assert_true(
        df_space_blocked(&stage.space, (struct df_box){DF_COORDINATE_PX_MAX + 1, 0, 8, 8})); // beyond the limits
    assert_int_equal(df_solid_move(&stage.space, 0, 0, 0), DF_OUT_OF_RANGE);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(too_little_memory_is_refused),
        cmocka_unit_test(a_space_beyond_the_limits_is_refused),
        cmocka_unit_test(a_restored_world_continues_unchanged),
        cmocka_unit_test(df_space_changed_finds_a_body_at_its_new_position),
        cmocka_unit_test(without_a_living_body_nothing_is_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
