// SPDX-License-Identifier: MIT
//
// The tiles as they are drawn: broken blocks are gone, and the border of the map continues beyond it, so that a picture
// never ends in a cut. Physics decides what blocks a move, never this file.
#ifndef APP_RENDER_TILE_VIEW_H
#define APP_RENDER_TILE_VIEW_H

#include "sync/world.h"

/// The tiles of a map and which of them are broken.
struct tile_view {
    const struct map *map;
    const uint32_t *broken; ///< of the world
};

/// Returns the tile to draw at a column and row, which may lie outside of the map.
enum df_tile tile_view_tile(const struct tile_view *tiles, int32_t column, int32_t row);

/// Returns whether a block stood here and has been broken.
bool tile_view_is_broken(const struct tile_view *tiles, int32_t column, int32_t row);

/// Returns whether a solid tile is drawn here.
bool tile_view_is_wall(const struct tile_view *tiles, int32_t column, int32_t row);

/// Returns whether a drop at this position (px) hits a tile.
bool tile_view_stops(const struct tile_view *tiles, int32_t x_px, int32_t y_px);

#endif
