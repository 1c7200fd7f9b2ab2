// SPDX-License-Identifier: MIT
#include "map_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_file_name(const char *name)
{
    return strpbrk(name, "/.");
}

static bool print(char *path, size_t path_bytes, const char *folder, const char *name)
{
    int length =
        folder ? snprintf(path, path_bytes, "%s/%s.tmj", folder, name) : snprintf(path, path_bytes, "%s", name);
    return length >= 0 && (size_t)length < path_bytes;
}

bool map_find(const char *name, char *path, size_t path_bytes)
{
    if (is_file_name(name) && print(path, path_bytes, NULL, name)) {
        return true;
    }
    const char *folders[] = {getenv("DEADFALL_MAP_DIR"), DEADFALL_MAPS_INSTALLED, DEADFALL_MAPS_SOURCE};
    for (size_t i = 0; i < sizeof folders / sizeof *folders && !is_file_name(name); i++) {
        if (folders[i] && print(path, path_bytes, folders[i], name) && !access(path, R_OK)) {
            return true;
        }
    }
    path[0] = 0;
    return false;
}
