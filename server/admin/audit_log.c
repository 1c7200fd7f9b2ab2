// SPDX-License-Identifier: MIT
#include "audit_log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/platform/disk.h"
#include "base/utf8.h"

#define FILE_BYTES (1 << 20) // then another file begins
#define FILES_KEPT 5         // besides the one that is written

// Once the file is large, it becomes PATH.1, that one PATH.2 and so on; the oldest is lost.
static void rotate(const char *path)
{
    char from[sizeof((struct audit_log *)0)->path + 16], to[sizeof from];
    struct disk_facts facts;
    if (!disk_look(path, &facts) || facts.byte_count < FILE_BYTES)
        return;
    for (int number = FILES_KEPT; number >= 1; number--) {
        snprintf(to, sizeof to, "%s.%d", path, number);
        if (number > 1)
            snprintf(from, sizeof from, "%s.%d", path, number - 1);
        else
            snprintf(from, sizeof from, "%s", path);
        disk_move(from, to);
    }
}

static bool append(const char *path, const char *line)
{
    size_t length = strlen(line);
    int file = disk_open(path, DISK_APPEND | DISK_NO_LINK, DISK_OWNER);
    if (file < 0)
        return false;
    int64_t written = disk_write(file, line, length);
    int reason = written >= 0 ? ENOSPC : errno;
    disk_close(file);
    errno = reason;
    return written == (int64_t)length;
}

static void run(struct worker_job *job)
{
    struct audit_log *audit = (struct audit_log *)job; // its first field
    for (; atomic_load(&audit->taken) != atomic_load(&audit->put); atomic_fetch_add(&audit->taken, 1)) {
        rotate(audit->path);
        bool kept = append(audit->path, audit->lines[atomic_load(&audit->taken) % AUDIT_LOG_LINES]);
        if (!kept && !audit->failed)
            log_write(audit->log, LOG_ERROR, "the audit log %s cannot be written: %s", audit->path, strerror(errno));
        audit->failed = !kept;
    }
}

void audit_log_write(struct audit_log *audit, const char *line)
{
    unsigned put = atomic_load(&audit->put);
    if (put - atomic_load(&audit->taken) == AUDIT_LOG_LINES) {
        log_write(audit->log, LOG_ERROR, "the audit log %s cannot keep up, and lacks this: %s", audit->path, line);
        return;
    }
    char *text = audit->lines[put % AUDIT_LOG_LINES];
    size_t length = utf8_clean(text, AUDIT_LOG_LINE_BYTES - 1, line, strlen(line));
    memcpy(text + length, "\n", 2);
    atomic_store(&audit->put, put + 1);
    audit->job.run = run;
    if (audit->worker)
        worker_ask(audit->worker, &audit->job);
    else
        run(&audit->job);
}
