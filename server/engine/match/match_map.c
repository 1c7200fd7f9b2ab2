// SPDX-License-Identifier: MIT
#include "match_map.h"

#include "sync/game.h"

void match_map_begin(struct match_map *prepared, const struct map *map)
{
    atomic_store(&prepared->has_nav_graph, false);
    prepared->map = *map;
    prepared->hash = map_hash(map);
    prepared->blob_bytes = (uint32_t)map_blob_encode(map, prepared->blob, sizeof prepared->blob);
    content_hash(prepared->blob, prepared->blob_bytes, prepared->address);
}

void match_map_build_nav_graph(struct match_map *prepared)
{
    if (atomic_load(&prepared->has_nav_graph))
        return;
    game_prepare_bots(&prepared->nav_graph, &prepared->map);
    atomic_store(&prepared->has_nav_graph, true);
}

const struct nav_graph *match_map_nav_graph(const struct match_map *prepared)
{
    return atomic_load(&prepared->has_nav_graph) ? &prepared->nav_graph : NULL;
}
