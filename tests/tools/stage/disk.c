// SPDX-License-Identifier: MIT
//
// A late disk: each call that opens, makes, moves or removes a file on it, and each sync, takes a virtual while.
#include "stage.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void stage_disk(const char *path, uint64_t delay_us)
{
    if (!acts())
        return;
    snprintf(stage->disk.path, sizeof stage->disk.path, "%s", path);
    stage->disk.delay_ns = delay_us * 1000;
}

static void await_disk(const char *path)
{
    if (stage && stage->disk.delay_ns && acts() && strncmp(path, stage->disk.path, strlen(stage->disk.path)) == 0)
        sleep_until(after_ns(stage->disk.delay_ns), "the late disk");
}

static void await_disk_of(int file)
{
    if (!stage || !stage->disk.delay_ns || own_cage)
        return;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    await_disk(path);
}

#define MODE_OF(flags)                                                                                                 \
    __extension__({                                                                                                    \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;                                        \
        va_end(list);                                                                                                  \
        mode;                                                                                                          \
    })

int open(const char *path, int flags, ...)
{
    await_disk(path);
    return REAL(open)(path, flags, MODE_OF(flags));
}

int open64(const char *path, int flags, ...)
{
    await_disk(path);
    return REAL(open)(path, flags, MODE_OF(flags));
}

int openat(int folder, const char *path, int flags, ...)
{
    await_disk(path);
    return REAL(openat)(folder, path, flags, MODE_OF(flags));
}

FILE *fopen(const char *restrict path, const char *restrict mode)
{
    await_disk(path);
    return REAL(fopen)(path, mode);
}

FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    return fopen(path, mode);
}

int mkdir(const char *path, mode_t mode)
{
    await_disk(path);
    return REAL(mkdir)(path, mode);
}

int rename(const char *from, const char *to)
{
    await_disk(from);
    return REAL(rename)(from, to);
}

int unlink(const char *path)
{
    await_disk(path);
    return REAL(unlink)(path);
}

int fsync(int file)
{
    await_disk_of(file);
    return REAL(fsync)(file);
}

int fdatasync(int file)
{
    await_disk_of(file);
    return REAL(fdatasync)(file);
}
