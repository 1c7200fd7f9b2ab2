// SPDX-License-Identifier: MIT
//
// The metrics of a load test: one table gives each its name, its unit and how it is taken from what the swarm measured.
// Lines, summary, JSON, CSV and thresholds all read this table, so a metric has one name everywhere.
#ifndef BOTS_METRIC_H
#define BOTS_METRIC_H

#include <stdbool.h>
#include <stdio.h>

#include "metrics_scraper.h"
#include "sample.h"

/// What metrics are taken from: the swarm's sample, and the load test's own state.
struct measurement {
    struct sample sample;
    uint32_t connected; ///< now; of a whole run: that ever were
    double least_snapshots_per_s;
    struct histogram lag_us; ///< how late the load test itself woke up
    double cpu_pct;          ///< of one core, used by itself
    struct server_sample server;
};

/// One row.
struct metric {
    const char *name;
    const char *unit; ///< "ms", "px", "%", "B" or ""
    /// Of a distribution: its histogram, and the size of its count in `unit`. Else null.
    const struct histogram *(*distribution)(const struct measurement *measurement);
    double scale;
    /// Of a number; NAN without a sample. Else null.
    double (*number)(const struct measurement *measurement);
};

extern const struct metric METRICS[];
extern const uint32_t METRIC_COUNT;

/// The quantiles that are told of a distribution.
struct metric_quantile {
    const char *name;   ///< "p50" to "p99.9", "max"
    uint32_t per_mille; ///< 1000: the largest
};
extern const struct metric_quantile METRIC_QUANTILES[];
extern const uint32_t METRIC_QUANTILE_COUNT;

/// Finds "desyncs" (a number; `quantile` null) or "rtt_ms_p99" (a distribution). The unit may be left out: "rtt_p99".
bool metric_find(const char *name, const struct metric **metric, const struct metric_quantile **quantile);

/// Its value in its unit; NAN without a sample.
double metric_value(const struct metric *metric, const struct metric_quantile *quantile,
                    const struct measurement *measurement);

/// All names, as --help says them.
void metric_print_names(FILE *out);

/// Beyond these the load test measures itself: a tick of lag at the 99th percentile, per cent of a core.
#define OWN_LAG_US_MAX  (1000000 / TICKS_PER_SECOND)
#define OWN_CPU_PCT_MAX 80.0

/// True if the load test itself was too slow to be believed.
bool metric_is_bottleneck(const struct measurement *total);

#endif
