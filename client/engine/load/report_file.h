// SPDX-License-Identifier: MIT
//
// Reports that are files. A measurement is JSON: every metric by its name, and besides the counts and the buckets that
// they are computed from, so that reports of several processes can be merged without a loss. A bucket is a pair of the
// largest value that it holds and its count; `scale` makes the metric's unit of such a value. A file that is read back
// is hostile input; what it must have is checked when it is opened.
#ifndef LOAD_REPORT_FILE_H
#define LOAD_REPORT_FILE_H

#include <jansson.h>

#include "base/error.h"
#include "metric.h"

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

#endif
