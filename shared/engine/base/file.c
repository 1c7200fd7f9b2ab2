// SPDX-License-Identifier: MIT
#include "file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/disk.h"
#include "platform/process.h"

#define LOAD_BYTES_FIRST 4096u

static bool read_open(int file, void *bytes, size_t capacity, size_t *byte_count)
{
    uint8_t more;
    int64_t count = disk_read(file, bytes, capacity);
    int64_t beyond = count == (int64_t)capacity ? disk_read(file, &more, 1) : 0;
    if (count < 0 || beyond < 0)
        return false;
    *byte_count = (size_t)count;
    errno = EFBIG;
    return beyond == 0;
}

bool file_read(const char *path, void *bytes, size_t capacity, size_t *byte_count)
{
    *byte_count = 0;
    int file = disk_open(path, DISK_READ, 0);
    if (file < 0)
        return false;
    bool good = read_open(file, bytes, capacity, byte_count);
    disk_close_quietly(file);
    return good;
}

bool file_read_regular(const char *path, void *bytes, size_t capacity, size_t *byte_count)
{
    struct disk_facts facts;
    *byte_count = 0;
    int file = disk_open(path, DISK_READ_AT_ONCE, 0);
    if (file < 0)
        return false;
    bool good = disk_look_at(file, &facts);
    if (good && facts.kind != DISK_FILE) {
        errno = EINVAL;
        good = false;
    }
    good = good && read_open(file, bytes, capacity, byte_count);
    disk_close_quietly(file);
    return good;
}

// Doubles the memory until the file fits, since the size of a pipe is not known before its end.
static uint8_t *load_open(int file, size_t byte_count_max, size_t *byte_count)
{
    uint8_t *bytes = NULL;
    size_t held = 0;
    for (size_t room = LOAD_BYTES_FIRST;; room *= 2) {
        room = room > byte_count_max ? byte_count_max + 1 : room;
        uint8_t *more = realloc(bytes, room + 1);
        int64_t count = more ? disk_read(file, more + held, room - held) : -1;
        bytes = more ? more : bytes;
        if (count < 0)
            break;
        held += (size_t)count;
        if (held > byte_count_max) {
            errno = EFBIG;
            break;
        }
        if (held < room) {
            bytes[held] = 0;
            *byte_count = held;
            return bytes;
        }
    }
    free(bytes);
    return NULL;
}

uint8_t *file_load(const char *path, size_t byte_count_max, size_t *byte_count)
{
    *byte_count = 0;
    int file = disk_open(path, DISK_READ, 0);
    if (file < 0)
        return NULL;
    uint8_t *bytes = load_open(file, byte_count_max, byte_count);
    disk_close_quietly(file);
    return bytes;
}

bool file_write_all(int file, const void *bytes, size_t byte_count)
{
    for (size_t done = 0; done < byte_count;) {
        int64_t count = disk_write(file, (const uint8_t *)bytes + done, byte_count - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        done += (size_t)count;
    }
    return true;
}

bool file_place(const char *fresh, const char *path)
{
    return disk_move(fresh, path) && disk_sync_folder_of(path);
}

static bool write_synced(const char *path, uint32_t permissions, const void *bytes, size_t byte_count)
{
    int file = disk_open(path, DISK_REPLACE | DISK_NO_LINK, permissions);
    if (file < 0)
        return false;
    // The umask may have taken away what others may do.
    bool good = (permissions == DISK_OWNER || disk_permit(file, permissions)) &&
                file_write_all(file, bytes, byte_count) && disk_sync(file);
    int reason = errno;
    if (!disk_close(file) && good)
        return false;
    errno = reason;
    return good;
}

// With the process number two programs that write the same file at once do not write into each other's.
static bool fresh_name(const char *path, char fresh[FILE_PATH_BYTES])
{
    if (snprintf(fresh, FILE_PATH_BYTES, "%s.new.%ld", path, process_id()) < FILE_PATH_BYTES)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

static bool replace(const char *path, uint32_t permissions, const void *bytes, size_t byte_count)
{
    char fresh[FILE_PATH_BYTES];
    if (!fresh_name(path, fresh))
        return false;
    bool good = write_synced(fresh, permissions, bytes, byte_count) && file_place(fresh, path);
    if (!good)
        disk_remove_quietly(fresh);
    return good;
}

bool file_write(const char *path, const void *bytes, size_t byte_count)
{
    return replace(path, DISK_OWNER, bytes, byte_count);
}

bool file_write_public(const char *path, const void *bytes, size_t byte_count)
{
    return replace(path, DISK_PUBLIC, bytes, byte_count);
}

bool file_create(const char *path, const void *bytes, size_t byte_count)
{
    char fresh[FILE_PATH_BYTES];
    if (!fresh_name(path, fresh))
        return false;
    bool good =
        write_synced(fresh, DISK_OWNER, bytes, byte_count) && disk_move_new(fresh, path) && disk_sync_folder_of(path);
    disk_remove_quietly(fresh);
    return good;
}

int file_open_new(char *path, size_t path_bytes, const char *suffix)
{
    char stem[FILE_PATH_BYTES], folder[FILE_PATH_BYTES], number_text[16] = "";
    const char *slash = strrchr(path, '/');
    snprintf(stem, sizeof stem, "%s", path);
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    if (!disk_make_folder(folder, DISK_PUBLIC_FOLDER) && errno != EEXIST)
        return -1;
    for (int number = 2;; number++) {
        if (snprintf(path, path_bytes, "%s%s%s", stem, number_text, suffix) >= (int)path_bytes) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int file = disk_open(path, DISK_CREATE, DISK_PUBLIC);
        if (file >= 0 || errno != EEXIST || number == 1000)
            return file;
        snprintf(number_text, sizeof number_text, "-%d", number);
    }
}

bool file_near_program(char path[FILE_PATH_BYTES], bool above, const char *within)
{
    char program[FILE_PATH_BYTES];
    if (!process_path(program, sizeof program))
        return false;
    for (int cuts = above ? 2 : 1; cuts > 0; cuts--) {
        char *slash = strrchr(program, '/');
        if (!slash)
            return false;
        *slash = 0;
    }
    int length = snprintf(path, FILE_PATH_BYTES, "%s%s", program, within);
    return length >= 0 && length < FILE_PATH_BYTES;
}

void file_make_folders(const char *path)
{
    char folder[FILE_PATH_BYTES];
    if (strlen(path) >= sizeof folder)
        return;
    strcpy(folder, path);
    for (char *slash = folder; *slash && (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        disk_make_folder(folder, DISK_OWNER_FOLDER);
        *slash = '/';
    }
}

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

bool file_in_state_dir(const char *given, char *(*environment)(const char *name), const char *file, char *path,
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

bool file_cache_folder(char *(*environment)(const char *name), const char *folder, char *path, size_t path_bytes)
{
    struct parent parents[] = {
        {environment("XDG_CACHE_HOME"), "/deadfall"},
        {environment("LOCALAPPDATA"), "/deadfall/cache"},
        {environment("HOME"), "/.cache/deadfall"},
    };
    return below_first(parents, sizeof parents / sizeof *parents, folder, path, path_bytes);
}
