// SPDX-License-Identifier: MIT
//
// The grid of tiles: a view on arrays that the caller owns, constant while the library runs
// except for `broken`, which the caller's rules change when a block breaks or comes back.
// Asked by actors, solids and balls; never changed by them.
#ifndef DF_TILES_H
#define DF_TILES_H

#include "box.h"

/// What one tile is. Values are stored in `df_tiles.kinds`.
enum df_tile {
    DF_TILE_EMPTY,
    DF_TILE_SOLID,  ///< blocks every move
    DF_TILE_ONEWAY, ///< blocks a downward step of what does not overlap its row of tiles now
    DF_TILE_BLOCK,  ///< blocks like solid until its bit in `broken` is set
    DF_TILE_HAZARD, ///< blocks nothing; the game asks for it with df_tiles_touch()
    DF_TILE_KINDS
};

/// What lies outside the grid.
enum df_outside {
    DF_OUTSIDE_SOLID, ///< as if made of solid tiles
    DF_OUTSIDE_EMPTY, ///< free
    DF_OUTSIDE_WRAP,  ///< the grid repeats: a box over the seam occupies both sides
};

/// A grid of `columns` x `rows` tiles with its top-left corner at 0, 0.
struct df_tiles {
    const uint8_t *kinds;    ///< enum df_tile, row by row; null for no tiles at all (then outside is empty)
    const uint32_t *broken;  ///< a bit a tile, row by row (bit i & 31 of word i >> 5); null: none is broken
    int32_t columns;         ///< at least 1 where kinds is given
    int32_t rows;            ///< at least 1 where kinds is given
    int32_t edge_px;         ///< edge of a tile, at least 1; 8 in the game
    enum df_outside outside; ///< with wrap, a box in the world is smaller than the grid
};

/// The tile at a column and row after the outside rule and `broken` were applied (a broken block is empty).
enum df_tile df_tiles_at(const struct df_tiles *tiles, int32_t column, int32_t row);

/// True if the box overlaps a tile of that kind.
bool df_tiles_touch(const struct df_tiles *tiles, struct df_box box, enum df_tile kind);

/// True if the box overlaps a tile that blocks every move (solid, or a block that stands).
bool df_tiles_block(const struct df_tiles *tiles, struct df_box box);

#endif
