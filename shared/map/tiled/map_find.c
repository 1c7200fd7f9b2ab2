// SPDX-License-Identifier: MIT
#include "map_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER_BYTES 4096

static bool is_file_name(const char *name)
{
    return strpbrk(name, "/.");
}

// "FOLDER/WITHIN/NAME.tmj". False if it is too long, or nobody can read it.
static bool look(char *path, size_t path_bytes, const char *folder, const char *within, const char *name)
{
    int length = snprintf(path, path_bytes, "%s%s/%s.tmj", folder, within, name);
    return length >= 0 && (size_t)length < path_bytes && !access(path, R_OK);
}

// The folder of the running program, or that above it. Programs may lie anywhere, with their maps.
static bool program_folder(char folder[FOLDER_BYTES], bool above)
{
    ssize_t length = readlink("/proc/self/exe", folder, FOLDER_BYTES);
    if (length <= 0 || length == FOLDER_BYTES)
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
    char program[FOLDER_BYTES];
    return (asked && look(path, path_bytes, asked, "", name)) ||
           (program_folder(program, false) && look(path, path_bytes, program, "/maps", name)) ||
           (program_folder(program, true) && look(path, path_bytes, program, "/share/deadfall/maps", name)) ||
           look(path, path_bytes, DEADFALL_MAPS_INSTALLED, "", name);
}

bool map_find(const char *name, char *path, size_t path_bytes)
{
    bool file = is_file_name(name);
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
