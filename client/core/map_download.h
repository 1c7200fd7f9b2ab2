// SPDX-License-Identifier: MIT
//
// The map of a match as it comes to a client: it is here already, or lies in the cache, or the server sends it in
// parts. Nothing is believed that does not have the announced address and hash. Called by the client when it is
// welcomed and for each part; never in a tick. Sends nothing itself.
#ifndef CORE_MAP_DOWNLOAD_H
#define CORE_MAP_DOWNLOAD_H

#include "map/map_blob.h"
#include "wire/message.h"

/// A map and the bytes that it was made of.
struct held_map {
    bool here;
    struct map map;
    uint8_t blob[MAP_BLOB_BYTES_MAX];
};

/// Zero-initialise, but for the first two.
struct map_download {
    struct held_map *held; ///< null: a light client's, that only counts what it is sent
    const char *cache;     ///< folder of maps that are kept; null or empty: none are
    uint32_t byte_count;   ///< of the announced blob
    uint32_t bytes_here;   ///< of it, sent by the server
    uint64_t hash;         ///< announced
    uint8_t address[MAP_ADDRESS_BYTES];
};

/// How far it is. The last three are the server's faults: the end.
enum map_download_result {
    MAP_DOWNLOAD_WAITS,     ///< parts are to come
    MAP_DOWNLOAD_DONE,      ///< the map is here
    MAP_DOWNLOAD_TOO_LARGE, ///< larger than any map may be
    MAP_DOWNLOAD_MISFIT,    ///< a part that does not follow the one before
    MAP_DOWNLOAD_DAMAGED,   ///< all parts, but not the map that was announced
};

/// A map is announced: looks for it here and in the cache.
enum map_download_result map_download_begin(struct map_download *fetch, const struct welcome_message *welcome);
/// Takes a part. Those that come although the map was found here change nothing: it waits.
enum map_download_result map_download_take(struct map_download *fetch, const struct map_part_message *part);
/// Whether all of the announced map is here.
bool map_download_is_done(const struct map_download *fetch);
/// What an answer means, for people.
const char *map_download_sentence(enum map_download_result answer);

#endif
