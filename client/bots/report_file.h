// SPDX-License-Identifier: MIT
//
// A report that deadfall-bots has written as JSON, read back: to merge reports and to compare them. The file is hostile
// input; what it must have is checked when it is opened.
#ifndef BOTS_REPORT_FILE_H
#define BOTS_REPORT_FILE_H

#include <jansson.h>

#include "base/error.h"

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
