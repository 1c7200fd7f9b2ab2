// SPDX-License-Identifier: MIT
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOAD_BYTES_FIRST 4096u

// Closes and keeps errno, the reason why something failed before.
static void close_quietly(int file)
{
    int reason = errno;
    close(file);
    errno = reason;
}

// Reads until the end or until the memory is full; returns the bytes, or -1 with errno.
static ssize_t read_up_to(int file, uint8_t *bytes, size_t capacity)
{
    size_t done = 0;
    while (done < capacity) {
        ssize_t count = read(file, bytes + done, capacity - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return -1;
        if (count == 0)
            break;
        done += (size_t)count;
    }
    return (ssize_t)done;
}

static bool read_open(int file, void *bytes, size_t capacity, size_t *byte_count)
{
    uint8_t more;
    ssize_t count = read_up_to(file, bytes, capacity);
    ssize_t beyond = count == (ssize_t)capacity ? read_up_to(file, &more, 1) : 0;
    if (count < 0 || beyond < 0)
        return false;
    *byte_count = (size_t)count;
    errno = EFBIG;
    return beyond == 0;
}

bool file_read(const char *path, void *bytes, size_t capacity, size_t *byte_count)
{
    *byte_count = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool good = read_open(file, bytes, capacity, byte_count);
    close_quietly(file);
    return good;
}

bool file_read_regular(const char *path, void *bytes, size_t capacity, size_t *byte_count)
{
    struct stat status;
    *byte_count = 0;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return false;
    bool good = fstat(file, &status) == 0;
    if (good && !S_ISREG(status.st_mode)) {
        errno = EINVAL;
        good = false;
    }
    good = good && read_open(file, bytes, capacity, byte_count);
    close_quietly(file);
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
        ssize_t count = more ? read_up_to(file, more + held, room - held) : -1;
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
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    uint8_t *bytes = load_open(file, byte_count_max, byte_count);
    close_quietly(file);
    return bytes;
}

bool file_write_all(int file, const void *bytes, size_t byte_count)
{
    for (size_t done = 0; done < byte_count;) {
        ssize_t count = write(file, (const uint8_t *)bytes + done, byte_count - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        done += (size_t)count;
    }
    return true;
}

// Without this a power loss may undo a rename. Some file systems cannot do it, and need not.
static bool sync_folder_of(const char *path)
{
    char folder[FILE_PATH_BYTES];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool good = fsync(file) == 0 || errno == EINVAL;
    close_quietly(file);
    return good;
}

bool file_place(const char *fresh, const char *path)
{
    return rename(fresh, path) == 0 && sync_folder_of(path);
}

// A link fails if there is a file already; a rename would replace it.
static bool place_new(const char *fresh, const char *path)
{
    return link(fresh, path) == 0 && sync_folder_of(path);
}

static bool write_synced(const char *path, mode_t mode, const void *bytes, size_t byte_count)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
    if (file < 0)
        return false;
    // The umask may have taken away what others may do.
    bool good =
        (mode == 0600 || fchmod(file, mode) == 0) && file_write_all(file, bytes, byte_count) && fsync(file) == 0;
    int reason = errno;
    if (close(file) != 0 && good)
        return false;
    errno = reason;
    return good;
}

// With the process number two programs that write the same file at once do not write into each other's.
static bool fresh_name(const char *path, char fresh[FILE_PATH_BYTES])
{
    if (snprintf(fresh, FILE_PATH_BYTES, "%s.new.%ld", path, (long)getpid()) < FILE_PATH_BYTES)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

static void remove_quietly(const char *path)
{
    int reason = errno;
    unlink(path);
    errno = reason;
}

static bool replace(const char *path, mode_t mode, const void *bytes, size_t byte_count)
{
    char fresh[FILE_PATH_BYTES];
    if (!fresh_name(path, fresh))
        return false;
    bool good = write_synced(fresh, mode, bytes, byte_count) && file_place(fresh, path);
    if (!good)
        remove_quietly(fresh);
    return good;
}

bool file_write(const char *path, const void *bytes, size_t byte_count)
{
    return replace(path, 0600, bytes, byte_count);
}

bool file_write_public(const char *path, const void *bytes, size_t byte_count)
{
    return replace(path, 0644, bytes, byte_count);
}

bool file_create(const char *path, const void *bytes, size_t byte_count)
{
    char fresh[FILE_PATH_BYTES];
    if (!fresh_name(path, fresh))
        return false;
    bool good = write_synced(fresh, 0600, bytes, byte_count) && place_new(fresh, path);
    remove_quietly(fresh);
    return good;
}

int file_open_new(char *path, size_t path_bytes, const char *suffix)
{
    char stem[FILE_PATH_BYTES], folder[FILE_PATH_BYTES], number_text[16] = "";
    const char *slash = strrchr(path, '/');
    snprintf(stem, sizeof stem, "%s", path);
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    if (mkdir(folder, 0755) != 0 && errno != EEXIST)
        return -1;
    for (int number = 2;; number++) {
        if (snprintf(path, path_bytes, "%s%s%s", stem, number_text, suffix) >= (int)path_bytes) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (file >= 0 || errno != EEXIST || number == 1000)
            return file;
        snprintf(number_text, sizeof number_text, "-%d", number);
    }
}

void file_make_folders(const char *path)
{
    char folder[FILE_PATH_BYTES];
    if (strlen(path) >= sizeof folder)
        return;
    strcpy(folder, path);
    for (char *slash = folder; *slash && (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        mkdir(folder, 0700);
        *slash = '/';
    }
}
