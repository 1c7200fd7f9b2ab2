// SPDX-License-Identifier: MIT
//
// What a load test says: a line an interval, a summary, and the same as JSON, CSV and a page with plots. Built from
// measurements through the metric table; told the time, opens only the files it is named.
#ifndef BOTS_REPORT_H
#define BOTS_REPORT_H

#include <stdio.h>

#include "threshold.h"

/// How a run went.
struct report_result {
    bool all_joined;  ///< every bot was in the match
    bool undisturbed; ///< none was lost, no desync
    bool bottleneck;  ///< the load test itself was too slow to be believed
    bool within;      ///< all thresholds hold
    bool interrupted; ///< a signal ended it before its time
};

/// The run that a report is about.
struct report_run {
    int argc;
    char **argv;
    uint32_t seed;
    const char *server; ///< under test, as given
    int64_t started_s;  ///< since 1970
    const struct threshold *thresholds;
    uint32_t threshold_count;
};

struct report;

/// Begins one. Null when memory is out.
struct report *report_create(const struct report_run *run);
void report_destroy(struct report *report);

/// One interval: `second` since the start at its end. Prints its line to `out` unless that is null.
void report_interval(struct report *report, double second, const struct measurement *measurement, FILE *out);

/// True if nothing is wrong.
bool report_passed(const struct report_result *verdict);

/// Prints the summary of a run of `seconds`.
void report_summary(const struct report *report, double seconds, const struct measurement *total,
                    const struct report_result *verdict, FILE *out);

/// Writes the whole as JSON. False if the file could not be written.
bool report_write_json(struct report *report, const char *path, double seconds, const struct measurement *total,
                       const struct report_result *verdict);

/// Writes the whole as one HTML page with plots, which needs nothing else. False if the file could not be written.
bool report_write_html(struct report *report, const char *path, double seconds, const struct measurement *total,
                       const struct report_result *verdict);

/// Writes the intervals as CSV, a column a metric. False if the file could not be written.
bool report_write_csv(const struct report *report, const char *path);

#endif
