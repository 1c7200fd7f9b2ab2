// SPDX-License-Identifier: MIT
#include "map_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/disk.h"
#include "base/platform/process.h"
#include "map/map_blob.h"

static const char MAGIC[] = "DFM";

// Returns the path of a folder beside the running program, or after 2 cuts beside the program's folder, so that a
// program can be moved together with its maps. NULL if there is none.
static const char *folder_near_program(char folder[FILE_PATH_BYTES], int cuts, const char *within)
{
    char program[FILE_PATH_BYTES];
    if (!process_path(program, sizeof program))
        return NULL;
    for (; cuts > 0; cuts--) {
        char *slash = strrchr(program, '/');
        if (!slash)
            return NULL;
        *slash = 0;
    }
    int length = snprintf(folder, FILE_PATH_BYTES, "%s%s", program, within);
    return length >= 0 && length < FILE_PATH_BYTES ? folder : NULL;
}

static bool look_everywhere(char *path, size_t path_bytes, const char *name)
{
    char beside[FILE_PATH_BYTES], above[FILE_PATH_BYTES];
    const char *folders[] = {
        getenv("DEADFALL_MAP_DIR"),
        folder_near_program(beside, 1, "/maps"),
        folder_near_program(above, 2, "/share/deadfall/maps"),
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
