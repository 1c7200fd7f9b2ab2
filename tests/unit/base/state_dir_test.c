// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/file.h"
#include "test.h"

static const char *systemd, *xdg, *windows, *home;

static char *environment(const char *name)
{
    const char *value = NULL;
    if (strcmp(name, "STATE_DIRECTORY") == 0)
        value = systemd;
    else if (strcmp(name, "XDG_STATE_HOME") == 0 || strcmp(name, "XDG_CACHE_HOME") == 0)
        value = xdg;
    else if (strcmp(name, "LOCALAPPDATA") == 0)
        value = windows;
    else if (strcmp(name, "HOME") == 0)
        value = home;
    return (char *)(uintptr_t)value;
}

TEST(the_first_named_folder_is_used)
{
    static const struct {
        const char *given, *systemd, *xdg, *windows, *home, *path;
    } rows[] = {
        /* 0 */ {"/g", "/s", "/x", "C:/w", "/h", "/g/key"},
        /* 1 */ {"", "/s", "/x", "C:/w", "/h", "/s/key"},
        /* 2 */ {"", NULL, "/x", "C:/w", "/h", "/x/deadfall/key"},
        /* 3 */ {"", "", "", "", "/h", "/h/.local/state/deadfall/key"},
        /* 4 */ {"", NULL, NULL, NULL, NULL, ""},
        /* 5 */ {"/a/folder/whose/name/is/longer/than/there/is/room", NULL, NULL, NULL, "/h", ""},
        /* 6 */ {"", NULL, NULL, "C:/w", "/h", "C:/w/deadfall/key"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[40];
        systemd = rows[i].systemd;
        xdg = rows[i].xdg;
        windows = rows[i].windows;
        home = rows[i].home;
        bool found = file_in_state_dir(rows[i].given, environment, "key", path, sizeof path);
        if (strcmp(path, rows[i].path) != 0 || found != (rows[i].path[0] != 0))
            fail_msg("row %zu: %s", i, path);
    }
}

TEST(the_cache_folder_is_separate_from_the_state_folder)
{
    static const char *const rows[][4] = {{"/x", NULL, "/h", "/x/deadfall/maps"},
                                          {NULL, "C:/w", "/h", "C:/w/deadfall/cache/maps"},
                                          {NULL, NULL, "/h", "/h/.cache/deadfall/maps"},
                                          {NULL, NULL, NULL, ""}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char path[40] = "";
        systemd = "/s";
        xdg = rows[i][0];
        windows = rows[i][1];
        home = rows[i][2];
        bool found = file_cache_folder(environment, "maps", path, sizeof path);
        if (found != (rows[i][3][0] != 0) || (found && strcmp(path, rows[i][3]) != 0))
            fail_msg("row %zu: %s", i, path);
    }
}
