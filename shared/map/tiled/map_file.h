// SPDX-License-Identifier: MIT
//
// Reads a map from a file, in either of its two forms: Tiled's (.tmj) or compiled (the bytes of map_blob.h,
// as deadfall-map compile writes them). Called by the server at start and by deadfall-map. Every file is hostile.
#ifndef MAP_TILED_MAP_FILE_H
#define MAP_TILED_MAP_FILE_H

#include "base/error.h"
#include "tiled.h"

/// Fills `map` from the file. Returns false with `error` set if anything is wrong; do not use `map` then.
bool map_file_read(const char *path, struct map *map, struct error *error);

#endif
