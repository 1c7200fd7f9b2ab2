// SPDX-License-Identifier: MIT
//
// Writes the metrics of a server in Prometheus' text format. They contain no name, key or address of a player.
#ifndef MONITOR_METRICS_H
#define MONITOR_METRICS_H

#include <stdio.h>

#include "base/platform/process.h"
#include "reach/announcer.h"
#include "status.h"

/// The room on the disk of a store; size 0: unknown.
struct metrics_space {
    uint64_t available_bytes, size_bytes;
};

/// Reads the room on the disk that a directory is on.
void metrics_read_space(const char *directory, struct metrics_space *space);

/// What the metrics are written of.
struct metrics_source {
    const struct status_snapshot *snapshot;
    struct process_usage process;
    struct metrics_space spaces[STORES];
    struct announcer *announcer; ///< null: the server is in no list
};

/// Writes all metrics.
void metrics_write(FILE *file, const struct metrics_source *source);

#endif
