// SPDX-License-Identifier: MIT
#include "map_cache.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/disk.h"

#define NAME_LETTERS (2 * CONTENT_HASH_BYTES)

static bool path_of(const char *folder, const uint8_t address[CONTENT_HASH_BYTES], char path[FILE_PATH_BYTES])
{
    char name[NAME_LETTERS + 1];
    for (size_t i = 0; i < CONTENT_HASH_BYTES; i++)
        snprintf(name + 2 * i, 3, "%02x", address[i]);
    return snprintf(path, FILE_PATH_BYTES, "%s/%s", folder, name) < FILE_PATH_BYTES;
}

bool map_cache_read(const char *folder, const uint8_t address[CONTENT_HASH_BYTES], uint8_t *blob, size_t byte_count)
{
    char path[FILE_PATH_BYTES];
    uint8_t found[CONTENT_HASH_BYTES];
    size_t count;
    if (!path_of(folder, address, path))
        return false;
    if (file_read_regular(path, blob, byte_count, &count) && count == byte_count) {
        content_hash(blob, byte_count, found);
        if (memcmp(found, address, sizeof found) == 0) {
            disk_touch(path); // used now
            return true;
        }
    }
    disk_remove(path);
    return false;
}

// Returns whether a file is named after a content hash, complete or half written. No other file is ever removed.
static bool is_map(const char *name)
{
    return strspn(name, "0123456789abcdef") == NAME_LETTERS;
}

// Counts the maps and finds the one that was used longest ago.
static uint32_t count_maps(const char *folder, char oldest[FILE_PATH_BYTES])
{
    uint32_t count = 0;
    int64_t least_ns = 0;
    struct disk_list *list = disk_list_open(folder);
    for (const char *name; (name = disk_list_next(list));) {
        char path[FILE_PATH_BYTES];
        struct disk_facts facts;
        if (!is_map(name) || snprintf(path, sizeof path, "%s/%s", folder, name) >= FILE_PATH_BYTES ||
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

void map_cache_write(const char *folder, const uint8_t address[CONTENT_HASH_BYTES], const uint8_t *blob,
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
