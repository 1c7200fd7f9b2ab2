// SPDX-License-Identifier: MIT
//
// Finds a map by its name and reads it from its file, in either of its two forms: that of Tiled 1.8 or newer (.tmj) or
// compiled (the bytes of map_blob.h, as deadfall-map compile writes them). A map of Tiled must be orthogonal and
// finite, its layers CSV or uncompressed base64, its tilesets embedded or .tsj files beside it; shared/maps/README.md
// says what it may hold. Reads files and allocates, so never call it during a tick. Every file is hostile.
#ifndef MAP_TILED_MAP_FILE_H
#define MAP_TILED_MAP_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "game/map/map.h"
#include "tiled.h"

/// Finds the file of a map. A name with a '/' or a '.' is a path already. Any other name is looked up as NAME.tmj in
/// $DEADFALL_MAP_DIR, in maps/ beside the running program, in ../share/deadfall/maps from there, then in the installed
/// maps; a link there that leads out of its folder is none. Returns false with an empty `path` if there is none, or the
/// path is longer than `path_bytes` - 1.
bool map_file_find(const char *name, char *path, size_t path_bytes);

/// Fills `map` from the file; one made in Tiled gets the file's name without its ending. Returns false if anything is
/// wrong; do not use `map` then. The error's code is an enum tiled_fault, and its printable text names the file, the
/// place in it and the remedy.
bool map_file_read(const char *path, struct map *map, struct error *error);

/// Does the same from a text of Tiled in memory. `path` names the map and the folder of its tilesets; it need not
/// exist.
bool map_file_read_text(const char *text, size_t bytes, const char *path, struct map *map, struct error *error);

#endif
