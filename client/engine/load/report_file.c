// SPDX-License-Identifier: MIT
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "load_game.h"
#include "options/options.h"

// --- a measurement as JSON

// More than a day of all clients can count, in us. Sums over all buckets or over many reports still fit.
#define COUNT_MAX (INT64_C(1) << 48)

json_t *report_number(double value)
{
    if (isnan(value))
        return json_null();
    char text[400];
    snprintf(text, sizeof text, "%.4f", value);
    return json_real(strtod(text, NULL));
}

static json_t *write_distribution(const struct metric *metric, const struct measurement *measurement)
{
    const struct histogram *histogram = metric->distribution(measurement);
    json_t *object = json_object();
    json_object_set_new(object, "count", json_integer((json_int_t)histogram->count));
    json_object_set_new(object, "mean", report_number(histogram_mean(histogram) * metric->scale));
    for (uint32_t i = 0; i < METRIC_QUANTILE_COUNT; i++)
        json_object_set_new(object, METRIC_QUANTILES[i].name,
                            report_number(metric_value(metric, &METRIC_QUANTILES[i], measurement)));
    json_object_set_new(object, "scale", json_real(metric->scale));
    json_object_set_new(object, "sum", json_integer((json_int_t)histogram->sum));
    json_object_set_new(object, "largest", json_integer((json_int_t)histogram->max));
    json_t *buckets = json_array();
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS && histogram->count > 0; i++)
        if (histogram->buckets[i])
            json_array_append_new(
                buckets, json_pack("[I, I]", (json_int_t)histogram_bucket_top(i), (json_int_t)histogram->buckets[i]));
    json_object_set_new(object, "buckets", buckets);
    return object;
}

static json_t *write_kinds(const uint64_t counts[EVENT_KINDS])
{
    json_t *kinds = json_object();
    for (uint32_t i = 0; i < EVENT_KINDS; i++)
        if (counts[i] && load_game_event(i))
            json_object_set_new(kinds, load_game_event(i), json_integer((json_int_t)counts[i]));
    return kinds;
}

json_t *report_measurement_write(const struct measurement *measurement)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < METRIC_COUNT; i++)
        json_object_set_new(object, METRICS[i].name,
                            METRICS[i].number ? report_number(METRICS[i].number(measurement))
                                              : write_distribution(&METRICS[i], measurement));
    json_t *reasons = json_object();
    for (uint32_t i = 0; i < DENY_REASONS; i++)
        json_object_set_new(reasons, metric_reason_name(i),
                            json_integer((json_int_t)measurement->sample.disconnects[i]));
    json_object_set_new(object, "disconnects_by_reason", reasons);
    json_object_set_new(object, "actions_refuted_by_kind", write_kinds(measurement->sample.actions_refuted));
    json_object_set_new(object, "events_by_kind", write_kinds(measurement->sample.events));
    json_t *counts = json_object();
    for (uint32_t i = 0; i < METRIC_COUNTS_SIZE; i++) {
        const void *at = (const char *)&measurement->sample + METRIC_COUNTS[i].offset;
        json_object_set_new(counts, METRIC_COUNTS[i].name, json_integer((json_int_t) * (const uint64_t *)at));
    }
    json_object_set_new(object, "counts", counts);
    return object;
}

static bool read_count(uint64_t *count, const json_t *value)
{
    json_int_t number = json_integer_value(value);
    *count = (uint64_t)number;
    return json_is_integer(value) && number >= 0 && number <= COUNT_MAX;
}

static bool read_buckets(struct histogram *histogram, const json_t *object)
{
    const json_t *buckets = json_object_get(object, "buckets"), *pair;
    size_t index;
    uint64_t value, count;
    if (!json_is_array(buckets) || json_array_size(buckets) > HISTOGRAM_BUCKETS)
        return false;
    json_array_foreach(buckets, index, pair)
    {
        if (!read_count(&value, json_array_get(pair, 0)) || !read_count(&count, json_array_get(pair, 1)))
            return false;
        histogram_add_many(histogram, value, count);
    }
    // The buckets know values only within 1.6 %, but their sum and the largest are known exactly.
    return read_count(&count, json_object_get(object, "count")) && count == histogram->count &&
           read_count(&histogram->sum, json_object_get(object, "sum")) &&
           read_count(&histogram->max, json_object_get(object, "largest"));
}

// A kind that is not there did not happen.
static bool read_kinds(uint64_t counts[EVENT_KINDS], const json_t *kinds)
{
    for (uint32_t i = 0; i < EVENT_KINDS; i++) {
        const json_t *count = load_game_event(i) ? json_object_get(kinds, load_game_event(i)) : NULL;
        if (count && !read_count(&counts[i], count))
            return false;
    }
    return true;
}

static double number_of(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

bool report_measurement_read(struct measurement *measurement, const json_t *object)
{
    memset(measurement, 0, sizeof *measurement);
    for (uint32_t i = 0; i < METRIC_COUNT; i++) {
        if (METRICS[i].number)
            continue;
        // The table is for readers, so it has the histograms as const; here they belong to the caller.
        struct histogram *histogram = (struct histogram *)(uintptr_t)METRICS[i].distribution(measurement);
        if (!read_buckets(histogram, json_object_get(object, METRICS[i].name)))
            return false;
    }
    double connected = number_of(object, "connected");
    measurement->least_snapshots_per_s = number_of(object, "least_snapshots_per_s");
    measurement->cpu_pct = number_of(object, "own_cpu_pct");
    measurement->server.cpu_pct = number_of(object, "server_cpu_pct");
    measurement->server.resident_mib = number_of(object, "server_rss_mib");
    if (!(connected >= 0 && connected <= UINT32_MAX))
        return false;
    measurement->connected = (uint32_t)connected;
    struct sample *sample = &measurement->sample;
    const json_t *counts = json_object_get(object, "counts");
    const json_t *reasons = json_object_get(object, "disconnects_by_reason");
    for (uint32_t i = 0; i < METRIC_COUNTS_SIZE; i++)
        if (!read_count((uint64_t *)(void *)((char *)sample + METRIC_COUNTS[i].offset),
                        json_object_get(counts, METRIC_COUNTS[i].name)))
            return false;
    for (uint32_t i = 0; i < DENY_REASONS; i++)
        if (!read_count(&sample->disconnects[i], json_object_get(reasons, metric_reason_name(i))))
            return false;
    return read_kinds(sample->actions_refuted, json_object_get(object, "actions_refuted_by_kind")) &&
           read_kinds(sample->events, json_object_get(object, "events_by_kind"));
}

// --- a report that is a file

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
    if (!schema || strcmp(schema, REPORT_SCHEMA) != 0 || !json_is_object(file->totals) ||
        !json_is_object(file->result) || !is_from_to(file->started_s, 0, 1e11) ||
        !is_from_to(file->seconds, 0, SECONDS_MAX) || !is_from_to(file->interval_s, 0.1, 3600) ||
        !json_is_array(file->series))
        return false;
    // The rows follow each other an interval apart; only the last may be shorter. None ends after the run.
    const json_t *row;
    size_t index;
    double before = 0;
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
    return error_set_code(error, EXIT_DATA, "%s: is no report of %s of schema %s; write it with --json of this version",
                          path, LOAD_GAME_PROGRAM, REPORT_SCHEMA);
}

void report_file_close(struct report_file *file)
{
    json_decref(file->root);
    file->root = NULL;
}
