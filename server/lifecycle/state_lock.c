// SPDX-License-Identifier: MIT
#include "state_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"

// The process number that the holder has written; 0: none.
static long holder(int file)
{
    char text[24] = "";
    return pread(file, text, sizeof text - 1, 0) > 0 ? strtol(text, NULL, 10) : 0;
}

static void write_holder(int file)
{
    char text[24];
    int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    if (ftruncate(file, 0) != 0 || pwrite(file, text, (size_t)length, 0) != length)
        return; // on a full disk, the lock holds without a number
}

bool state_lock_take(const char *path, struct error *error)
{
    file_make_folders(path);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return error_set(error, "the state directory cannot be locked by %.400s: %s", path, strerror(errno));
    if (flock(file, LOCK_EX | LOCK_NB) == 0) {
        write_holder(file);
        return true; // the file stays open as long as the program runs
    }
    if (errno == EWOULDBLOCK)
        error_set(error,
                  "another server (process %ld) keeps its state here and holds %.400s; give this server another "
                  "--state-dir, or use --resume never to keep no state",
                  holder(file), path);
    else
        error_set(error, "the state directory cannot be locked by %.400s: %s", path, strerror(errno));
    close(file);
    return false;
}
