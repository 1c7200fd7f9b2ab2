// SPDX-License-Identifier: MIT
//
// The tiles as the eye sees them: blocks that are broken are gone, and beyond the map its border goes on, so that
// a picture never ends in a cut. What blocks a move is decided in physics, never here.
#ifndef APP_RENDER_TILE_VIEW_H
#define APP_RENDER_TILE_VIEW_H

#include "game/world.h"

/// A look at a map's tiles.
struct tile_view {
    const struct map *map;
    const uint32_t *broken; ///< of the world
};

/// The tile to draw at a column and row, anywhere.
enum df_tile tile_view_tile(const struct tile_view *tiles, int32_t column, int32_t row);

/// True where a block was, and has been broken.
bool tile_view_is_broken(const struct tile_view *tiles, int32_t column, int32_t row);

/// True where a wall is drawn.
bool tile_view_is_wall(const struct tile_view *tiles, int32_t column, int32_t row);

/// True if a drop that flies there (px) would meet a wall.
bool tile_view_stops(const struct tile_view *tiles, int32_t x_px, int32_t y_px);

#endif
