// SPDX-License-Identifier: MIT
#include "map_download.h"

#include <string.h>

#include "map_cache.h"

static bool has_cache(const struct map_download *download)
{
    return download->target && download->cache && download->cache[0];
}

// Decodes the blob if it is the announced map. False if it is not.
static bool accept_blob(struct map_download *download)
{
    struct downloaded_map *target = download->target;
    uint8_t address[CONTENT_HASH_BYTES];
    content_hash(target->blob, download->byte_count, address);
    target->complete = memcmp(address, download->address, sizeof address) == 0 &&
                       map_blob_decode(&target->map, target->blob, download->byte_count) &&
                       map_hash(&target->map) == download->hash;
    return target->complete;
}

static enum map_download_result fail(struct error *error, const char *text)
{
    error_set(error, "%s", text);
    return MAP_DOWNLOAD_FAILED;
}

enum map_download_result map_download_begin(struct map_download *download, const struct welcome_message *welcome,
                                            struct error *error)
{
    struct downloaded_map *target = download->target;
    download->byte_count = welcome->map_blob_bytes;
    download->bytes_received = 0;
    download->hash = welcome->map_hash;
    memcpy(download->address, welcome->map_address, sizeof download->address);
    if (target)
        target->complete = target->complete && map_hash(&target->map) == download->hash;
    if (download->byte_count > MAP_BLOB_BYTES_MAX)
        return fail(error, "The server's map is larger than a map may be.");
    if (target && target->complete)
        return MAP_DOWNLOAD_DONE;
    if (has_cache(download) && map_cache_read(download->cache, download->address, target->blob, download->byte_count) &&
        accept_blob(download))
        return MAP_DOWNLOAD_DONE;
    return MAP_DOWNLOAD_PENDING;
}

enum map_download_result map_download_take(struct map_download *download, const struct map_part_message *part,
                                           struct error *error)
{
    struct downloaded_map *target = download->target;
    if (target && target->complete)
        return MAP_DOWNLOAD_PENDING; // it was under way when the map was found
    if (part->offset != download->bytes_received || part->count > download->byte_count - download->bytes_received)
        return fail(error, "The server sent parts of a map that do not fit together.");
    if (target)
        memcpy(target->blob + part->offset, part->bytes, part->count);
    download->bytes_received += part->count;
    if (download->bytes_received < download->byte_count)
        return MAP_DOWNLOAD_PENDING;
    if (target && !accept_blob(download))
        return fail(error, "The server sent a map that is damaged, or not the one that it announced.");
    if (has_cache(download) && download->kept++ < MAP_DOWNLOAD_KEPT_MAX)
        map_cache_write(download->cache, download->address, target->blob, download->byte_count);
    return MAP_DOWNLOAD_DONE;
}

bool map_download_is_done(const struct map_download *download)
{
    return download->target ? download->target->complete : download->bytes_received == download->byte_count;
}
