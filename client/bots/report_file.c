// SPDX-License-Identifier: MIT
#include "report_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "options/options.h"
#include "report.h"

#define SECONDS_MAX 1e6
// Between two rows at least: reports have four decimals, and a load test measures for a tick or more.
#define ROW_SECONDS_MIN 1e-3

static bool is_from_to(double value, double least, double most)
{
    return value >= least && value <= most;
}

double report_file_second(const json_t *row)
{
    return json_number_value(json_object_get(row, "second"));
}

// The rows follow each other an interval apart; only the last may be shorter. None ends after the run.
static bool has_good_rows(const struct report_file *file)
{
    const json_t *row;
    size_t index;
    double before = 0;
    if (!json_is_array(file->series))
        return false;
    json_array_foreach(file->series, index, row)
    {
        bool is_last = index + 1 == json_array_size(file->series);
        double second = report_file_second(row), length = is_last ? ROW_SECONDS_MIN : 0.9 * file->interval_s;
        if (!is_from_to(second, before + length, file->seconds))
            return false;
        before = second;
    }
    return true;
}

static bool has_good_fields(struct report_file *file)
{
    const json_t *root = file->root;
    const char *schema = json_string_value(json_object_get(root, "schema"));
    file->totals = json_object_get(root, "totals");
    file->series = json_object_get(root, "series");
    file->result = json_object_get(root, "verdict");
    file->started_s = json_number_value(json_object_get(root, "started_unix"));
    file->seconds = json_number_value(json_object_get(root, "seconds"));
    file->interval_s = json_number_value(json_object_get(root, "interval"));
    return schema && strcmp(schema, REPORT_SCHEMA) == 0 && json_is_object(file->totals) &&
           json_is_object(file->result) && is_from_to(file->started_s, 0, 1e11) &&
           is_from_to(file->seconds, 0, SECONDS_MAX) && is_from_to(file->interval_s, 0.1, 3600) && has_good_rows(file);
}

bool report_file_open(struct report_file *file, const char *path, struct error *error)
{
    size_t byte_count;
    json_error_t fault;
    *file = (struct report_file){.path = path};
    uint8_t *bytes = file_load(path, REPORT_FILE_BYTES_MAX, &byte_count);
    if (!bytes)
        return error_set_code(error, EXIT_IO, "%s: cannot be read: %s", path, strerror(errno));
    file->root = json_loadb((const char *)bytes, byte_count, 0, &fault);
    free(bytes);
    if (!file->root)
        return error_set_code(error, EXIT_DATA, "%s:%d: is no JSON: %s", path, fault.line, fault.text);
    if (has_good_fields(file))
        return true;
    return error_set_code(error, EXIT_DATA,
                          "%s: is no report of deadfall-bots of schema %s; write it with --json of this version", path,
                          REPORT_SCHEMA);
}

void report_file_close(struct report_file *file)
{
    json_decref(file->root);
    file->root = NULL;
}
