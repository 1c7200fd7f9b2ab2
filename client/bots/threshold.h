// SPDX-License-Identifier: MIT
//
// What a load test must not break: "rtt_p99<50ms", "connected>=16", "desyncs<1". Read from the command line before
// anything runs, checked against the measurement at the end (and each interval with --fail-fast).
#ifndef BOTS_THRESHOLD_H
#define BOTS_THRESHOLD_H

#include "base/error.h"
#include "metric.h"

/// One threshold.
struct threshold {
    const char *text; ///< as given
    const struct metric *metric;
    const struct metric_quantile *quantile; ///< null for a number
    bool upper;                             ///< < or <=
    bool or_equal;                          ///< <= or >=
    double limit;                           ///< in the metric's unit
};

/// Reads one; it keeps pointing to `text`. False with a sentence.
bool threshold_read(struct threshold *threshold, const char *text, struct error *error);

/// True if it holds; never without a sample.
bool threshold_holds(const struct threshold *threshold, const struct measurement *measurement);

#endif
