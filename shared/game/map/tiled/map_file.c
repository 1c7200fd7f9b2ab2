// SPDX-License-Identifier: MIT
#include "map_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/disk.h"
#include "game/map/map_blob.h"

static const char MAGIC[] = "DFM";

static bool look_everywhere(char *path, size_t path_bytes, const char *name)
{
    char beside[FILE_PATH_BYTES], above[FILE_PATH_BYTES];
    const char *folders[] = {
        getenv("DEADFALL_MAP_DIR"),
        file_near_program(beside, false, "/maps") ? beside : NULL,
        file_near_program(above, true, "/share/deadfall/maps") ? above : NULL,
        DEADFALL_MAPS_INSTALLED,
    };
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        int length = folders[i] ? snprintf(path, path_bytes, "%s/%s.tmj", folders[i], name) : -1;
        if (length >= 0 && (size_t)length < path_bytes && disk_is_readable(path))
            return true;
    }
    return false;
}

bool map_file_find(const char *name, char *path, size_t path_bytes)
{
    bool file = strchr(name, '/') || strchr(name, '.');
    size_t length = strlen(name);
    if (file && length < path_bytes) {
        memcpy(path, name, length + 1);
        return true;
    }
    if (!file && look_everywhere(path, path_bytes, name))
        return true;
    path[0] = 0;
    return false;
}

// A file that cannot be read is left to tiled_read, which says why.
bool map_file_read(const char *path, struct map *map, struct error *error)
{
    uint8_t bytes[MAP_BLOB_BYTES_MAX];
    size_t count;
    bool whole = file_read_regular(path, bytes, sizeof bytes, &count);
    if (count < strlen(MAGIC) || memcmp(bytes, MAGIC, strlen(MAGIC)) != 0)
        return tiled_read(path, map, error);
    if (whole && map_blob_decode(map, bytes, count))
        return true;
    return error_set_code(error, TILED_VALUE,
                          "%.300s: is a damaged compiled map, or one of another version; compile it again", path);
}
