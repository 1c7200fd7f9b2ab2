// SPDX-License-Identifier: MIT
//
// A glance at the grid (private): df_tiles_sweep() for nearly every sweep there is. A box of usual size on a short way
// inside the grid covers at most three rows of four tiles; all of them are looked at with one load a row and no branch
// for each tile, because which of them blocks is random to a processor. What is not answered so (a larger box, the
// border and what is outside, a block that may be broken, a box that is stuck) is left to df_tiles_sweep().
#ifndef DF_GLANCE_H
#define DF_GLANCE_H

#include <assert.h>

#include "sweep.h"

/// Bit 0 of each of four tiles: solid and block have it. Bit 1 is that of block and one-way.
#define DF_GLANCE_LINE UINT32_C(0x01010101)

static_assert((DF_TILE_SOLID & 3) == 1 && (DF_TILE_BLOCK & 3) == 3 && (DF_TILE_ONEWAY & 3) == 2 &&
                  (DF_TILE_HAZARD & 3) == 0 && (DF_TILE_EMPTY & 3) == 0,
              "the two bits tell the kinds apart");

/// The tiles that a box covers, all inside the grid.
struct df_glance {
    const uint8_t *kinds;            ///< of the first tile
    int32_t column, row;             ///< of the first tile
    int32_t more_columns, more_rows; ///< beside the first: up to DF_GLANCE_COLUMNS - 1, DF_GLANCE_ROWS - 1
    uint32_t columns;                ///< a byte for each covered column, all bits set
    uint32_t hard;                   ///< bit r of byte c: solid or block stands c columns and r rows further
};

static inline uint32_t df_four_tiles(const uint8_t *kinds)
{
    return (uint32_t)kinds[0] | (uint32_t)kinds[1] << 8 | (uint32_t)kinds[2] << 16 | (uint32_t)kinds[3] << 24;
}

/// True if a glance at the grid and one cell of the index can tell all about a box.
static inline bool df_is_at_a_glance(const struct df_index *index, struct df_box box)
{
    return (((uint32_t)box.x < index->glance_x_end) & ((uint32_t)box.y < index->glance_y_end) &
            df_index_is_one_cell(box)) != 0;
}

/// Looks at what a box covers that df_is_at_a_glance(); false if that is too much.
static inline bool df_glance(const struct df_space *space, struct df_box box, struct df_glance *glance)
{
    const struct df_index *index = space->index;
    int32_t shift = index->tile_shift;
    glance->column = box.x >> shift;
    glance->row = box.y >> shift;
    glance->more_columns = ((box.x + box.w - 1) >> shift) - glance->column;
    glance->more_rows = ((box.y + box.h - 1) >> shift) - glance->row;
    if ((glance->more_columns >= DF_GLANCE_COLUMNS) | (glance->more_rows >= DF_GLANCE_ROWS))
        return false;
    size_t columns = (size_t)space->tiles.columns;
    const uint8_t *kinds = space->tiles.kinds + (size_t)glance->row * columns + (size_t)glance->column;
    uint32_t hard = (df_four_tiles(kinds) & DF_GLANCE_LINE) | (df_four_tiles(kinds + columns) & DF_GLANCE_LINE) << 1 |
                    (df_four_tiles(kinds + 2 * columns) & DF_GLANCE_LINE) << 2;
    glance->kinds = kinds;
    glance->columns = UINT32_MAX >> (8 * (DF_GLANCE_COLUMNS - 1 - glance->more_columns));
    glance->hard = hard & glance->columns & ((UINT32_C(2) << glance->more_rows) - 1) * DF_GLANCE_LINE;
    return true;
}

/// A tile that the glance found on the way, some columns and rows further than its first.
static inline int32_t df_glance_hit(const struct df_tiles *tiles, const struct df_glance *glance, int32_t columns,
                                    int32_t rows, int32_t gap_px, int32_t free_px, struct df_hit *hit)
{
    if (gap_px >= free_px)
        return free_px;
    uint8_t kind = glance->kinds[rows * tiles->columns + columns];
    if (kind != DF_TILE_SOLID && kind != DF_TILE_ONEWAY)
        return -1;
    *hit = (struct df_hit){
        .kind = DF_HIT_TILE, .index = -1, .column = glance->column + columns, .row = glance->row + rows};
    return gap_px;
}

/// df_tiles_sweep() along x at a glance, over what the box sweeps; -1 if it cannot tell.
static inline int32_t df_glance_x(const struct df_space *space, struct df_box box, struct df_box swept,
                                  int32_t direction, int32_t free_px, struct df_hit *hit)
{
    struct df_glance glance;
    if (!df_glance(space, swept, &glance))
        return -1;
    if (glance.hard == 0)
        return free_px;
    int32_t ahead = direction > 0 ? glance.more_columns : 0, shift = space->index->tile_shift;
    int32_t column = glance.column + ahead;
    int32_t gap_px = direction > 0 ? (column << shift) - (box.x + box.w) : box.x - ((column + 1) << shift);
    uint32_t others = glance.hard & ~(UINT32_C(0xff) << (8 * ahead));
    if (gap_px < 0 || others != 0)
        return -1;
    int32_t rows = __builtin_ctz(glance.hard >> (8 * ahead));
    return df_glance_hit(&space->tiles, &glance, ahead, rows, gap_px, free_px, hit);
}

/// The same along y.
static inline int32_t df_glance_y(const struct df_space *space, struct df_box box, struct df_box swept,
                                  int32_t direction, int32_t free_px, bool oneway, struct df_hit *hit)
{
    struct df_glance glance;
    if (!df_glance(space, swept, &glance))
        return -1;
    int32_t ahead = direction > 0 ? glance.more_rows : 0, shift = space->index->tile_shift;
    int32_t row = glance.row + ahead;
    int32_t gap_px = direction > 0 ? (row << shift) - (box.y + box.h) : box.y - ((row + 1) << shift);
    uint32_t line = 0;
    if (oneway && gap_px >= 0)
        line = df_four_tiles(glance.kinds + ahead * space->tiles.columns) >> 1 & DF_GLANCE_LINE & glance.columns;
    if (gap_px >= 1 << shift) // more than one row further: one-ways may stand in each of them
        return -1;
    line |= glance.hard >> ahead;
    if ((line | glance.hard) == 0)
        return free_px;
    uint32_t others = glance.hard & ~(DF_GLANCE_LINE << ahead);
    if (gap_px < 0 || others != 0)
        return -1;
    return df_glance_hit(&space->tiles, &glance, __builtin_ctz(line) >> 3, ahead, gap_px, free_px, hit);
}

#endif
