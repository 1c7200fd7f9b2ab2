// SPDX-License-Identifier: MIT
//
// Writes the metrics of a directory in Prometheus' text format. They contain no name, key or address of a server.
#ifndef DIRECTORY_DIRECTORY_METRICS_H
#define DIRECTORY_DIRECTORY_METRICS_H

#include <stdio.h>

#include "directory.h"

/// Writes all metrics.
void directory_metrics_write(FILE *file, const struct directory *directory);

#endif
