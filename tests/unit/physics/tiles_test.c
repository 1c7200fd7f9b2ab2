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

TEST(a_tile_outside_follows_the_outside_rule)
{
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

TEST(a_broken_block_is_empty_until_it_comes_back)
{
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

TEST(a_box_touches_the_kinds_it_covers)
{
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

TEST(without_a_grid_all_tiles_are_empty)
{
    struct df_tiles tiles = {.outside = DF_OUTSIDE_SOLID};
    assert_int_equal(df_tiles_at(&tiles, 0, 0), DF_TILE_EMPTY);
    assert_false(df_tiles_block(&tiles, (struct df_box){0, 0, 8, 8}));
    assert_false(df_tiles_touch(&tiles, (struct df_box){0, 0, 8, 8}, DF_TILE_SOLID));
}

TEST(a_hit_reports_the_topmost_or_leftmost_tile)
{
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

// A one-way does not block a box that overlaps its row of tiles, and such a box overlaps every row.
TEST(a_box_nearly_as_high_as_a_world_that_wraps_falls_through_oneways)
{
    for (int32_t high = 15; high <= 18; high++) {
        struct stage stage = {0};
        stage_tiles(&stage, 4,
                    "...."
                    "...."
                    "====",
                    DF_OUTSIDE_WRAP); // 24 px
        stage_actor(&stage, 8, 0, 8, high);
        stage_begin(&stage);
        struct df_hit hit = df_actor_probe(&stage.space, 0, 0, 100);
        assert_int_equal(hit.kind, high <= 16 ? DF_HIT_TILE : DF_HIT_NONE);
        assert_int_equal(hit.row, high <= 16 ? 2 : 0);
    }
}

TEST(a_wall_stops_a_box_wherever_it_comes_from)
{
    static const struct {
        enum df_outside outside;
        int32_t x, y, dx, dy;
        enum df_hit_kind kind;
        int32_t column, row, left_px;
    } rows[] = {
        // The tile 3, 1 is solid: 24 to 31 px, 8 to 15 px; the grid is 64 x 32 px.
        /* 1 */ {DF_OUTSIDE_EMPTY, -50, 8, 200, 0, DF_HIT_TILE, 3, 1, 134},
        /* 2 */ {DF_OUTSIDE_EMPTY, -50, 8, 66, 0, DF_HIT_NONE, 0, 0, 0},
        /* 3 */ {DF_OUTSIDE_EMPTY, -50, 8, 67, 0, DF_HIT_TILE, 3, 1, 1},
        /* 4 */ {DF_OUTSIDE_EMPTY, 100, 15, -200, 0, DF_HIT_TILE, 3, 1, 132},
        /* 5 */ {DF_OUTSIDE_EMPTY, 100, 16, -200, 0, DF_HIT_NONE, 0, 0, 0},
        /* 6 */ {DF_OUTSIDE_EMPTY, 31, -50, 0, 200, DF_HIT_TILE, 3, 1, 150},
        /* 7 */ {DF_OUTSIDE_EMPTY, 17, 90, 0, -200, DF_HIT_TILE, 3, 1, 126},
        /* 8 */ {DF_OUTSIDE_EMPTY, 16, 90, 0, -200, DF_HIT_NONE, 0, 0, 0},
        /* 9 */ {DF_OUTSIDE_EMPTY, -50, 8, -200, 0, DF_HIT_NONE, 0, 0, 0},
        /* 10 */ {DF_OUTSIDE_WRAP, 40, 8, 200, 0, DF_HIT_TILE, 3, 1, 160}, // around the world
        /* 11 */ {DF_OUTSIDE_WRAP, 8, 8, -200, 0, DF_HIT_TILE, 3, 1, 160},
        /* 12 */ {DF_OUTSIDE_WRAP, 24, 20, 0, 200, DF_HIT_TILE, 3, 1, 188},
        /* 13 */ {DF_OUTSIDE_WRAP, 24, 0, 0, -200, DF_HIT_TILE, 3, 1, 184},
        /* 14 */ {DF_OUTSIDE_WRAP, 40, 16, 2000, 0, DF_HIT_NONE, 0, 0, 0},
        /* 15 */ {DF_OUTSIDE_SOLID, 40, 20, 200, 0, DF_HIT_OUTSIDE, 8, 2, 184},
        /* 16 */ {DF_OUTSIDE_SOLID, 40, 20, -200, 0, DF_HIT_OUTSIDE, -1, 2, 160},
        /* 17 */ {DF_OUTSIDE_SOLID, 40, 20, 0, 200, DF_HIT_OUTSIDE, 5, 4, 196},
        /* 18 */ {DF_OUTSIDE_SOLID, 40, 20, 0, -200, DF_HIT_OUTSIDE, 5, -1, 180},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        stage_tiles(&stage, 8,
                    "........"
                    "...#...."
                    "........"
                    "........",
                    rows[i].outside);
        stage_actor(&stage, rows[i].x, rows[i].y, 8, 8);
        stage_begin(&stage);
        struct df_hit hit = df_actor_probe(&stage.space, 0, rows[i].dx, rows[i].dy);
        bool is_good = hit.kind == rows[i].kind;
        if (hit.kind != DF_HIT_NONE)
            is_good = is_good && hit.column == rows[i].column && hit.row == rows[i].row && hit.index == -1 &&
                      hit.left_px == rows[i].left_px && hit.direction == (rows[i].dx + rows[i].dy > 0 ? 1 : -1);
        if (!is_good)
            fail_msg("row %zu: kind %d, tile %d %d, %d px left", i + 1, hit.kind, hit.column, hit.row, hit.left_px);
    }
}
