// SPDX-License-Identifier: MIT
//
// The log of who gave the server which command, and with what result: one line each, appended by the worker, so that a
// slow disk holds nothing up. Each line opens the file, because it may have been moved away since the last. A file of
// 1 MiB is renamed to PATH.1 first; five such files are kept.
#ifndef ADMIN_AUDIT_LOG_H
#define ADMIN_AUDIT_LOG_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/log.h"
#include "lifecycle/worker.h"

/// Bytes of a line with its end.
#define AUDIT_LOG_LINE_BYTES 1500
/// Lines that may wait for the disk.
#define AUDIT_LOG_LINES 32

/// About 50 KB: keep it static. Zero-initialise; `path`, `log` and `worker` are the caller's to set.
struct audit_log {
    struct worker_job job;
    struct worker *worker; ///< null: lines are written at once
    const struct log *log; ///< for failures, each of which is logged once
    char path[1024];
    atomic_uint put, taken; ///< lines so far
    bool failed;            ///< the job's
    char lines[AUDIT_LOG_LINES][AUDIT_LOG_LINE_BYTES];
};

/// Appends a line without its end; cleans it. It is lost, and that is logged, if too many wait for the disk.
void audit_log_write(struct audit_log *audit, const char *line);

#endif
