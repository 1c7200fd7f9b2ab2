// SPDX-License-Identifier: MIT
//
// The limits of a map made in Tiled, and what can be wrong with one. In a header of its own because map_file.h
// and the parts of the reader both need it.
#ifndef MAP_TILED_TILED_H
#define MAP_TILED_TILED_H

/// Largest map or tileset file, bytes.
#define TILED_FILE_BYTES_MAX (1024 * 1024)
/// Tilesets of one map; each is a file to read.
#define TILED_TILESET_CAPACITY 16
/// Tiles of all tilesets of a map together.
#define TILED_TILE_CAPACITY 4096
/// Objects of all layers together.
#define TILED_OBJECT_CAPACITY 1024

/// What is wrong with a map.
enum tiled_fault {
    TILED_FILE,    ///< the file, or one it names, cannot be read
    TILED_SYNTAX,  ///< not JSON
    TILED_FEATURE, ///< a feature of Tiled that Deadfall does not read
    TILED_VALUE,   ///< a value is missing or wrong
    TILED_LIMIT,   ///< too large, or too many
    TILED_UNSOUND, ///< each value is right, but together they are not a valid map (map_validate)
};

#endif
