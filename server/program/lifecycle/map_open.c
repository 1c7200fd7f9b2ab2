// SPDX-License-Identifier: MIT
#include "map_open.h"

#include <stdio.h>

#include "game/map/tiled/map_file.h"

bool map_open(const char *name, enum mode mode, struct map *map, struct error *error)
{
    char path[1024];
    if (!map_file_find(name, path, sizeof path))
        return error_set(
            error,
            "there is no map \"%.200s\" in $DEADFALL_MAP_DIR or among the game's own; give the name of a map or a file",
            name);
    if (!map_file_read(path, map, error))
        return false;
    const char *fault = mode_validate_map(mode, map);
    return !fault || error_set(error, "%.500s: %s", path, fault);
}
