// SPDX-License-Identifier: MIT
//
// Finds a map by its name and reads it from its file, in either of its two forms: Tiled's (.tmj) or compiled (the bytes
// of map_blob.h, as deadfall-map compile writes them). Called by the server before a match, by the window's title, and
// by deadfall-map. Every file is hostile.
#ifndef MAP_TILED_MAP_FILE_H
#define MAP_TILED_MAP_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "tiled.h"

/// Finds the file of a map. A name with a '/' or a '.' is a path already. Any other name is looked up as NAME.tmj in
/// $DEADFALL_MAP_DIR, in maps/ beside the running program, in ../share/deadfall/maps from there, then in the installed
/// maps. Returns false with an empty `path` if there is none, or the path is longer than `path_bytes` - 1.
bool map_file_find(const char *name, char *path, size_t path_bytes);

/// Fills `map` from the file. Returns false with an error if anything is wrong, its code an enum tiled_fault; do not
/// use `map` then.
bool map_file_read(const char *path, struct map *map, struct error *error);

#endif
