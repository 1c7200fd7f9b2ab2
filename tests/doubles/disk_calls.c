// SPDX-License-Identifier: MIT
#include "disk_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct disk_calls disk_calls;

static pthread_t watched;
static bool watching;

int __real_open(const char *path, int flags, ...);
ssize_t __real_write(int file, const void *bytes, size_t count);
int __real_fsync(int file);
int __real_rename(const char *from, const char *to);
int __real_close(int file);
int __wrap_open(const char *path, int flags, ...);
ssize_t __wrap_write(int file, const void *bytes, size_t count);
int __wrap_fsync(int file);
int __wrap_rename(const char *from, const char *to);
int __wrap_close(int file);

void disk_calls_begin(void)
{
    disk_calls = (struct disk_calls){.made = ""};
    watched = pthread_self();
    watching = true;
}

// Records a call. Returns whether it must fail.
static bool note(char kind)
{
    if (!watching || !pthread_equal(watched, pthread_self()))
        return false;
    size_t used = strlen(disk_calls.made);
    if (kind != 'o' && kind != 'c' && used + 1 < sizeof disk_calls.made)
        disk_calls.made[used] = kind;
    if (disk_calls.refused != kind)
        return false;
    errno = disk_calls.reason;
    return true;
}

static bool has_type(int file, mode_t type)
{
    struct stat status;
    return fstat(file, &status) == 0 && (status.st_mode & S_IFMT) == type;
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return flags & O_CREAT && note('o') ? -1 : __real_open(path, flags, mode);
}

ssize_t __wrap_write(int file, const void *bytes, size_t count)
{
    return has_type(file, S_IFREG) && note('w') ? -1 : __real_write(file, bytes, count);
}

int __wrap_fsync(int file)
{
    return note(has_type(file, S_IFDIR) ? 'd' : 's') ? -1 : __real_fsync(file);
}

int __wrap_rename(const char *from, const char *to)
{
    return note('r') ? -1 : __real_rename(from, to);
}

// A file is closed even if close() fails, as in Linux.
int __wrap_close(int file)
{
    bool fails = has_type(file, S_IFREG) && note('c');
    int outcome = __real_close(file);
    if (!fails)
        return outcome;
    errno = disk_calls.reason;
    return -1;
}
