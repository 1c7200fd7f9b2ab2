// SPDX-License-Identifier: MIT
//
// A limit that a load test must keep: "rtt_p99<50ms", "connected>=16", "desyncs<1". Read from the command line before
// anything runs; checked at the end, and at each interval with --fail-fast.
#ifndef BOTS_THRESHOLD_H
#define BOTS_THRESHOLD_H

#include "base/error.h"
#include "metric.h"

/// One threshold.
struct threshold {
    const char *text; ///< as given
    const struct metric *metric;
    const struct metric_quantile *quantile; ///< null if the metric is a number
    bool upper;                             ///< < or <=
    bool or_equal;                          ///< <= or >=
    double limit;                           ///< in the metric's unit
};

/// Reads a threshold, which keeps pointing to `text`. False with an error.
bool threshold_read(struct threshold *threshold, const char *text, struct error *error);

/// Returns whether a threshold holds; false without a sample.
bool threshold_holds(const struct threshold *threshold, const struct measurement *measurement);

#endif
