// SPDX-License-Identifier: MIT
// Tests the grid of tiles, its outside, and broken blocks.
#include "stage.h"

static struct df_tiles draw(struct stage *stage, enum df_outside outside)
{
    memset(stage, 0, sizeof *stage);
    stage_tiles(stage, 4,
                "#..="
                ".B.^"
                "....",
                outside);
    return stage->space.tiles;
}

static void a_tile_outside_follows_the_outside_rule(void **state)
{
    (void)state;
    static const struct {
        enum df_outside outside;
        int32_t column, row;
        enum df_tile tile;
    } rows[] = {
        /*  1 */ {DF_OUTSIDE_SOLID, -1, 0, DF_TILE_SOLID},
        /*  2 */ {DF_OUTSIDE_SOLID, 4, 2, DF_TILE_SOLID},
        /*  3 */ {DF_OUTSIDE_SOLID, 1, 3, DF_TILE_SOLID},
        /*  4 */ {DF_OUTSIDE_EMPTY, -1, 0, DF_TILE_EMPTY},
        /*  5 */ {DF_OUTSIDE_EMPTY, 3, 0, DF_TILE_ONEWAY},
        /*  6 */ {DF_OUTSIDE_WRAP, -1, 0, DF_TILE_ONEWAY},
        /*  7 */ {DF_OUTSIDE_WRAP, 4, 3, DF_TILE_SOLID},
        /*  8 */ {DF_OUTSIDE_WRAP, -3, -2, DF_TILE_BLOCK},
        /*  9 */ {DF_OUTSIDE_WRAP, -5, 1, DF_TILE_HAZARD},
        /* 10 */ {DF_OUTSIDE_SOLID, 2, 2, DF_TILE_EMPTY},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage;
        struct df_tiles tiles = draw(&stage, rows[i].outside);
        assert_int_equal(df_tiles_at(&tiles, rows[i].column, rows[i].row), rows[i].tile);
    }
}

static void a_broken_block_is_empty_until_it_comes_back(void **state)
{
    (void)state;
    struct stage stage;
    struct df_tiles tiles = draw(&stage, DF_OUTSIDE_EMPTY);
    struct df_box box = {8, 8, 8, 8};
    assert_true(df_tiles_block(&tiles, box));
    stage.broken[0] = 1u << 5;
    assert_false(df_tiles_block(&tiles, box));
    assert_int_equal(df_tiles_at(&tiles, 1, 1), DF_TILE_EMPTY);
    stage.broken[0] = ~(1u << 5); // every other bit: only blocks break
    assert_true(df_tiles_block(&tiles, box));
    assert_true(df_tiles_block(&tiles, (struct df_box){0, 0, 1, 1}));
}

static void a_box_touches_the_kinds_it_covers(void **state)
{
    (void)state;
    static const struct {
        struct df_box box;
        enum df_tile kind;
        enum df_outside outside;
        bool touches;
    } rows[] = {
        /* 1 */ {{24, 8, 8, 8}, DF_TILE_HAZARD, DF_OUTSIDE_EMPTY, true},
        /* 2 */ {{16, 8, 8, 8}, DF_TILE_HAZARD, DF_OUTSIDE_EMPTY, false}, // a shared edge
        /* 3 */ {{16, 0, 20, 30}, DF_TILE_HAZARD, DF_OUTSIDE_EMPTY, true},
        /* 4 */ {{-4, 8, 8, 8}, DF_TILE_HAZARD, DF_OUTSIDE_WRAP, true},
        /* 5 */ {{-4, 8, 8, 8}, DF_TILE_SOLID, DF_OUTSIDE_SOLID, true},
        /* 6 */ {{-4, 8, 8, 8}, DF_TILE_SOLID, DF_OUTSIDE_EMPTY, false},
        /* 7 */ {{-500000, -500000, 1000000, 1000000}, DF_TILE_BLOCK, DF_OUTSIDE_EMPTY, true},
        /* 8 */ {{500000, 0, 8, 8}, DF_TILE_SOLID, DF_OUTSIDE_SOLID, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage;
        struct df_tiles tiles = draw(&stage, rows[i].outside);
        assert_int_equal(df_tiles_touch(&tiles, rows[i].box, rows[i].kind), rows[i].touches);
    }
}

static void without_a_grid_all_tiles_are_empty(void **state)
{
    (void)state;
    struct df_tiles tiles = {.outside = DF_OUTSIDE_SOLID};
    assert_int_equal(df_tiles_at(&tiles, 0, 0), DF_TILE_EMPTY);
    assert_false(df_tiles_block(&tiles, (struct df_box){0, 0, 8, 8}));
    assert_false(df_tiles_touch(&tiles, (struct df_box){0, 0, 8, 8}, DF_TILE_SOLID));
}

static void a_hit_reports_the_topmost_or_leftmost_tile(void **state)
{
    (void)state;
    struct stage stage = {0};
    stage_tiles(&stage, 4,
                "...#"
                "..##"
                "....",
                DF_OUTSIDE_SOLID);
    stage_actor(&stage, 8, 0, 8, 16); // the wall is at column 3 above and column 2 below
    stage_begin(&stage);
    struct df_hit hit = df_actor_probe(&stage.space, 0, 4, 0);
    assert_int_equal(hit.kind, DF_HIT_TILE);
    assert_int_equal(hit.column, 2);
    assert_int_equal(hit.row, 1);
    assert_int_equal(hit.left_px, 4);
    hit = df_actor_probe(&stage.space, 0, 0, 100);
    assert_int_equal(hit.kind, DF_HIT_OUTSIDE);
    assert_int_equal(hit.row, 3);
    assert_int_equal(hit.left_px, 92);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tile_outside_follows_the_outside_rule),
        cmocka_unit_test(a_broken_block_is_empty_until_it_comes_back),
        cmocka_unit_test(a_box_touches_the_kinds_it_covers),
        cmocka_unit_test(without_a_grid_all_tiles_are_empty),
        cmocka_unit_test(a_hit_reports_the_topmost_or_leftmost_tile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
