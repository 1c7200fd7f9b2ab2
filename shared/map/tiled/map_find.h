// SPDX-License-Identifier: MIT
//
// Where the maps are: turns the value of --map, a name or a file, into the path of a .tmj. Called by the
// server and deadfall-map; opens nothing.
#ifndef MAP_TILED_MAP_FIND_H
#define MAP_TILED_MAP_FIND_H

#include <stdbool.h>
#include <stddef.h>

/// Puts the path of a map into `path`. What holds a '/' or a '.' is a file and is taken as it is; a name is
/// looked up as NAME.tmj in $DEADFALL_MAP_DIR, then from the running program on in maps/ beside it and in
/// ../share/deadfall/maps, then in the installed maps. False if there is none, or the path is longer than
/// `path_bytes` - 1; `path` then holds "".
bool map_find(const char *name, char *path, size_t path_bytes);

#endif
