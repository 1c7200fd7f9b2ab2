// SPDX-License-Identifier: MIT
//
// A map with all that a match needs of it: its bytes for joining clients, their hashes, and the navigation graph of the
// bots. The graph takes longer than a tick, so a server computes it on another thread; matches only read the result.
#ifndef MATCH_MATCH_MAP_H
#define MATCH_MATCH_MAP_H

#include <stdatomic.h>

#include "net/content_hash.h"
#include "sync/world.h"

/// 4 MB, of which most maps touch a sixth: allocate it once, zeroed.
struct match_map {
    struct map map;
    uint64_t hash;                       ///< map_hash()
    uint32_t blob_bytes;                 ///< of `blob`
    uint8_t address[CONTENT_HASH_BYTES]; ///< content_hash() of the blob
    uint8_t blob[MAP_BLOB_BYTES_MAX];
    atomic_bool has_nav_graph; ///< set when `nav_graph` is complete
    struct nav_graph nav_graph;
};

/// Begins with a valid map (copied): everything but the graph. Takes less than a millisecond.
void match_map_begin(struct match_map *prepared, const struct map *map);

/// Computes the graph, unless there is one. Takes 35 to 90 ms. Matches on this map may run on another thread.
void match_map_build_nav_graph(struct match_map *prepared);

/// Returns the graph; null: it is not complete yet.
const struct nav_graph *match_map_nav_graph(const struct match_map *prepared);

#endif
