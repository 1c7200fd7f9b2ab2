// SPDX-License-Identifier: MIT
#include "successor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_FILE 3

unsigned successor_take(char *(*environment)(const char *name), long self, int sockets[SUCCESSOR_SOCKETS])
{
    const char *process = environment("LISTEN_PID"), *files = environment("LISTEN_FDS");
    long count = process && files && strtol(process, NULL, 10) == self ? strtol(files, NULL, 10) : 0;
    unsetenv("LISTEN_PID"); // they are not for the children of this process
    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_FDNAMES");
    unsigned taken = 0;
    for (long i = 0; i < count && i < 64; i++) {
        int file = FIRST_FILE + (int)i;
        if (fcntl(file, F_SETFD, FD_CLOEXEC) != 0)
            continue;
        if (taken < SUCCESSOR_SOCKETS)
            sockets[taken++] = file;
        else
            close(file);
    }
    return taken;
}

bool successor_find(char *path, size_t path_bytes, struct error *error)
{
    static const char REPLACED[] = " (deleted)"; // what the kernel adds when another file has its name
    ssize_t length = readlink("/proc/self/exe", path, path_bytes - 1);
    if (length <= 0)
        return error_set(error, "the file of this program cannot be found: %s", strerror(errno));
    path[length] = 0;
    char *end = path + length - (sizeof REPLACED - 1);
    if (end > path && strcmp(end, REPLACED) == 0)
        *end = 0;
    return access(path, X_OK) == 0 || error_set(error, "%.400s cannot be run: %s", path, strerror(errno));
}

void successor_keep(const int sockets[SUCCESSOR_SOCKETS], int kept[SUCCESSOR_SOCKETS])
{
    for (size_t i = 0; i < SUCCESSOR_SOCKETS; i++)
        kept[i] = sockets[i] < 0 ? -1 : fcntl(sockets[i], F_DUPFD_CLOEXEC, 0);
}

void successor_run(const char *path, char **arguments, const int sockets[SUCCESSOR_SOCKETS], struct error *error)
{
    char process[24], files[24];
    int count = 0, moved[SUCCESSOR_SOCKETS];
    for (size_t i = 0; i < SUCCESSOR_SOCKETS; i++) // first out of the way: one may be where another has to go
        if (sockets[i] >= 0)
            moved[count++] = fcntl(sockets[i], F_DUPFD_CLOEXEC, FIRST_FILE + SUCCESSOR_SOCKETS);
    for (int i = 0; i < count; i++)
        dup2(moved[i], FIRST_FILE + i);
    snprintf(process, sizeof process, "%ld", (long)getpid());
    snprintf(files, sizeof files, "%d", count);
    setenv("LISTEN_PID", process, 1);
    setenv("LISTEN_FDS", files, 1);
    signal(SIGUSR2, SIG_IGN); // until the program has a handler for it
    execv(path, arguments);
    error_set(error, "%.400s cannot be run: %s", path, strerror(errno));
}
