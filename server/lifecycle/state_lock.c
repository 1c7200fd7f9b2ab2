// SPDX-License-Identifier: MIT
#include "state_lock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/disk.h"
#include "base/platform/process.h"

// The process number that the holder has written; 0: none.
static long holder(int file)
{
    char text[24] = "";
    return disk_read_at(file, text, sizeof text - 1, 0) > 0 ? strtol(text, NULL, 10) : 0;
}

static void write_holder(int file)
{
    char text[24];
    int length = snprintf(text, sizeof text, "%ld\n", process_id());
    if (disk_cut(file, 0))
        file_write_all(file, text, (size_t)length); // on a full disk, the lock holds without a number
}

bool state_lock_take(const char *path, struct error *error)
{
    file_make_folders(path);
    int file = disk_open(path, DISK_UPDATE | DISK_NO_LINK, DISK_OWNER);
    if (file < 0)
        return error_set(error, "the state directory cannot be locked by %.400s: %s", path, strerror(errno));
    if (disk_lock(file)) {
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
    disk_close(file);
    return false;
}
