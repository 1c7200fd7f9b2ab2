// SPDX-License-Identifier: MIT
//
// The fast path over tiles (private): df_tile_grid_sweep() for nearly every sweep there is. A box of usual size on a
// short path inside the grid covers at most three rows of four tiles. One load per row shows them all, without a branch
// per tile, because which of them blocks is random to a processor. Everything else goes to df_tile_grid_sweep(): a
// larger box, the border and the outside, a block that may be broken, a box that is stuck.
#ifndef DF_TILE_FAST_PATH_H
#define DF_TILE_FAST_PATH_H

#include <assert.h>

#include "broadphase.h"

/// Bit 0 of each of four tiles: solid and block have it. Bit 1 is that of block and one-way.
#define DF_FAST_PATH_HARD   UINT32_C(0x01010101)
#define DF_FAST_PATH_ONEWAY UINT32_C(0x02020202)

static_assert((DF_TILE_SOLID & 3) == 1 && (DF_TILE_BLOCK & 3) == 3 && (DF_TILE_ONEWAY & 3) == 2 &&
                  (DF_TILE_HAZARD & 3) == 0 && (DF_TILE_EMPTY & 3) == 0,
              "the two bits tell the kinds apart");

/// The tiles that a box covers, all inside the grid.
struct df_tile_window {
    const uint8_t *kinds;            ///< of the first tile
    int32_t column, row;             ///< of the first tile
    int32_t more_columns, more_rows; ///< beside the first: up to DF_FAST_PATH_COLUMNS - 1, DF_FAST_PATH_ROWS - 1
    uint32_t columns;                ///< a byte for each covered column, all bits set
};

/// Returns true if the fast path over the grid, and one cell of each grid of the broadphase, may answer for a box.
static inline bool df_tile_fast_path_covers(const struct df_broadphase *broadphase, struct df_box box)
{
    return (uint32_t)box.x < broadphase->fast_path_x_end && (uint32_t)box.y < broadphase->fast_path_y_end &&
           df_broadphase_is_one_cell(box);
}

/// Finds the tiles that such a box covers; false if they are too many.
static inline bool df_tile_fast_path_find(const struct df_space *space, struct df_box box,
                                          struct df_tile_window *window)
{
    int32_t shift = space->broadphase->tile_shift;
    window->column = box.x >> shift;
    window->row = box.y >> shift;
    window->more_columns = ((box.x + box.w - 1) >> shift) - window->column;
    window->more_rows = ((box.y + box.h - 1) >> shift) - window->row;
    if (window->more_columns >= DF_FAST_PATH_COLUMNS || window->more_rows >= DF_FAST_PATH_ROWS)
        return false;
    window->kinds = space->tiles.kinds + (size_t)window->row * (size_t)space->tiles.columns + (size_t)window->column;
    window->columns = UINT32_MAX >> (8 * (DF_FAST_PATH_COLUMNS - 1 - window->more_columns));
    return true;
}

/// Returns the covered tiles of a row as the bytes of a word, the first lowest.
static inline uint32_t df_tile_fast_path_row(const struct df_space *space, const struct df_tile_window *window,
                                             int32_t row)
{
    const uint8_t *kinds = window->kinds + row * space->tiles.columns;
    return ((uint32_t)kinds[0] | (uint32_t)kinds[1] << 8 | (uint32_t)kinds[2] << 16 | (uint32_t)kinds[3] << 24) &
           window->columns;
}

/// Fills `hit` with a tile in the way, some columns and rows further than the first of the window; returns the pixels
/// before it, or -1 if it may be broken.
static inline int32_t df_tile_fast_path_hit(const struct df_space *space, const struct df_tile_window *window,
                                            int32_t columns, int32_t rows, int32_t gap_px, struct df_hit *hit)
{
    if (window->kinds[rows * space->tiles.columns + columns] == DF_TILE_BLOCK)
        return -1;
    *hit = (struct df_hit){
        .kind = DF_HIT_TILE, .index = -1, .column = window->column + columns, .row = window->row + rows};
    return gap_px;
}

/// Returns how many of `free_px` pixels a box can go along x before a tile blocks it, and fills `hit` if it is not all.
/// `swept` is all that the box covers on its path. Returns -1 if this needs df_tile_grid_sweep().
static inline int32_t df_tile_fast_path_x(const struct df_space *space, struct df_box box, struct df_box swept,
                                          int32_t direction, int32_t free_px, struct df_hit *hit)
{
    struct df_tile_window window;
    if (!df_tile_fast_path_find(space, swept, &window))
        return -1;
    // The row between the first and the last, or the first again.
    uint32_t tiles = df_tile_fast_path_row(space, &window, 0) |
                     df_tile_fast_path_row(space, &window, window.more_rows >> 1) |
                     df_tile_fast_path_row(space, &window, window.more_rows);
    if ((tiles & DF_FAST_PATH_HARD) == 0)
        return free_px;
    int32_t ahead = direction > 0 ? window.more_columns : 0, shift = space->broadphase->tile_shift;
    int32_t column = window.column + ahead, row = 0;
    int32_t gap_px = direction > 0 ? (column << shift) - (box.x + box.w) : box.x - ((column + 1) << shift);
    uint32_t line = DF_FAST_PATH_HARD & UINT32_C(0xff) << (8 * ahead);
    if (gap_px < 0 || (tiles & DF_FAST_PATH_HARD & ~line) != 0)
        return -1;
    if (gap_px >= free_px)
        return free_px;
    while ((df_tile_fast_path_row(space, &window, row) & line) == 0)
        row++;
    return df_tile_fast_path_hit(space, &window, ahead, row, gap_px, hit);
}

/// The same along y. With `oneway`, one-way tiles block.
static inline int32_t df_tile_fast_path_y(const struct df_space *space, struct df_box box, struct df_box swept,
                                          int32_t direction, int32_t free_px, bool oneway, struct df_hit *hit)
{
    struct df_tile_window window;
    if (!df_tile_fast_path_find(space, swept, &window))
        return -1;
    int32_t ahead = direction > 0 ? window.more_rows : 0, shift = space->broadphase->tile_shift;
    int32_t row = window.row + ahead;
    int32_t gap_px = direction > 0 ? (row << shift) - (box.y + box.h) : box.y - ((row + 1) << shift);
    if (oneway && gap_px >= 1 << shift) // one-ways may stand in each of several rows
        return -1;
    // All rows but the one ahead; if there is only one, the box is in it now.
    uint32_t others = df_tile_fast_path_row(space, &window, window.more_rows - ahead) |
                      df_tile_fast_path_row(space, &window, (window.more_rows + (direction < 0)) >> 1);
    uint32_t line = df_tile_fast_path_row(space, &window, ahead);
    line &= oneway && gap_px >= 0 ? DF_FAST_PATH_HARD | DF_FAST_PATH_ONEWAY : DF_FAST_PATH_HARD;
    if (((others & DF_FAST_PATH_HARD) | line) == 0)
        return free_px;
    if (gap_px < 0 || (others & DF_FAST_PATH_HARD) != 0)
        return -1;
    if (gap_px >= free_px)
        return free_px;
    return df_tile_fast_path_hit(space, &window, __builtin_ctz(line) >> 3, ahead, gap_px, hit);
}

#endif
