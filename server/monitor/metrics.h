// SPDX-License-Identifier: MIT
//
// Writes the metrics of a server in Prometheus' text format. They contain no name, key or address of a player.
#ifndef MONITOR_METRICS_H
#define MONITOR_METRICS_H

#include <stdio.h>

#include "announcer.h"
#include "status_snapshot.h"

/// The resources that the process uses, from /proc.
struct metrics_process {
    uint64_t resident_bytes;
    double cpu_s;   ///< user and system time
    double start_s; ///< since 1970
    uint32_t open_files;
};

/// Reads /proc/self; what cannot be read is 0.
void metrics_read_process(struct metrics_process *process);

/// The room on the disk of a store; size 0: unknown.
struct metrics_space {
    uint64_t available_bytes, size_bytes;
};

/// Reads the room on the disk that a directory is on.
void metrics_read_space(const char *directory, struct metrics_space *space);

/// What the metrics are written of.
struct metrics_source {
    const struct status_snapshot *snapshot;
    struct metrics_process process;
    struct metrics_space spaces[STORES];
    struct announcer *announcer; ///< null: the server is in no list
};

/// Writes all metrics.
void metrics_write(FILE *file, const struct metrics_source *source);

#endif
