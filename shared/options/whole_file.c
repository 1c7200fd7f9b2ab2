// SPDX-License-Identifier: MIT
#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool write_all(int file, const char *text, size_t text_bytes)
{
    for (size_t done = 0; done < text_bytes;) {
        ssize_t count = write(file, text + done, text_bytes - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        done += (size_t)count;
    }
    return true;
}

// Without this a rename may be lost with the machine's power. Some file systems cannot, and need not.
static bool sync_folder_of(const char *path)
{
    char folder[WHOLE_FILE_PATH_BYTES];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool good = fsync(file) == 0 || errno == EINVAL;
    close(file);
    return good;
}

bool whole_file_place(const char *fresh, const char *path)
{
    return rename(fresh, path) == 0 && sync_folder_of(path);
}

bool whole_file_write(const char *path, const char *text, size_t text_bytes)
{
    char fresh[WHOLE_FILE_PATH_BYTES];
    if ((size_t)snprintf(fresh, sizeof fresh, "%s.new", path) >= sizeof fresh) {
        errno = ENAMETOOLONG;
        return false;
    }
    int file = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return false;
    bool good = write_all(file, text, text_bytes) && fsync(file) == 0;
    int reason = errno;
    if (close(file) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good && whole_file_place(fresh, path))
        return true;
    reason = good ? errno : reason;
    unlink(fresh);
    errno = reason;
    return false;
}
