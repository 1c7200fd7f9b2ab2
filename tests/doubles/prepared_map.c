// SPDX-License-Identifier: MIT
#include "prepared_map.h"

#include <string.h>

const struct match_map *prepared_map(const struct map *map)
{
    static struct match_map maps[2];
    static uint32_t newest;
    for (uint32_t i = 0; i < 2; i++)
        if (memcmp(&maps[i].map, map, sizeof *map) == 0) {
            newest = i;
            return &maps[i];
        }
    newest = 1 - newest;
    match_map_begin(&maps[newest], map);
    match_map_build_nav_graph(&maps[newest]);
    return &maps[newest];
}
