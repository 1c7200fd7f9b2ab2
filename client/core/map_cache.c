// SPDX-License-Identifier: MIT
#include "map_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define NAME_LETTERS (2 * CONTENT_HASH_BYTES)

static bool path_of(const char *folder, const uint8_t address[CONTENT_HASH_BYTES], char path[PATH_MAX])
{
    char name[NAME_LETTERS + 1];
    for (size_t i = 0; i < CONTENT_HASH_BYTES; i++)
        snprintf(name + 2 * i, 3, "%02x", address[i]);
    return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
}

bool map_cache_read(const char *folder, const uint8_t address[CONTENT_HASH_BYTES], uint8_t *blob, size_t byte_count)
{
    char path[PATH_MAX];
    uint8_t found[CONTENT_HASH_BYTES];
    size_t count;
    if (!path_of(folder, address, path))
        return false;
    if (file_read_regular(path, blob, byte_count, &count) && count == byte_count) {
        content_hash(blob, byte_count, found);
        if (memcmp(found, address, sizeof found) == 0) {
            utimensat(AT_FDCWD, path, NULL, 0); // used now
            return true;
        }
    }
    unlink(path);
    return false;
}

// Returns whether a file is named after a content hash, complete or half written. No other file is ever removed.
static bool is_map(const char *name)
{
    return strspn(name, "0123456789abcdef") == NAME_LETTERS;
}

// Counts the maps and finds the one that was used longest ago.
static uint32_t count_maps(const char *folder, char oldest[PATH_MAX])
{
    uint32_t count = 0;
    struct timespec least = {0};
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        struct stat status;
        if (!is_map(entry->d_name) || fstatat(dirfd(directory), entry->d_name, &status, 0) != 0)
            continue;
        bool older = status.st_mtim.tv_sec < least.tv_sec ||
                     (status.st_mtim.tv_sec == least.tv_sec && status.st_mtim.tv_nsec < least.tv_nsec);
        if (count++ == 0 || older) {
            least = status.st_mtim;
            snprintf(oldest, PATH_MAX, "%s/%.255s", folder, entry->d_name);
        }
    }
    if (directory)
        closedir(directory);
    return count;
}

void map_cache_write(const char *folder, const uint8_t address[CONTENT_HASH_BYTES], const uint8_t *blob,
                     size_t byte_count)
{
    char path[PATH_MAX], oldest[PATH_MAX];
    if (!path_of(folder, address, path))
        return;
    file_make_folders(path);
    for (uint32_t tries = 0; tries < MAP_CACHE_CAPACITY && count_maps(folder, oldest) >= MAP_CACHE_CAPACITY; tries++)
        unlink(oldest);
    file_write(path, blob, byte_count); // a map that cannot be kept is downloaded again
}
