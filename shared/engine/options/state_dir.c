// SPDX-License-Identifier: MIT
#include "state_dir.h"

#include <stdio.h>

struct parent {
    const char *folder, *below;
};

// Makes the path below the first of these folders that is set.
static bool below_first(const struct parent *parents, size_t count, const char *name, char *path, size_t path_bytes)
{
    path[0] = 0;
    for (size_t i = 0; i < count; i++) {
        if (!parents[i].folder || !parents[i].folder[0])
            continue;
        int length = snprintf(path, path_bytes, "%s%s/%s", parents[i].folder, parents[i].below, name);
        if (length > 0 && (size_t)length < path_bytes)
            return true;
        path[0] = 0;
        return false;
    }
    return false;
}

bool state_dir_file(const char *given, char *(*environment)(const char *name), const char *file, char *path,
                    size_t path_bytes)
{
    struct parent parents[] = {
        {given, ""},
        {environment("STATE_DIRECTORY"), ""},
        {environment("XDG_STATE_HOME"), "/deadfall"},
        {environment("LOCALAPPDATA"), "/deadfall"},
        {environment("HOME"), "/.local/state/deadfall"},
    };
    return below_first(parents, sizeof parents / sizeof *parents, file, path, path_bytes);
}

bool state_dir_cache_folder(char *(*environment)(const char *name), const char *folder, char *path, size_t path_bytes)
{
    struct parent parents[] = {
        {environment("XDG_CACHE_HOME"), "/deadfall"},
        {environment("LOCALAPPDATA"), "/deadfall/cache"},
        {environment("HOME"), "/.cache/deadfall"},
    };
    return below_first(parents, sizeof parents / sizeof *parents, folder, path, path_bytes);
}
