// SPDX-License-Identifier: MIT
//
// The tilesets and tile layers of a Tiled map. Private to tiled*.c. A tileset says what type each of its tiles has; a
// layer names tiles by their global id, which counts through all tilesets.
#ifndef MAP_TILED_TILED_TILES_H
#define MAP_TILED_TILED_TILES_H

#include "tiled_reader.h"

/// All tilesets of a map.
struct tiled_tiles {
    uint8_t kinds[TILED_TILE_CAPACITY]; ///< by global id: enum df_tile, or a mark of tiled_tiles.c
};

/// Reads all tilesets of a map, embedded or in files beside it.
bool tiled_tiles_read_sets(struct tiled_reader *reader, const json_t *root, struct tiled_tiles *tiles);

/// Lays a tile layer over the tiles of reader->map.
bool tiled_tiles_read_layer(struct tiled_reader *reader, const json_t *layer, const struct tiled_tiles *tiles);

#endif
