// SPDX-License-Identifier: MIT
//
// A disk that is slow at everything, for LD_PRELOAD: while the file named by DEADFALL_SLOW_DISK exists, each call that
// opens, makes, moves or removes a file, and each sync, takes as many milliseconds as DEADFALL_SLOW_DISK_MS says.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void wait_for_disk(const char *path)
{
    const char *flag = getenv("DEADFALL_SLOW_DISK"), *text = getenv("DEADFALL_SLOW_DISK_MS");
    if (!flag || !text || access(flag, F_OK) != 0 || (path && strncmp(path, "/proc/", 6) == 0))
        return;
    long delay_ms = strtol(text, NULL, 10);
    nanosleep(&(struct timespec){delay_ms / 1000, delay_ms % 1000 * 1000000}, NULL);
}

// The function that this library stands before.
#define REAL(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    wait_for_disk(path);
    return REAL(open)(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    wait_for_disk(path);
    return REAL(fopen)(path, mode);
}

int mkdir(const char *path, mode_t mode)
{
    wait_for_disk(path);
    return REAL(mkdir)(path, mode);
}

int rename(const char *from, const char *to)
{
    wait_for_disk(from);
    return REAL(rename)(from, to);
}

int unlink(const char *path)
{
    wait_for_disk(path);
    return REAL(unlink)(path);
}

int fsync(int file)
{
    wait_for_disk(NULL);
    return REAL(fsync)(file);
}

int fdatasync(int file)
{
    wait_for_disk(NULL);
    return REAL(fdatasync)(file);
}
