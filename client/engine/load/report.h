// SPDX-License-Identifier: MIT
//
// The report of a load test: a line for each interval, a summary, and the same as JSON, CSV and a page with plots.
// Built from measurements through the metric table. Time is an argument; opens only the files that it is given.
#ifndef LOAD_REPORT_H
#define LOAD_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "settings.h"

/// The result of a run.
struct report_result {
    bool all_joined;        ///< every client was in the match at some time
    bool undisturbed;       ///< none was lost, no desync
    bool without_outage;    ///< none was without snapshots, or a threshold says for how long one may be
    bool server_keeps;      ///< the server could write what it keeps, as far as its metrics say
    bool bottleneck;        ///< the load test itself was too slow for its figures to count
    bool within_thresholds; ///< all thresholds hold
    bool interrupted;       ///< a signal ended it before its time
    double seconds;         ///< that it took
    const struct measurement *total;
};

/// The run that a report is about.
struct report_run {
    int argc;
    char *const *argv;
    uint32_t seed;
    const char *server; ///< under test, as given
    double started_s;   ///< since 1970
    double interval_s;  ///< between two intervals
    const struct threshold *thresholds;
    uint32_t threshold_count;
};

/// A time in which clients got no snapshots.
struct report_outage {
    double second;    ///< since the start
    double seconds;   ///< that it took
    uint32_t clients; ///< at the same time
};

struct report;

/// Creates a report. Null if memory runs out.
struct report *report_create(const struct report_run *run);
/// Frees a report; null is allowed.
void report_destroy(struct report *report);

/// Adds an interval that ended at `second` since the start. Prints its line to `out` unless that is null.
void report_interval(struct report *report, double second, const struct measurement *measurement, FILE *out);

/// Adds a mark, to be shown beside the intervals: "count 20".
void report_mark(struct report *report, double second, const char *text);
/// Adds an outage.
void report_outage(struct report *report, const struct report_outage *outage);
/// Adds a warning about the figures.
void report_warn(struct report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Returns whether there is a mark with this text within some seconds.
bool report_has_mark(const struct report *report, double second, double within_s, const char *text);
/// Notes that this report is merged from others: where one lies, and its JSON.
void report_part(struct report *report, const char *path, const json_t *part);

/// Returns whether nothing is wrong.
bool report_passed(const struct report_result *result);

/// Returns the exit code that a result means.
enum exit_code report_exit_code(const struct report_result *result);

/// Prints the summary.
void report_summary(const struct report *report, const struct report_result *result, FILE *out);

/// The files to write; empty: not that one.
struct report_paths {
    const char *json, *csv, *html;
};

/// Writes the report: as JSON, its intervals as CSV with one column per value, and as one HTML page with plots, which
/// needs no other file. Returns null, or the path of a file that could not be written.
const char *report_write_files(const struct report *report, const struct report_result *result,
                               const struct report_paths *paths);

// --- reports that are files. A measurement is JSON: every metric by its name, and besides the counts and the buckets
// that they are computed from, so that reports of several processes can be merged without a loss. A bucket is a pair of
// the largest value that it holds and its count; `scale` makes the metric's unit of such a value. A file that is read
// back is hostile input; what it must have is checked when it is opened.

/// Changes with every field that is removed or means something else.
#define REPORT_SCHEMA "deadfall-bots/2"

/// Returns a number with four decimals, which are enough for every unit; null for NAN.
json_t *report_number(double value);
/// Returns a measurement as an object.
json_t *report_measurement_write(const struct measurement *measurement);
/// Reads what report_measurement_write() has written. False if anything of it is missing or wrong.
bool report_measurement_read(struct measurement *measurement, const json_t *object);

/// Largest file, bytes: about a day in intervals of a second.
#define REPORT_FILE_BYTES_MAX ((size_t)1 << 30)

/// An open report. Its JSON stays as long as `root`.
struct report_file {
    const char *path;
    json_t *root;
    const json_t *totals, *series, *result;
    double started_s;  ///< since 1970
    double seconds;    ///< that it took
    double interval_s; ///< between two rows of the series
};

/// Reads a report. False with an error; its code is EXIT_IO or EXIT_DATA.
bool report_file_open(struct report_file *file, const char *path, struct error *error);
/// Frees it; a file that was not opened is allowed.
void report_file_close(struct report_file *file);
/// Returns when a row of the series ends, s since the start.
double report_file_second(const json_t *row);

/// Merges the files of the command line, prints the summary and writes the files: counts and buckets add up, rows of
/// the series that are of the same moment become one, marks and outages keep their time. The processes should have
/// started at the same moment (--start-at), and the clocks of their machines agree. Returns the exit code of a run that
/// had all clients; EXIT_DATA or EXIT_IO, with a message, if a file is no report or cannot be read.
enum exit_code report_merge(const struct settings *settings, FILE *out, FILE *err);

/// Compares the two files of the command line and prints a table and a verdict: which figures of the second are worse
/// than those of the first, by more than a tolerance and by more than they vary from interval to interval. That
/// variation is three standard errors of the mean of the series, over the intervals in which all clients were
/// connected. EXIT_OK: nothing is worse; EXIT_THRESHOLD: something is; EXIT_BOTTLENECK: the figures of a file do not
/// count; EXIT_DATA or EXIT_IO, with a message, if a file is no report or cannot be read.
enum exit_code report_compare(const struct settings *settings, FILE *out, FILE *err);

#endif
