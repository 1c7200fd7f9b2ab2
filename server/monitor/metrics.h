// SPDX-License-Identifier: MIT
//
// The counts of a server in Prometheus' text format, one family after the other. They hold no player's name, key or
// address.
#ifndef MONITOR_METRICS_H
#define MONITOR_METRICS_H

#include <stdio.h>

#include "status_snapshot.h"

/// What the process uses, as /proc shows it.
struct metrics_process {
    uint64_t resident_bytes;
    double cpu_s, start_s; ///< of both modes; since 1970
    uint32_t open_files;
};

/// Reads /proc/self; what cannot be read is 0.
void metrics_read_process(struct metrics_process *process);

/// Writes all families.
void metrics_write(FILE *file, const struct status_snapshot *snapshot, const struct metrics_process *process);

#endif
