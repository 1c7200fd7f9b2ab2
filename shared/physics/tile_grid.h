// SPDX-License-Identifier: MIT
//
// The grid of tiles, for every box anywhere (private): what stands where, and how far a box can go before a tile
// blocks it. A window of sweep.h answers for most boxes without coming here.
#ifndef DF_TILE_GRID_H
#define DF_TILE_GRID_H

#include "body.h"

/// Tiles from first to last along an axis, as if the grid continued without end.
struct df_tile_span {
    int32_t first, last;
};

/// Returns true if a grid is within the limits, or there is none.
bool df_tile_grid_is_valid(const struct df_tiles *tiles);

/// Returns the tiles that a box covers along an axis.
struct df_tile_span df_tile_grid_tiles(int32_t at_px, int32_t length_px, int32_t edge_px);

/// Returns the tiles that a box covers along an axis, limited to those that can differ: once around a wrapping grid,
/// else the grid and one tile outside of it. `count` is the grid's size along that axis, in tiles.
struct df_tile_span df_tile_grid_span(const struct df_tiles *tiles, int32_t at_px, int32_t length_px, int32_t count);

/// Returns true if a box overlaps a tile that blocks every move, and then fills `hit` with the first of them. The grid
/// has tiles.
bool df_tile_grid_overlap(const struct df_tiles *tiles, struct df_box box, struct df_hit *hit);

/// Returns true if a tile blocks a step of one pixel to this place, and then fills `hit` with the first. With `oneway`,
/// one-way tiles block (a step downward). The grid has tiles.
bool df_tile_grid_blocks_step(const struct df_tiles *tiles, struct df_box there, bool oneway, struct df_hit *hit);

/// Returns how many of `free_px` pixels a box can go that overlaps no tile that blocks; fills `hit` if a tile blocks
/// before. With `oneway`, one-way tiles block (a downward step). The grid has tiles.
int32_t df_tile_grid_sweep(const struct df_tiles *tiles, struct df_box box, enum df_axis axis, int32_t direction,
                           int32_t free_px, bool oneway, struct df_hit *hit);

/// Returns the tile at a place inside the grid, with `broken` applied.
static inline enum df_tile df_tile_grid_inside_at(const struct df_tiles *tiles, int32_t column, int32_t row)
{
    size_t i = (size_t)row * (size_t)tiles->columns + (size_t)column;
    enum df_tile kind = (enum df_tile)tiles->kinds[i];
    if (kind == DF_TILE_BLOCK && tiles->broken != NULL && (tiles->broken[i >> 5] >> (i & 31) & 1) != 0)
        return DF_TILE_EMPTY;
    return kind;
}

/// Returns the tile at a column and row, with the outside rule and `broken` applied.
static inline enum df_tile df_tile_grid_at(const struct df_tiles *tiles, int32_t column, int32_t row)
{
    if (tiles->kinds == NULL)
        return DF_TILE_EMPTY;
    if ((uint32_t)column < (uint32_t)tiles->columns && (uint32_t)row < (uint32_t)tiles->rows)
        return df_tile_grid_inside_at(tiles, column, row);
    if (tiles->outside == DF_OUTSIDE_WRAP)
        return df_tile_grid_inside_at(tiles, df_torus_mod(column, tiles->columns), df_torus_mod(row, tiles->rows));
    return tiles->outside == DF_OUTSIDE_SOLID ? DF_TILE_SOLID : DF_TILE_EMPTY;
}

#endif
