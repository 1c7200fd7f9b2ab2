// SPDX-License-Identifier: MIT
#include "map_download.h"

#include <string.h>

#include "map_cache.h"

static bool has_cache(const struct map_download *fetch)
{
    return fetch->held && fetch->cache && fetch->cache[0];
}

/// Whether the bytes of the blob are the announced map; then it is here.
static bool hold(struct map_download *fetch)
{
    struct held_map *held = fetch->held;
    uint8_t address[CONTENT_HASH_BYTES];
    content_hash(held->blob, fetch->byte_count, address);
    held->here = memcmp(address, fetch->address, sizeof address) == 0 &&
                 map_blob_decode(&held->map, held->blob, fetch->byte_count) && map_hash(&held->map) == fetch->hash;
    return held->here;
}

enum map_download_result map_download_begin(struct map_download *fetch, const struct welcome_message *welcome)
{
    struct held_map *held = fetch->held;
    fetch->byte_count = welcome->map_blob_bytes;
    fetch->bytes_here = 0;
    fetch->hash = welcome->map_hash;
    memcpy(fetch->address, welcome->map_address, sizeof fetch->address);
    if (held)
        held->here = held->here && map_hash(&held->map) == fetch->hash;
    if (fetch->byte_count > MAP_BLOB_BYTES_MAX)
        return MAP_DOWNLOAD_TOO_LARGE;
    bool found = held && (held->here ||
                          (has_cache(fetch) &&
                           map_cache_read(fetch->cache, fetch->address, held->blob, fetch->byte_count) && hold(fetch)));
    return found ? MAP_DOWNLOAD_DONE : MAP_DOWNLOAD_WAITS;
}

enum map_download_result map_download_take(struct map_download *fetch, const struct map_part_message *part)
{
    struct held_map *held = fetch->held;
    if (held && held->here)
        return MAP_DOWNLOAD_WAITS; // it was under way when the map was found
    if (part->offset != fetch->bytes_here || part->count > fetch->byte_count - fetch->bytes_here)
        return MAP_DOWNLOAD_MISFIT;
    if (held)
        memcpy(held->blob + part->offset, part->bytes, part->count);
    fetch->bytes_here += part->count;
    if (fetch->bytes_here < fetch->byte_count)
        return MAP_DOWNLOAD_WAITS;
    if (held && !hold(fetch))
        return MAP_DOWNLOAD_DAMAGED;
    if (has_cache(fetch))
        map_cache_write(fetch->cache, fetch->address, held->blob, fetch->byte_count);
    return MAP_DOWNLOAD_DONE;
}

bool map_download_is_done(const struct map_download *fetch)
{
    return fetch->held ? fetch->held->here : fetch->bytes_here == fetch->byte_count;
}

const char *map_download_sentence(enum map_download_result answer)
{
    switch (answer) {
    case MAP_DOWNLOAD_WAITS:
        return "Fetching the map.";
    case MAP_DOWNLOAD_DONE:
        return "Waiting for the match.";
    case MAP_DOWNLOAD_TOO_LARGE:
        return "The server's map is larger than any map may be.";
    case MAP_DOWNLOAD_MISFIT:
        return "The server sent parts of a map that do not fit together.";
    case MAP_DOWNLOAD_DAMAGED:
        return "The map that the server sent is damaged, or not the one it announced.";
    }
    return "";
}
