// SPDX-License-Identifier: MIT
//
// Tiles as they are drawn: which of them are there, and how each looks, kept from frame to frame.
#ifndef SCENE_TILES_H
#define SCENE_TILES_H

#include "sync/world.h"

// --- tiles.c
//
// The tiles as they are drawn: broken blocks are gone, and the border of the map continues beyond it, so that a picture
// never ends in a cut. Physics decides what blocks a move, never this file.

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

/// What a tile's look has.
enum tile_look {
    TILE_LOOK_DEPTH = 3,             ///< rings of wall around it, 0 to 3; 0: it is at the surface
    TILE_LOOK_ABOVE = 1 << 2,        ///< no wall above
    TILE_LOOK_BELOW = 1 << 3,        ///< no wall below
    TILE_LOOK_LEFT = 1 << 4,         ///< no wall at the left
    TILE_LOOK_RIGHT = 1 << 5,        ///< no wall at the right
    TILE_LOOK_CORNER_LEFT = 1 << 6,  ///< wall above and at the left, but none between them
    TILE_LOOK_CORNER_RIGHT = 1 << 7, ///< the same at the right
    TILE_LOOK_LAMP = 1 << 8,         ///< a lamp hangs below it
    TILE_LOOK_FURNACE = 1 << 9,      ///< a furnace burns in it
};

/// Looks are also kept of so many tiles around the map, since their light shines into the picture.
#define TILE_LOOKS_AROUND 8

/// The looks of the tiles of one map. Starts as zeros.
struct tile_looks {
    int32_t columns, rows;
    uint32_t outside;                               ///< enum df_outside
    uint8_t tiles[MAP_TILE_CAPACITY];               ///< of which the looks are
    uint32_t broken[(MAP_TILE_CAPACITY + 31) / 32]; ///< and their broken blocks
    uint16_t looks[(MAP_SIDE_CAPACITY + 2 * TILE_LOOKS_AROUND) * (MAP_SIDE_CAPACITY + 2 * TILE_LOOKS_AROUND)];
};

/// Returns whether these are the looks of these tiles.
bool tile_looks_are_of(const struct tile_looks *looks, const struct tile_view *tiles);

/// Computes all looks again if the tiles have changed.
void tile_looks_update(struct tile_looks *looks, const struct tile_view *tiles);

/// Returns the look of a tile, which may lie outside of the map. One that is not kept (`looks` may be NULL) is
/// computed.
uint32_t tile_looks_at(const struct tile_looks *looks, const struct tile_view *tiles, int32_t column, int32_t row);

#endif
