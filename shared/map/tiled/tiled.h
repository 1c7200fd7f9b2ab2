// SPDX-License-Identifier: MIT
//
// Reads a Tiled 1.8+ map (.tmj) into the canonical map: orthogonal, finite, CSV or plain base64, tilesets beside it
// (.tsj) or embedded. shared/maps/README.md says what a map may hold. Called by the server at start and at a map
// change, and by deadfall-map; never during a tick, since it reads files and allocates. Every file is hostile: a bad
// one is a sentence, never more.
#ifndef MAP_TILED_TILED_H
#define MAP_TILED_TILED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "map/map.h"

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
    TILED_FEATURE, ///< something of Tiled that Deadfall does not read
    TILED_VALUE,   ///< a value is missing or wrong
    TILED_LIMIT,   ///< too large, or too many
    TILED_UNSOUND, ///< each value is right, together they make no map (map_validate)
    TILED_FAULTS
};

/// The fault as a word: "file", "syntax", "feature", "value", "limit", "unsound".
const char *tiled_fault_name(enum tiled_fault fault);

/// Fills `map` from the file and gives it the file's name without its ending. False if anything is wrong;
/// `map` is then not to be used. The error has an enum tiled_fault for a code and one printable sentence with the file,
/// the place in it and the remedy.
bool tiled_read(const char *path, struct map *map, struct error *error);

/// The same from a text in memory. `path` names the map and the folder of its tilesets; it need not exist.
bool tiled_read_text(const char *text, size_t bytes, const char *path, struct map *map, struct error *error);

#endif
