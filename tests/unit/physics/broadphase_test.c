// SPDX-License-Identifier: MIT
// Tests what only costs time when it is wrong: how near the candidates are, and where the fast paths apply.
#include "physics/ball_contact.h"
#include "physics/ball_push.h"
#include "physics/sweep.h"
#include "physics/tile_grid.h"
#include "stage.h"

static struct df_tiles tiles_of(int32_t columns, int32_t rows, int32_t edge_px, enum df_outside outside)
{
    static const uint8_t kinds[1];
    return (struct df_tiles){.kinds = kinds, .columns = columns, .rows = rows, .edge_px = edge_px, .outside = outside};
}

static struct df_broadphase shape_of(struct df_tiles tiles, int32_t solids)
{
    struct df_space space = {.tiles = tiles, .solid_count = solids};
    struct df_broadphase broadphase;
    df_broadphase_layout(&broadphase, &space, NULL);
    return broadphase;
}

TEST(a_world_of_any_size_has_cells_of_32_px_and_memory_for_its_bodies)
{
    static const struct {
        int32_t columns, rows, edge_px;
        enum df_outside outside;
        int32_t solids, cell_columns, cell_rows, memory_columns, memory_rows, grids;
    } rows[] = {
        /* 1 */ {8, 8, 4, DF_OUTSIDE_SOLID, 0, 1, 1, 1, 1, 1},
        /* 2 */ {9, 8, 4, DF_OUTSIDE_SOLID, 0, 2, 1, 2, 1, 1},
        /* 3 */ {8, 9, 4, DF_OUTSIDE_EMPTY, 0, 1, 2, 1, 2, 1},
        /* 4 */ {24, 17, 4, DF_OUTSIDE_WRAP, 0, 3, 3, 4, 4, 2},
        /* 5 */ {24, 33, 4, DF_OUTSIDE_SOLID, 0, 4, 8, 4, 8, 2}, // powers of two
        /* 6 */ {512, 4, 4, DF_OUTSIDE_SOLID, 0, 64, 1, 64, 1, 3},
        /* 7 */ {513, 4, 4, DF_OUTSIDE_WRAP, 0, 65, 1, 128, 1, 3},
        /* 8 */ {4, 513, 4, DF_OUTSIDE_WRAP, 0, 1, 65, 1, 128, 3},
        /* 9 */ {1, 1, 1 << 20, DF_OUTSIDE_SOLID, 0, 32, 16, 32, 16, 3}, // folded
        /* 10 */ {1, 1, 1 << 20, DF_OUTSIDE_SOLID, 2000, 64, 32, 64, 32, 3},
        /* 11 */ {12500, 90, 4, DF_OUTSIDE_SOLID, 0, 32, 16, 32, 16, 3},
        /* 12 */ {12500, 90, 4, DF_OUTSIDE_WRAP, 0, 1563, 12, 32, 16, 5},
        /* 13 */ {12500, 90, 4, DF_OUTSIDE_SOLID, 1 << 20, 2048, 16, 2048, 16, 5},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct df_broadphase shape =
            shape_of(tiles_of(rows[i].columns, rows[i].rows, rows[i].edge_px, rows[i].outside), rows[i].solids);
        bool wraps = rows[i].outside == DF_OUTSIDE_WRAP;
        assert_int_equal(shape.grids[0].columns, rows[i].cell_columns);
        assert_int_equal(shape.grids[0].rows, rows[i].cell_rows);
        assert_int_equal(shape.grids[0].column_mask, rows[i].memory_columns - 1);
        assert_int_equal(shape.grids[0].row_mask, rows[i].memory_rows - 1);
        assert_int_equal(1 << shape.grids[0].row_shift, rows[i].memory_columns);
        assert_int_equal(shape.grids[0].shift, 5);
        assert_int_equal(shape.grid_count, rows[i].grids);
        assert_int_equal(shape.period_x, wraps ? rows[i].columns * rows[i].edge_px : 0);
        assert_int_equal(shape.period_y, wraps ? rows[i].rows * rows[i].edge_px : 0);
    }
    struct df_broadphase plane = shape_of((struct df_tiles){.outside = DF_OUTSIDE_WRAP}, 0);
    assert_int_equal(plane.grids[0].columns, 32);
    assert_int_equal(plane.grids[0].rows, 16);
    assert_int_equal(plane.period_x | plane.period_y, 0);
}

TEST(an_index_has_at_most_64_bytes_a_solid)
{
    for (int32_t solids = 1000; solids < DF_COORDINATE_PX_MAX; solids = solids * 3 / 2) {
        struct df_space space = {.solid_count = solids};
        assert_true(df_index_bytes(&space) <= (size_t)solids * 64);
        space.tiles = tiles_of(1 << 17, 1 << 17, 8, DF_OUTSIDE_SOLID);
        assert_true(df_index_bytes(&space) <= (size_t)solids * 64);
    }
}

TEST(the_memory_of_an_index_is_used_in_whole_words)
{
    for (int32_t bodies = 0; bodies < 4; bodies++) {
        struct stage stage = {0};
        for (int32_t i = 0; i < bodies; i++) {
            stage_solid(&stage, 0, 0, 8, 8);
            stage_actor(&stage, 0, 0, 8, 8);
        }
        stage_begin(&stage);
        assert_int_equal(df_index_bytes(&stage.space) % 8, 0);
        assert_int_equal((uintptr_t)stage.space.broadphase->solid_cells % 8, 0);
        assert_int_equal((uintptr_t)stage.space.broadphase->on_solids.chain % 8, 0);
    }
}

// Returns the bits of the tiles that a path covers, as a window has them.
static uint32_t tiles_on(const struct df_tiles *tiles, struct df_box path)
{
    uint32_t bits = 0;
    int32_t column = df_floor_div(path.x, tiles->edge_px), row = df_floor_div(path.y, tiles->edge_px);
    for (int32_t c = column; c * tiles->edge_px < path.x + path.w; c++)
        for (int32_t r = row; r * tiles->edge_px < path.y + path.h; r++)
            bits |= ((uint32_t)df_tile_grid_at(tiles, c, r) & 3) << (8 * (c - column) + 2 * (r - row));
    return bits;
}

static void check_windows(const struct df_space *space, bool is_possible)
{
    const struct df_tiles *tiles = &space->tiles;
    int32_t edge = tiles->edge_px, w = tiles->columns * edge, h = tiles->rows * edge;
    for (int32_t x = -2 * edge - 1; x <= w + edge; x += edge / 3 + 1)
        for (int32_t y = -2 * edge - 1; y <= h + edge; y += edge / 3 + 1) {
            int32_t wide = 3 * edge + 1 < 25 ? 3 * edge + 1 : 25, high = 2 * edge + 1 < 25 ? 2 * edge + 1 : 25;
            struct df_box path = {x, y, (x & 1) != 0 ? wide : 1, (y & 1) != 0 ? high : 1};
            bool fits = x >= 0 && y >= 0 && x + path.w <= w && y + path.h <= h;
            struct df_window window;
            int32_t solids[DF_WINDOW_SOLIDS];
            bool opens = df_window_open(&window, solids, space, path);
            assert_int_equal(opens, is_possible && (fits || tiles->outside != DF_OUTSIDE_WRAP));
            if (opens) {
                assert_int_equal(window.tiles, tiles_on(tiles, path));
                assert_int_equal(window.column, df_floor_div(x, edge));
                assert_int_equal(window.row, df_floor_div(y, edge));
            }
            path.w = wide + 1;
            assert_false(df_window_open(&window, solids, space, path));
        }
}

// Windows open on all paths that are short, but not around a seam, and show the tiles there.
TEST(windows_show_the_tiles_of_a_path)
{
    static const int32_t edges[] = {1, 7, 8, 16};
    static uint64_t memory[4096];
    static uint8_t kinds[9 * 6];
    static const uint32_t broken[2] = {0x5a5a5a5a, 0x3c3c3c3c};
    for (int32_t i = 0; i < 9 * 6; i++)
        kinds[i] = (uint8_t)(i * 7 % 11 % DF_TILE_KINDS);
    for (int32_t columns = 1; columns <= 9; columns++)
        for (int32_t rows = 1; rows <= 6; rows++)
            for (int32_t i = 0; i < 12; i++) {
                struct df_space space = {
                    .tiles = {kinds, broken, columns, rows, edges[i / 3], (enum df_outside)(i % 3)}};
                assert_int_equal(df_space_init(&space, memory, sizeof memory), DF_OK);
                bool is_large = columns > 4 && rows > 3;
                check_windows(&space, edges[i / 3] != 7 && (is_large || i % 3 != DF_OUTSIDE_WRAP));
            }
}

TEST(the_masks_of_a_window_have_the_bits_of_its_columns_and_rows)
{
    for (uint32_t first = 0; first < DF_WINDOW_COLUMNS; first++)
        for (uint32_t last = first; last < DF_WINDOW_COLUMNS; last++)
            for (uint32_t bit = 0; bit < 32; bit++) {
                uint32_t column = bit / 8, row = bit % 8 / 2;
                if (row < DF_WINDOW_ROWS)
                    assert_int_equal(df_window_columns(first, last) >> bit & 1, column >= first && column <= last);
                if (last < DF_WINDOW_ROWS)
                    assert_int_equal(df_window_rows(first, last) >> bit & 1, row >= first && row <= last);
            }
}

TEST(solids_near_a_box_are_those_of_its_cells)
{
    struct stage stage = {0};
    for (int32_t i = 0; i < 55; i++)
        stage.solids[stage_solid(&stage, 0, 0, 8, 8)].flags = 0; // so that the others are in two words
    for (int32_t i = 0; i < 25; i++)
        stage_solid(&stage, i % 5 * 100 - 200, i / 5 * 100 - 200, 8, 8);
    stage_begin(&stage);
    for (int32_t i = 55; i < 80; i++) {
        int32_t size = i % 2 == 0 ? 8 : 40;
        struct df_box box = {stage.solids[i].x, stage.solids[i].y, size, size};
        struct df_near_solids near = df_broadphase_near(stage.space.broadphase, box);
        for (int32_t found = df_broadphase_next(&near); found >= 0; found = df_broadphase_next(&near))
            assert_int_equal(found, i); // the others are too far away to be looked at
        assert_int_equal(df_broadphase_next_overlapping(&stage.space, box, -1), i);
        assert_int_equal(df_broadphase_next_overlapping(&stage.space, box, i), -1);
    }
}

// The last pixel of the box is all that it shares with the solid.
TEST(a_box_of_any_size_finds_a_solid_wherever_it_is)
{
    struct stage stage = {0};
    stage_solid(&stage, 0, 0, 8, 8);
    stage_begin(&stage);
    for (int32_t size = 1; size < 70; size++)
        for (int32_t at = 0; at < 64; at++) {
            static const int32_t axes[][2] = {{1, 0}, {0, 1}, {1, 1}};
            for (size_t i = 0; i < COUNT_OF(axes); i++) {
                stage.solids[0].x = axes[i][0] != 0 ? at + size - 1 : 0;
                stage.solids[0].y = axes[i][1] != 0 ? at + size - 1 : 0;
                df_solid_changed(&stage.space, 0);
                struct df_box box = {axes[i][0] * at, axes[i][1] * at, axes[i][0] != 0 ? size : 8,
                                     axes[i][1] != 0 ? size : 8};
                if (df_broadphase_next_overlapping(&stage.space, box, -1) != 0)
                    fail_msg("a box of %d x %d px at %d, %d", box.w, box.h, box.x, box.y);
            }
        }
}

TEST(only_a_living_ball_that_a_solid_may_touch_is_near)
{
    static const struct {
        struct df_box box;
        struct df_ball ball;
        bool is_near;
    } rows[] = {
        /* 1 */ {{0, 0, 8, 8}, {10 * DF_SUB, 4 * DF_SUB, 4, 0, 0, DF_BALL_ALIVE}, true},
        /* 2 */ {{0, 0, 8, 8}, {4 * DF_SUB, 12 * DF_SUB, 4, 0, 0, DF_BALL_ALIVE}, true},
        /* 3 */ {{0, 0, 8, 8}, {40 * DF_SUB, 4 * DF_SUB, 4, 0, 0, DF_BALL_ALIVE}, false},
        /* 4 */ {{0, 0, 8, 8}, {4 * DF_SUB, -40 * DF_SUB, 4, 0, 0, DF_BALL_ALIVE}, false},
        /* 5 */ {{0, 0, 8, 8}, {10 * DF_SUB, 4 * DF_SUB, 4, 0, 0, 0}, false},
        /* 6 */ {{0, 0, 8, 8}, {10 * DF_SUB, 4 * DF_SUB, 65, 0, 0, DF_BALL_ALIVE}, false}, // beyond the limits
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        stage_ball(&stage, 0, 0, 1, 0, 0);
        stage.balls[0] = rows[i].ball;
        stage_begin(&stage);
        assert_int_equal(df_ball_push_is_near(&stage.space, rows[i].box), rows[i].is_near);
    }
    struct stage empty = {0};
    stage_begin(&empty);
    assert_false(df_ball_push_is_near(&empty.space, (struct df_box){0, 0, 8, 8}));
}

// Around a ball with an area of 13 x 13 px from (x, y).
TEST(a_ball_meets_the_tiles_of_its_area_row_by_row)
{
    static const struct {
        int32_t x, y, column_first, column_last, row_first, row_last;
    } rows[] = {
        /* 1 */ {8, 8, 1, 2, 1, 2},  /* 2 */ {11, 11, 1, 2, 1, 2}, /* 3 */ {12, 8, 1, 3, 1, 2},
        /* 4 */ {8, 12, 1, 2, 1, 3}, /* 5 */ {7, 15, 0, 2, 1, 3},  /* 6 */ {-3, -8, -1, 1, -1, 0},
        /* 7 */ {19, 3, 2, 3, 0, 1},
    };
    struct stage stage = {0};
    stage_tiles(&stage, 4, "################", DF_OUTSIDE_SOLID);
    stage_solid(&stage, 4, 4, 8, 8);
    stage.solids[stage_solid(&stage, 4, 4, 8, 8)].flags |= DF_SOLID_ONEWAY; // which no ball meets
    stage_solid(&stage, 5, 5, 8, 8);
    stage_ball(&stage, 0, 0, 5, 0, 0);
    stage_begin(&stage);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        stage.balls[0].cx = (rows[i].x + 6) * DF_SUB;
        stage.balls[0].cy = (rows[i].y + 6) * DF_SUB + 255;
        struct df_ball_rectangles all = df_ball_contact_rectangles(&stage.space, &stage.balls[0]);
        struct df_box area = {rows[i].x, rows[i].y, 13, 13};
        for (int32_t solid = 0; solid <= 2; solid += 2) {
            if (!df_box_overlaps(area, df_solid_box(&stage.solids[solid])))
                continue;
            assert_true(df_ball_contact_next(&all));
            assert_int_equal(all.solid, solid);
            assert_memory_equal(&all.box, &stage.solids[solid], sizeof all.box);
        }
        for (int32_t row = rows[i].row_first; row <= rows[i].row_last; row++)
            for (int32_t column = rows[i].column_first; column <= rows[i].column_last; column++) {
                assert_true(df_ball_contact_next(&all));
                assert_int_equal(all.solid, -1);
                assert_int_equal(all.column, column);
                assert_int_equal(all.row, row);
                assert_memory_equal(&all.box, (&(struct df_box){column * 8, row * 8, 8, 8}), sizeof all.box);
            }
        assert_false(df_ball_contact_next(&all));
    }
}

TEST(a_span_of_tiles_ends_where_they_repeat)
{
    static const struct {
        enum df_outside outside;
        int32_t at, length, first, last;
    } rows[] = {
        /* 1 */ {DF_OUTSIDE_EMPTY, 0, 8, 0, 0},
        /* 2 */ {DF_OUTSIDE_EMPTY, 7, 2, 0, 1},
        /* 3 */ {DF_OUTSIDE_EMPTY, -8, 8, -1, -1},
        /* 4 */ {DF_OUTSIDE_EMPTY, -100, 400, -1, 5}, // the grid, and one tile on either side
        /* 5 */ {DF_OUTSIDE_SOLID, -100, 400, -1, 5},
        /* 6 */ {DF_OUTSIDE_EMPTY, -100, 8, -12, -12},
        /* 7 */ {DF_OUTSIDE_EMPTY, 100, 8, 12, 12},
        /* 8 */ {DF_OUTSIDE_EMPTY, 100, 80, 12, 12},
        /* 9 */ {DF_OUTSIDE_EMPTY, -100, 80, -3, -3},
        /* 10 */ {DF_OUTSIDE_WRAP, -100, 8, -13, -12},
        /* 11 */ {DF_OUTSIDE_WRAP, 0, 40, 0, 4},
        /* 12 */ {DF_OUTSIDE_WRAP, 0, 41, 0, 4}, // once around
        /* 13 */ {DF_OUTSIDE_WRAP, 4, 39, 0, 4},
        /* 14 */ {DF_OUTSIDE_WRAP, 4, 400, 0, 4},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct df_tiles tiles = tiles_of(5, 9, 8, rows[i].outside);
        struct df_tile_span span = df_tile_grid_span(&tiles, rows[i].at, rows[i].length, 5);
        if (span.first != rows[i].first || span.last != rows[i].last)
            fail_msg("row %zu: %d to %d", i + 1, span.first, span.last);
    }
}
