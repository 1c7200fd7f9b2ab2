// SPDX-License-Identifier: MIT
//
// Writes the list of bans to its file whenever it has changed. The worker does it from a copy, so that a slow disk
// holds nothing up; of several changes meanwhile, one more writing keeps all.
#ifndef ADMIN_BAN_FILE_H
#define ADMIN_BAN_FILE_H

#include "ban_list.h"
#include "lifecycle/answers.h"
#include "lifecycle/worker.h"

/// About 180 KB: keep it static. Set the first five fields, zero the rest.
struct ban_file {
    struct worker_job job;
    struct worker *worker; ///< null: written at once
    const char *path;
    const struct ban_list *bans;
    int64_t (*unix_time)(void);
    struct answers writings; ///< one keeps all that was asked for before it
    uint64_t begun;          ///< number of the newest request that the present writing keeps
    int fault;               ///< its errno; 0: it succeeded
    int64_t copied_s;        ///< when `copy` was made
    struct ban_list copy;
};

/// Asks that the bans be written as they are now, or as they are later. Returns the number of the request.
uint64_t ban_file_save(struct ban_file *file);

/// Takes the outcome of a writing, and begins the next. Call between ticks.
void ban_file_update(struct ban_file *file);

#endif
