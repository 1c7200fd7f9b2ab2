// SPDX-License-Identifier: MIT
//
// Writes the metrics of a server in Prometheus' text format. They contain no name, key or address of a player.
#ifndef MONITOR_METRICS_H
#define MONITOR_METRICS_H

#include <stdio.h>

#include "base/platform/disk.h"
#include "base/platform/process.h"
#include "reach/announcer.h"
#include "status.h"

/// What the metrics are written of.
struct metrics_source {
    const struct status_snapshot *snapshot;
    struct process_usage process;
    struct disk_room spaces[STORES]; ///< on the disks of the stores; size 0: unknown
    struct announcer *announcer;     ///< null: the server is in no list
};

/// Writes all metrics.
void metrics_write(FILE *file, const struct metrics_source *source);

#endif
