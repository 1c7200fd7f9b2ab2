// SPDX-License-Identifier: MIT
//
// The tiles as the eye sees them: blocks that are broken are gone, and beyond the map its border goes on, so that
// a picture never ends in a cut. What blocks a move is decided in physics, never here.
#ifndef APP_GROUND_H
#define APP_GROUND_H

#include "game/world.h"

/// A look at a map's tiles.
struct ground {
    const struct map *map;
    const uint32_t *broken; ///< of the world
};

/// The tile to draw at a column and row, anywhere.
enum df_tile ground_tile(const struct ground *ground, int32_t column, int32_t row);

/// True where a block was, and has been broken.
bool ground_is_broken(const struct ground *ground, int32_t column, int32_t row);

/// True where a wall is drawn.
bool ground_is_wall(const struct ground *ground, int32_t column, int32_t row);

/// True if a drop that flies there (px) would meet a wall.
bool ground_stops(const struct ground *ground, int32_t x_px, int32_t y_px);

#endif
