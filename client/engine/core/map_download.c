// SPDX-License-Identifier: MIT
#include "map_download.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/disk.h"

// --- the cache

#define NAME_LETTERS (2 * CONTENT_HASH_BYTES)

static bool path_of(const char *folder, const uint8_t address[CONTENT_HASH_BYTES], char path[FILE_PATH_BYTES])
{
    char name[NAME_LETTERS + 1];
    for (size_t i = 0; i < CONTENT_HASH_BYTES; i++)
        snprintf(name + 2 * i, 3, "%02x", address[i]);
    return snprintf(path, FILE_PATH_BYTES, "%s/%s", folder, name) < FILE_PATH_BYTES;
}

bool map_download_cache_read(const char *folder, const uint8_t address[CONTENT_HASH_BYTES], uint8_t *blob,
                             size_t byte_count)
{
    char path[FILE_PATH_BYTES];
    uint8_t found[CONTENT_HASH_BYTES];
    size_t count;
    if (!path_of(folder, address, path))
        return false;
    if (file_read_regular(path, blob, byte_count, &count) && count == byte_count) {
        identity_of_content(blob, byte_count, found);
        if (memcmp(found, address, sizeof found) == 0) {
            disk_touch(path); // used now
            return true;
        }
    }
    disk_remove(path);
    return false;
}

// Counts the maps and finds the one that was used longest ago. A map's file, complete or half written, is named after a
// content hash. No other file is ever removed.
static uint32_t count_maps(const char *folder, char oldest[FILE_PATH_BYTES])
{
    uint32_t count = 0;
    int64_t least_ns = 0;
    struct disk_list *list = disk_list_open(folder);
    for (const char *name; (name = disk_list_next(list));) {
        char path[FILE_PATH_BYTES];
        struct disk_facts facts;
        bool is_map = strspn(name, "0123456789abcdef") == NAME_LETTERS;
        if (!is_map || snprintf(path, sizeof path, "%s/%s", folder, name) >= FILE_PATH_BYTES ||
            !disk_look(path, &facts))
            continue;
        if (count++ == 0 || facts.modified_ns < least_ns) {
            least_ns = facts.modified_ns;
            memcpy(oldest, path, sizeof path);
        }
    }
    disk_list_close(list);
    return count;
}

void map_download_cache_write(const char *folder, const uint8_t address[CONTENT_HASH_BYTES], const uint8_t *blob,
                              size_t byte_count)
{
    char path[FILE_PATH_BYTES], oldest[FILE_PATH_BYTES];
    if (!path_of(folder, address, path))
        return;
    file_make_folders(path);
    for (uint32_t tries = 0; tries < MAP_CACHE_CAPACITY && count_maps(folder, oldest) >= MAP_CACHE_CAPACITY; tries++)
        disk_remove(oldest);
    file_write(path, blob, byte_count); // a map that cannot be kept is downloaded again
}

// --- the download

static bool has_cache(const struct map_download *download)
{
    return download->target && download->cache && download->cache[0];
}

// Decodes the blob if it is the announced map. False if it is not.
static bool accept_blob(struct map_download *download)
{
    struct downloaded_map *target = download->target;
    uint8_t address[CONTENT_HASH_BYTES];
    identity_of_content(target->blob, download->byte_count, address);
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
    if (has_cache(download) &&
        map_download_cache_read(download->cache, download->address, target->blob, download->byte_count) &&
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
        map_download_cache_write(download->cache, download->address, target->blob, download->byte_count);
    return MAP_DOWNLOAD_DONE;
}

bool map_download_is_done(const struct map_download *download)
{
    return download->target ? download->target->complete : download->bytes_received == download->byte_count;
}
