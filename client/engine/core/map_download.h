// SPDX-License-Identifier: MIT
//
// Gets the map of a match to a client: it is here already, or in the cache, or the server sends it in parts. A map is
// accepted only if it has the announced content hash and map hash. Called by the client for a welcome and for each
// part; never in a tick. Sends nothing itself.
#ifndef CORE_MAP_DOWNLOAD_H
#define CORE_MAP_DOWNLOAD_H

#include "base/error.h"
#include "net/crypto/identity.h"
#include "sync/world.h"
#include "wire/message.h"

/// Maps of one client that are put into the cache: a server cannot write files without end.
#define MAP_DOWNLOAD_KEPT_MAX 16

/// A map and the bytes that it was made of.
struct downloaded_map {
    bool complete;
    struct map map;
    uint8_t blob[MAP_BLOB_BYTES_MAX];
};

/// Zero-initialise, but for the first two.
struct map_download {
    struct downloaded_map *target; ///< null for a light client, which only counts bytes
    const char *cache;             ///< folder of cached maps; null or empty: none
    uint32_t byte_count;           ///< of the announced blob
    uint32_t bytes_received;       ///< of it, from the server
    uint32_t kept;                 ///< maps that were put into the cache
    uint64_t hash;                 ///< announced
    uint8_t address[MAP_ADDRESS_BYTES];
};

/// How far a download is.
enum map_download_result {
    MAP_DOWNLOAD_PENDING, ///< parts are still to come
    MAP_DOWNLOAD_DONE,    ///< the map is here
    MAP_DOWNLOAD_FAILED,  ///< the server's fault; the error says which
};

/// Begins the download of an announced map: looks for it here and in the cache.
enum map_download_result map_download_begin(struct map_download *download, const struct welcome_message *welcome,
                                            struct error *error);
/// Takes a part. Parts that arrive after the map was found here change nothing and return MAP_DOWNLOAD_PENDING.
enum map_download_result map_download_take(struct map_download *download, const struct map_part_message *part,
                                           struct error *error);
/// Returns whether all of the announced map is here.
bool map_download_is_done(const struct map_download *download);

// --- the cache: a folder of maps that servers sent, so that they need not be sent again. A map's file is named after
// the content hash of its blob and is used only if its bytes have that hash. Bounded: the map that was used longest ago
// is removed. Every failure here only means that a map is downloaded.

/// Maps kept.
#define MAP_CACHE_CAPACITY 64

/// Reads the blob of this content hash and size. False if it is missing or damaged; a damaged file is removed.
bool map_download_cache_read(const char *folder, const uint8_t address[CONTENT_HASH_BYTES], uint8_t *blob,
                             size_t byte_count);
/// Keeps a blob, whole or not at all.
void map_download_cache_write(const char *folder, const uint8_t address[CONTENT_HASH_BYTES], const uint8_t *blob,
                              size_t byte_count);

#endif
