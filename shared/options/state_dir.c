// SPDX-License-Identifier: MIT
#include "state_dir.h"

#include <stdio.h>

bool state_dir_file(const char *given, char *(*environment)(const char *name), const char *file, char *path,
                    size_t path_bytes)
{
    const struct {
        const char *folder, *below;
    } places[] = {
        {given, ""},
        {environment("STATE_DIRECTORY"), ""},
        {environment("XDG_STATE_HOME"), "/deadfall"},
        {environment("HOME"), "/.local/state/deadfall"},
    };
    path[0] = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (!places[i].folder || !places[i].folder[0])
            continue;
        int length = snprintf(path, path_bytes, "%s%s/%s", places[i].folder, places[i].below, file);
        if (length > 0 && (size_t)length < path_bytes)
            return true;
        path[0] = 0;
        return false;
    }
    return false;
}
