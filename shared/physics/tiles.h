// SPDX-License-Identifier: MIT
//
// The grid of tiles: a view of arrays that the caller owns. Nothing in the library writes it. The caller's rules
// change `broken` when a block breaks or comes back. A grid beyond the limits (df_tiles) is empty, inside and outside.
#ifndef DF_TILES_H
#define DF_TILES_H

#include "types.h"

/// Returns the tile at a column and row, with the outside rule and `broken` applied (a broken block is empty).
DF_API enum df_tile df_tiles_at(const struct df_tiles *tiles, int32_t column, int32_t row);

/// Returns true if the box overlaps a tile of that kind; false for a box beyond the limits.
DF_API bool df_tiles_touch(const struct df_tiles *tiles, struct df_box box, enum df_tile kind);

/// Returns true if the box overlaps a tile that blocks every move (solid, or a block that is not broken), or is beyond
/// the limits.
DF_API bool df_tiles_block(const struct df_tiles *tiles, struct df_box box);

#endif
