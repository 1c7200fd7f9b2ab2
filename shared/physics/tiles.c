// SPDX-License-Identifier: MIT
#include "tiles.h"

#include <assert.h>

#include "tile_grid.h"

// Added before a shift so that no coordinate is negative; a multiple of every edge that is a power of two.
#define BIAS_PX (UINT32_C(1) << 30)

// Same as df_floor_div(), without the division if the edge is a power of two.
static int32_t tile_of(int32_t at_px, int32_t edge_px)
{
    if ((edge_px & (edge_px - 1)) != 0)
        return df_floor_div(at_px, edge_px);
    int shift = __builtin_ctz((unsigned)edge_px);
    return (int32_t)(((uint32_t)at_px + BIAS_PX) >> shift) - (int32_t)(BIAS_PX >> shift);
}

struct df_tile_span df_tile_grid_tiles(int32_t at_px, int32_t length_px, int32_t edge_px)
{
    return (struct df_tile_span){tile_of(at_px, edge_px), tile_of(at_px + length_px - 1, edge_px)};
}

// Limits a span to the tiles that can differ: once around a wrapping grid, else the grid and one tile outside of it.
static struct df_tile_span clipped(struct df_tile_span span, int32_t count, bool wraps)
{
    if (wraps)
        return (struct df_tile_span){span.first, span.last - span.first < count ? span.last : span.first + count - 1};
    if (span.first < -1)
        span.first = span.last < 0 ? span.last : -1;
    if (span.last > count)
        span.last = span.first > count ? span.first : count;
    return span;
}

static bool wraps(const struct df_tiles *tiles)
{
    return tiles->outside == DF_OUTSIDE_WRAP;
}

static bool is_inside(const struct df_tiles *tiles, int32_t column, int32_t row)
{
    return (uint32_t)column < (uint32_t)tiles->columns && (uint32_t)row < (uint32_t)tiles->rows;
}

static bool blocks(enum df_tile kind)
{
    return kind == DF_TILE_SOLID || kind == DF_TILE_BLOCK;
}

// Returns 1 if tiles of this kind block every move.
static inline unsigned is_hard(uint8_t kind)
{
    return (kind & ~2u) == DF_TILE_SOLID;
}

static_assert((DF_TILE_SOLID ^ DF_TILE_BLOCK) == 2, "is_hard() tells both from the rest");

static void fill_hit(const struct df_tiles *tiles, int32_t column, int32_t row, struct df_hit *hit)
{
    bool inside = wraps(tiles) || is_inside(tiles, column, row);
    hit->kind = inside ? DF_HIT_TILE : DF_HIT_OUTSIDE;
    hit->index = -1;
    hit->column = wraps(tiles) ? df_torus_mod(column, tiles->columns) : column;
    hit->row = wraps(tiles) ? df_torus_mod(row, tiles->rows) : row;
}

// Returns true if a tile may block a box: always for a box larger than two columns by three rows. Loads all the tiles
// without a branch for each, because a processor cannot predict which of them blocks, only that most boxes are free.
static inline bool may_overlap(const struct df_tiles *tiles, struct df_tile_span columns, struct df_tile_span rows)
{
    if (columns.last - columns.first > 1 || rows.last - rows.first > 2)
        return true;
    int32_t middle = rows.first < rows.last ? rows.first + 1 : rows.last;
    const uint8_t *top = tiles->kinds + (size_t)rows.first * (size_t)tiles->columns;
    const uint8_t *mid = tiles->kinds + (size_t)middle * (size_t)tiles->columns;
    const uint8_t *low = tiles->kinds + (size_t)rows.last * (size_t)tiles->columns;
    unsigned hard = is_hard(top[columns.first]) | is_hard(top[columns.last]);
    hard |= is_hard(mid[columns.first]) | is_hard(mid[columns.last]);
    hard |= is_hard(low[columns.first]) | is_hard(low[columns.last]);
    return hard != 0;
}

#define NO_ROW INT32_MIN

// Finds the first tile that blocks, which a one-way does in one row only.
__attribute__((noinline)) static bool find_overlap(const struct df_tiles *tiles, struct df_tile_span columns,
                                                   struct df_tile_span rows, int32_t oneway_row, struct df_hit *hit)
{
    if (tiles->outside == DF_OUTSIDE_SOLID && !is_inside(tiles, columns.first, rows.first)) {
        fill_hit(tiles, columns.first, rows.first, hit);
        return true;
    }
    columns = clipped(columns, tiles->columns, wraps(tiles));
    rows = clipped(rows, tiles->rows, wraps(tiles));
    for (int32_t row = rows.first; row <= rows.last; row++)
        for (int32_t column = columns.first; column <= columns.last; column++) {
            enum df_tile kind = df_tile_grid_at(tiles, column, row);
            if (blocks(kind) || (row == oneway_row && kind == DF_TILE_ONEWAY)) {
                fill_hit(tiles, column, row, hit);
                return true;
            }
        }
    return false;
}

static inline bool overlap(const struct df_tiles *tiles, struct df_tile_span columns, struct df_tile_span rows,
                           struct df_hit *hit)
{
    bool inside = is_inside(tiles, columns.first, rows.first) && is_inside(tiles, columns.last, rows.last);
    return (!inside || may_overlap(tiles, columns, rows)) && find_overlap(tiles, columns, rows, NO_ROW, hit);
}

bool df_tile_grid_is_valid(const struct df_tiles *tiles)
{
    if (tiles->kinds == NULL)
        return true;
    return tiles->columns >= 1 && tiles->rows >= 1 && tiles->edge_px >= 1 &&
           tiles->columns <= DF_COORDINATE_PX_MAX / tiles->edge_px &&
           tiles->rows <= DF_COORDINATE_PX_MAX / tiles->edge_px && (uint32_t)tiles->outside <= DF_OUTSIDE_WRAP;
}

struct df_tile_span df_tile_grid_span(const struct df_tiles *tiles, int32_t at_px, int32_t length_px, int32_t count)
{
    return clipped(df_tile_grid_tiles(at_px, length_px, tiles->edge_px), count, wraps(tiles));
}

bool df_tile_grid_overlap(const struct df_tiles *tiles, struct df_box box, struct df_hit *hit)
{
    return overlap(tiles, df_tile_grid_tiles(box.x, box.w, tiles->edge_px),
                   df_tile_grid_tiles(box.y, box.h, tiles->edge_px), hit);
}

// A box that is nearly as high as a wrapping grid overlaps all rows now.
static bool oneways_can_block(const struct df_tiles *tiles, struct df_box box)
{
    return !wraps(tiles) || box.h <= (tiles->rows - 1) * tiles->edge_px;
}

bool df_tile_grid_blocks_step(const struct df_tiles *tiles, struct df_box there, bool oneway, struct df_hit *hit)
{
    struct df_tile_span rows = df_tile_grid_tiles(there.y, there.h, tiles->edge_px);
    bool enters_row = rows.last != tile_of(there.y + there.h - 2, tiles->edge_px);
    return find_overlap(tiles, df_tile_grid_tiles(there.x, there.w, tiles->edge_px), rows,
                        oneway && enters_row && oneways_can_block(tiles, there) ? rows.last : NO_ROW, hit);
}

int32_t df_tile_grid_sweep(const struct df_tiles *tiles, struct df_box box, enum df_axis axis, int32_t direction,
                           int32_t free_px, bool oneway, struct df_hit *hit)
{
    int32_t edge = tiles->edge_px, count = axis == DF_X ? tiles->columns : tiles->rows;
    struct df_tile_span columns = df_tile_grid_tiles(box.x, box.w, edge), rows = df_tile_grid_tiles(box.y, box.h, edge);
    struct df_tile_span along = axis == DF_X ? columns : rows, across = axis == DF_X ? rows : columns;
    int32_t near = axis == DF_X ? box.x : box.y, far = near + (axis == DF_X ? box.w : box.h);
    int32_t ahead = direction > 0 ? along.last + 1 : along.first - 1;
    if ((direction > 0 ? ahead * edge - far : near - (ahead + 1) * edge) >= free_px)
        return free_px;
    across = clipped(across, axis == DF_X ? tiles->rows : tiles->columns, wraps(tiles));
    bool empty_outside = tiles->outside == DF_OUTSIDE_EMPTY;
    if (empty_outside && (direction > 0 ? ahead < 0 : ahead >= count))
        ahead = direction > 0 ? 0 : count - 1;
    oneway = oneway && oneways_can_block(tiles, box);
    for (;; ahead += direction) {
        int32_t gap = direction > 0 ? ahead * edge - far : near - (ahead + 1) * edge;
        if (gap >= free_px || (empty_outside && (ahead < 0 || ahead >= count)) || (wraps(tiles) && gap >= count * edge))
            return free_px;
        for (int32_t i = across.first; i <= across.last; i++) {
            int32_t column = axis == DF_X ? ahead : i, row = axis == DF_X ? i : ahead;
            enum df_tile kind = df_tile_grid_at(tiles, column, row);
            if (blocks(kind) || (oneway && kind == DF_TILE_ONEWAY)) {
                fill_hit(tiles, column, row, hit);
                return gap;
            }
        }
    }
}

enum df_tile df_tiles_at(const struct df_tiles *tiles, int32_t column, int32_t row)
{
    return df_tile_grid_is_valid(tiles) ? df_tile_grid_at(tiles, column, row) : DF_TILE_EMPTY;
}

bool df_tiles_block(const struct df_tiles *tiles, struct df_box box)
{
    struct df_hit hit;
    if (!df_body_box_is_valid(box))
        return true;
    return df_tile_grid_is_valid(tiles) && tiles->kinds != NULL && df_tile_grid_overlap(tiles, box, &hit);
}

bool df_tiles_touch(const struct df_tiles *tiles, struct df_box box, enum df_tile kind)
{
    if (!df_body_box_is_valid(box))
        return false;
    if (tiles->kinds == NULL || !df_tile_grid_is_valid(tiles))
        return kind == DF_TILE_EMPTY;
    struct df_tile_span columns = df_tile_grid_span(tiles, box.x, box.w, tiles->columns);
    struct df_tile_span rows = df_tile_grid_span(tiles, box.y, box.h, tiles->rows);
    for (int32_t row = rows.first; row <= rows.last; row++)
        for (int32_t column = columns.first; column <= columns.last; column++)
            if (df_tile_grid_at(tiles, column, row) == kind)
                return true;
    return false;
}
