// SPDX-License-Identifier: MIT
#include "map_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "map/map_blob.h"

static const char MAGIC[] = "DFM";

// Makes "FOLDER/WITHIN/NAME.tmj". False if that is too long, or cannot be read.
static bool look(char *path, size_t path_bytes, const char *folder, const char *within, const char *name)
{
    int length = snprintf(path, path_bytes, "%s%s/%s.tmj", folder, within, name);
    return length >= 0 && (size_t)length < path_bytes && !access(path, R_OK);
}

// The folder of the running program, or the one above it: a program can be moved together with its maps.
static bool program_folder(char folder[FILE_PATH_BYTES], bool above)
{
    ssize_t length = readlink("/proc/self/exe", folder, FILE_PATH_BYTES);
    if (length <= 0 || length == FILE_PATH_BYTES)
        return false;
    folder[length] = 0;
    for (int cuts = above ? 2 : 1; cuts > 0; cuts--) {
        char *slash = strrchr(folder, '/');
        if (!slash)
            return false;
        *slash = 0;
    }
    return true;
}

static bool look_everywhere(char *path, size_t path_bytes, const char *name)
{
    const char *asked = getenv("DEADFALL_MAP_DIR");
    char program[FILE_PATH_BYTES];
    return (asked && look(path, path_bytes, asked, "", name)) ||
           (program_folder(program, false) && look(path, path_bytes, program, "/maps", name)) ||
           (program_folder(program, true) && look(path, path_bytes, program, "/share/deadfall/maps", name)) ||
           look(path, path_bytes, DEADFALL_MAPS_INSTALLED, "", name);
}

bool map_file_find(const char *name, char *path, size_t path_bytes)
{
    bool file = strpbrk(name, "/.");
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
