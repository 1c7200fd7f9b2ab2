// SPDX-License-Identifier: MIT
#include "live_folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/platform/disk.h"

#define PATH_BYTES 1200
#define MIB        ((uint64_t)1 << 20)

static bool refuse(const char *folder, const char *why, struct error *error)
{
    return error_set(error, "cannot publish into %.500s: %s", folder, why);
}

// Whether the index.json of a folder, if it has one, is that of a live stream.
static bool is_own(const char *folder)
{
    char path[PATH_BYTES], begin[sizeof LIVE_FOLDER_INDEX_BEGIN] = "";
    snprintf(path, sizeof path, "%.1000s/" LIVE_FOLDER_INDEX, folder);
    FILE *file = fopen(path, "re");
    if (!file)
        return errno == ENOENT;
    size_t byte_count = fread(begin, 1, sizeof begin - 1, file);
    fclose(file);
    return byte_count == sizeof begin - 1 && strcmp(begin, LIVE_FOLDER_INDEX_BEGIN) == 0;
}

static bool check_place(const char *folder, uint64_t least_bytes, struct error *error)
{
    char why[128];
    struct disk_room disk;
    if (!disk_can_create(folder))
        return refuse(folder, strerror(errno), error);
    if (!is_own(folder))
        return refuse(folder, "its " LIVE_FOLDER_INDEX " belongs to something else; choose a folder of its own", error);
    uint64_t room = disk_find_room(folder, &disk) ? disk.available_bytes : UINT64_MAX;
    snprintf(why, sizeof why, "its disk has %u MiB left, and %u are needed", (unsigned)(room / MIB),
             (unsigned)(least_bytes / MIB));
    return room >= least_bytes || refuse(folder, why, error);
}

bool live_folder_check(const char *folder, uint64_t least_bytes, struct error *error)
{
    bool made = disk_make_folder(folder, DISK_PUBLIC_FOLDER);
    if (!made && errno != EEXIST)
        return refuse(folder, strerror(errno), error);
    bool good = check_place(folder, least_bytes, error);
    if (made)
        disk_remove_folder(folder);
    return good;
}

// The names of files are of digits up to their ending, so nothing else goes.
static void clear(const char *folder, struct disk_list *names)
{
    static const char *const ENDINGS[] = {LIVE_FOLDER_HEAD, LIVE_FOLDER_CHUNK, LIVE_FOLDER_HEAD LIVE_FOLDER_FRESH,
                                          LIVE_FOLDER_CHUNK LIVE_FOLDER_FRESH};
    char path[PATH_BYTES];
    for (const char *name; (name = disk_list_next(names));) {
        const char *ending = name + strspn(name, "0123456789-");
        snprintf(path, sizeof path, "%.1000s/%.150s", folder, name);
        for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++)
            if (ending > name && strcmp(ending, ENDINGS[i]) == 0)
                disk_remove(path);
    }
}

int live_folder_open(const char *folder, struct error *error)
{
    if (!disk_make_folder(folder, DISK_PUBLIC_FOLDER) && errno != EEXIST) {
        refuse(folder, strerror(errno), error);
        return -1;
    }
    if (!check_place(folder, 0, error))
        return -1;
    int lock = disk_lock_folder(folder);
    struct disk_list *names = lock >= 0 ? disk_list_open(folder) : NULL;
    if (names) {
        clear(folder, names);
        disk_list_close(names);
        return lock;
    }
    refuse(folder, lock < 0 && errno == EWOULDBLOCK ? "another server publishes there" : strerror(errno), error);
    if (lock >= 0)
        disk_close(lock);
    return -1;
}
