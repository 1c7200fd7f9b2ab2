// SPDX-License-Identifier: MIT
//
// Reads a map of Tiled 1.8 or newer (.tmj) into the canonical map. It must be orthogonal and finite, its layers CSV or
// uncompressed base64, its tilesets embedded or .tsj files beside it; shared/maps/README.md says what it may hold.
// Reads files and allocates, so never call it during a tick. Every file is hostile, and a bad one gives an error.
#ifndef MAP_TILED_TILED_H
#define MAP_TILED_TILED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "game/map/map.h"
#include "tiled_fault.h"

/// Fills `map` from the file and gives it the file's name without its ending. Returns false if anything is wrong; do
/// not use `map` then. The error's code is an enum tiled_fault, and its printable text names the file, the place in it
/// and the remedy.
bool tiled_read(const char *path, struct map *map, struct error *error);

/// Does the same from a text in memory. `path` names the map and the folder of its tilesets; it need not exist.
bool tiled_read_text(const char *text, size_t bytes, const char *path, struct map *map, struct error *error);

#endif
