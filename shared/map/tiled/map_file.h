// SPDX-License-Identifier: MIT
//
// Reads a map from a file, whichever of its two forms it has: Tiled's (.tmj) or compiled (the bytes of wire/map_blob.h,
// as deadfall-map compile writes them). Called by the server at start and by deadfall-map. Every file is hostile.
#ifndef MAP_TILED_MAP_FILE_H
#define MAP_TILED_MAP_FILE_H

#include "base/error.h"
#include "tiled.h"

/// Fills `map` from the file. False with `error` set if anything is wrong; `map` is then not to be used.
bool map_file_read(const char *path, struct map *map, struct error *error);

#endif
