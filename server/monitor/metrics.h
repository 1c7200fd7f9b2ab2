// SPDX-License-Identifier: MIT
//
// What monitoring reads: the counts of a server in Prometheus' text form, one family after the other. No name, key or
// address of a player is in it.
#ifndef MONITOR_METRICS_H
#define MONITOR_METRICS_H

#include <stdio.h>

#include "status_snapshot.h"

/// What the process itself uses, as /proc tells.
struct process_facts {
    uint64_t resident_bytes;
    double cpu_s, start_s; ///< of both modes; since 1970
    uint32_t open_files;
};

/// Reads /proc/self; what cannot be read is 0.
void process_facts_read(struct process_facts *process);

/// Writes all families.
void metrics_write(FILE *file, const struct status_snapshot *facts, const struct process_facts *process);

#endif
