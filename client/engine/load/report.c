// SPDX-License-Identifier: MIT
#include "report.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/platform/process.h"
#include "report_page.h"

// Marks, outages and warnings that are kept, of each.
#define LIST_CAPACITY 1000
#define DUMP_FLAGS    (JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15))

struct report {
    struct report_run run;
    json_t *series; ///< one object per interval
    json_t *marks, *outages, *warnings;
    json_t *parts; ///< that it is merged from; null: none
    uint32_t outage_count;
    struct report_outage longest;
};

struct report *report_create(const struct report_run *run)
{
    struct report *report = calloc(1, sizeof *report);
    if (!report)
        return NULL;
    report->run = *run;
    report->series = json_array();
    report->marks = json_array();
    report->outages = json_array();
    report->warnings = json_array();
    return report;
}

void report_destroy(struct report *report)
{
    if (!report)
        return;
    json_decref(report->series);
    json_decref(report->marks);
    json_decref(report->outages);
    json_decref(report->warnings);
    json_decref(report->parts);
    free(report);
}

static void append(json_t *array, json_t *value)
{
    if (json_array_size(array) < LIST_CAPACITY)
        json_array_append_new(array, value);
    else
        json_decref(value);
}

void report_mark(struct report *report, double second, const char *text)
{
    append(report->marks, json_pack("{s:o, s:s}", "second", report_number(second), "text", text));
}

bool report_has_mark(const struct report *report, double second, double within_s, const char *text)
{
    const json_t *row;
    size_t index;
    json_array_foreach(report->marks, index, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "text")), text) == 0 &&
            fabs(json_number_value(json_object_get(row, "second")) - second) <= within_s)
            return true;
    }
    return false;
}

void report_part(struct report *report, const char *path, const json_t *part)
{
    static const char *const keys[] = {"host", "arguments", "seed", "started", "seconds", "passed", "verdict"};
    json_t *object = json_pack("{s:s}", "file", path);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        json_object_set(object, keys[i], json_object_get(part, keys[i]));
    if (!report->parts)
        report->parts = json_array();
    append(report->parts, object);
}

void report_outage(struct report *report, const struct report_outage *outage)
{
    append(report->outages, json_pack("{s:o, s:o, s:I}", "second", report_number(outage->second), "seconds",
                                      report_number(outage->seconds), "clients", (json_int_t)outage->clients));
    if (report->outage_count++ == 0 || outage->seconds > report->longest.seconds)
        report->longest = *outage;
}

void report_warn(struct report *report, const char *format, ...)
{
    struct error text;
    va_list arguments;
    va_start(arguments, format);
    error_set_list(&text, 0, format, arguments);
    va_end(arguments);
    append(report->warnings, json_string(text.text));
}

static double quantile(const struct histogram *histogram, uint32_t per_mille, double scale)
{
    return (double)histogram_quantile(histogram, per_mille) * scale;
}

void report_interval(struct report *report, double second, const struct measurement *measurement, FILE *out)
{
    json_t *row = report_measurement_write(measurement);
    json_object_set_new(row, "second", report_number(second));
    json_array_append_new(report->series, row);
    if (!out)
        return;
    const struct sample *sample = &measurement->sample;
    uint64_t play_us = sample->play_us ? sample->play_us : 1;
    fprintf(
        out,
        "%5.0f s  connected %u  snapshots %.1f/s  down %.0f B/s  up %.0f B/s  rtt %.1f ms  ack p50 %.1f p99 %.1f ms  "
        "missed %llu  corrections %llu  desyncs %llu\n",
        second, measurement->connected, (double)sample->snapshots * 1e6 / (double)play_us,
        (double)sample->bytes_down * 1e6 / (double)play_us, (double)sample->bytes_up * 1e6 / (double)play_us,
        quantile(&sample->rtt_us, 500, 1e-3), quantile(&sample->input_ack_us, 500, 1e-3),
        quantile(&sample->input_ack_us, 990, 1e-3), (unsigned long long)sample->inputs_missed,
        (unsigned long long)sample->corrections, (unsigned long long)sample->desyncs);
    fflush(out);
}

// Prints a value, or a dash if there is none.
static void print_value(double value, int width, FILE *out)
{
    if (isnan(value))
        fprintf(out, " %*s", width, "-");
    else
        fprintf(out, " %*.2f", width, value);
}

bool report_passed(const struct report_result *result)
{
    return result->all_joined && result->undisturbed && result->without_outage && result->server_keeps &&
           !result->bottleneck && result->within_thresholds && !result->interrupted;
}

enum exit_code report_exit_code(const struct report_result *result)
{
    if (!result->all_joined || !result->undisturbed || result->interrupted)
        return EXIT_FAILED;
    if (result->bottleneck)
        return EXIT_BOTTLENECK;
    if (!result->without_outage || !result->server_keeps)
        return EXIT_OUTAGE;
    return result->within_thresholds ? EXIT_OK : EXIT_THRESHOLD;
}

// Returns the messages about a result.
static json_t *json_messages(const struct report *report, const struct report_result *result)
{
    const struct report_outage *longest = &report->longest;
    json_t *array = json_array();
    if (!result->all_joined)
        json_array_append_new(array, json_string("FAILED: not every client could join the match"));
    if (!result->undisturbed)
        json_array_append_new(array, json_string("FAILED: clients were lost, or worlds differed"));
    if (!result->without_outage)
        json_array_append_new(
            array, json_sprintf("FAILED: %u outage%s: for %.2f s from second %.1f on, %u client%s got no snapshots",
                                report->outage_count, report->outage_count == 1 ? "" : "s, the longest",
                                longest->seconds, longest->second, longest->clients, longest->clients == 1 ? "" : "s"));
    if (!result->server_keeps)
        json_array_append_new(array,
                              json_string("FAILED: the server could not write what it keeps (see the warnings)"));
    if (result->bottleneck)
        json_array_append_new(
            array,
            json_sprintf("FAILED: the load test itself was the bottleneck, so its figures do not count: it "
                         "woke up to %.1f ms late (p99, at most %.1f) and used %.0f %% of a core (at most %.0f); "
                         "use fewer clients, fewer full clients (--verify), or a machine with a free core",
                         (double)histogram_quantile(&result->total->lag_us, 990) / 1e3, METRIC_OWN_LAG_US_MAX / 1e3,
                         result->total->cpu_pct, METRIC_OWN_CPU_PCT_MAX));
    if (!result->within_thresholds)
        json_array_append_new(array, json_string("FAILED: a threshold is broken"));
    if (result->interrupted)
        json_array_append_new(array, json_string("FAILED: interrupted before its time"));
    if (report_passed(result))
        json_array_append_new(array, json_string("passed"));
    return array;
}

void report_summary(const struct report *report, const struct report_result *result, FILE *out)
{
    const struct measurement *total = result->total;
    fprintf(out, "\n%-24s", "");
    for (uint32_t i = 0; i < METRIC_QUANTILE_COUNT; i++)
        fprintf(out, " %9s", METRIC_QUANTILES[i].name);
    fprintf(out, " %9s\n", "count");
    for (uint32_t i = 0; i < METRIC_COUNT; i++) {
        if (!METRICS[i].distribution)
            continue;
        fprintf(out, "%-24s", METRICS[i].name);
        for (uint32_t q = 0; q < METRIC_QUANTILE_COUNT; q++)
            print_value(metric_value(&METRICS[i], &METRIC_QUANTILES[q], total), 9, out);
        fprintf(out, " %9llu\n", (unsigned long long)METRICS[i].distribution(total)->count);
    }
    for (uint32_t i = 0; i < METRIC_COUNT; i++) {
        if (!METRICS[i].number)
            continue;
        fprintf(out, "%-24s", METRICS[i].name);
        print_value(METRICS[i].number(total), 9, out);
        fprintf(out, "%s%s\n", *METRICS[i].unit ? " " : "", METRICS[i].unit);
    }
    for (uint32_t i = 0; i < DENY_REASONS; i++) {
        if (total->sample.disconnects[i])
            fprintf(out, "disconnects: %s %llu\n", metric_reason_name(i),
                    (unsigned long long)total->sample.disconnects[i]);
    }
    for (uint32_t i = 0; i < report->run.threshold_count; i++) {
        const struct threshold *threshold = &report->run.thresholds[i];
        double value = metric_value(threshold->metric, threshold->quantile, total);
        if (isnan(value))
            fprintf(out, "threshold %s: BROKEN (no sample)\n", threshold->text);
        else
            fprintf(out, "threshold %s: %s (%.4g)\n", threshold->text,
                    metric_threshold_holds(threshold, total) ? "holds" : "BROKEN", value);
    }
    if (result->interrupted)
        fprintf(out, "interrupted after %.0f s\n", result->seconds);
    size_t index;
    const json_t *text;
    json_array_foreach(report->warnings, index, text) fprintf(out, "warning: %s\n", json_string_value(text));
    json_t *messages = json_messages(report, result);
    json_array_foreach(messages, index, text) fprintf(out, "%s\n", json_string_value(text));
    json_decref(messages);
}

// Everything of a report, in the order of its file.
static json_t *json_root(const struct report *report, const struct report_result *result)
{
    const struct report_run *run = &report->run;
    struct process_machine machine = process_machine();
    json_t *host =
        json_pack("{s:s, s:s, s:s, s:s, s:I}", "name", machine.name, "system", machine.system, "release",
                  machine.release, "machine", machine.hardware, "processors", (json_int_t)machine.processors);
    char started[CLOCK_DATE_BYTES];
    clock_date_utc((int64_t)run->started_s, "%Y-%m-%dT%H:%M:%SZ", started, sizeof started);
    json_t *arguments = json_array();
    for (int i = 1; i < run->argc; i++)
        json_array_append_new(arguments, json_string(run->argv[i]));
    json_t *thresholds = json_array();
    for (uint32_t i = 0; i < run->threshold_count; i++) {
        const struct threshold *threshold = &run->thresholds[i];
        double value = metric_value(threshold->metric, threshold->quantile, result->total);
        json_array_append_new(thresholds,
                              json_pack("{s:s, s:o, s:b}", "threshold", threshold->text, "value", report_number(value),
                                        "holds", metric_threshold_holds(threshold, result->total)));
    }
    json_t *judged = json_pack("{s:b, s:b, s:b, s:b, s:b, s:b, s:o}", "all_joined", result->all_joined, "undisturbed",
                               result->undisturbed, "without_outage", result->without_outage, "server_keeps",
                               result->server_keeps, "bottleneck", result->bottleneck, "within_thresholds",
                               result->within_thresholds, "sentences", json_messages(report, result));
    json_t *root = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:I, s:o, s:b, s:o}", "schema", REPORT_SCHEMA,
                             "version", DEADFALL_VERSION, "server", run->server, "started", started, "started_unix",
                             report_number(run->started_s), "interval", report_number(run->interval_s), "arguments",
                             arguments, "seed", (json_int_t)run->seed, "seconds", report_number(result->seconds),
                             "interrupted", result->interrupted, "host", host);
    json_t *rest =
        json_pack("{s:o, s:b, s:o, s:O, s:O, s:O, s:o, s:O}", "verdict", judged, "passed", report_passed(result),
                  "thresholds", thresholds, "warnings", report->warnings, "marks", report->marks, "outages",
                  report->outages, "totals", report_measurement_write(result->total), "series", report->series);
    json_object_update(root, rest);
    json_decref(rest);
    if (report->parts)
        json_object_set(root, "parts", report->parts);
    return root;
}

// Writes one key a line, and one element of a list a line: compact, and still readable with tools for lines.
static bool write_json(const struct report *report, const struct report_result *result, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    json_t *root = json_root(report, result), *value;
    const json_t *element;
    const char *key;
    size_t left = json_object_size(root), index;
    fputs("{\n", file);
    json_object_foreach(root, key, value)
    {
        fprintf(file, "\"%s\": %s", key, json_is_array(value) ? "[" : "");
        json_array_foreach(value, index, element)
        {
            fputs(index > 0 ? ",\n " : "\n ", file);
            json_dumpf(element, file, DUMP_FLAGS);
        }
        if (!json_is_array(value))
            json_dumpf(value, file, DUMP_FLAGS);
        fprintf(file, "%s%s\n", json_is_array(value) ? "]" : "", --left > 0 ? "," : "");
    }
    fputs("}\n", file);
    json_decref(root);
    bool written = !ferror(file);
    return fclose(file) == 0 && written;
}

// No "<" of a report may end the element of the page that has it.
static int write_embedded(const char *bytes, size_t byte_count, void *file)
{
    for (size_t i = 0; i < byte_count; i++)
        if (bytes[i] == '<')
            fputs("\\u003c", file);
        else
            fputc(bytes[i], file);
    return ferror((FILE *)file) ? -1 : 0;
}

// The page is static; its script reads the report in it.
static bool write_html(const struct report *report, const struct report_result *result, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    json_t *root = json_root(report, result);
    fwrite(REPORT_PAGE_HEAD, 1, sizeof REPORT_PAGE_HEAD, file);
    json_dump_callback(root, write_embedded, file, DUMP_FLAGS);
    fwrite(REPORT_PAGE_TAIL, 1, sizeof REPORT_PAGE_TAIL, file);
    json_decref(root);
    bool written = !ferror(file);
    return fclose(file) == 0 && written;
}

// Writes a value; nothing without a sample.
static void csv_value(const json_t *value, FILE *file)
{
    if (json_is_null(value))
        fputc(',', file);
    else
        fprintf(file, ",%.4f", json_real_value(value));
}

static bool write_csv(const struct report *report, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    size_t index;
    const json_t *row;
    fputs("second", file);
    for (uint32_t i = 0; i < METRIC_COUNT; i++) {
        if (METRICS[i].number)
            fprintf(file, ",%s", METRICS[i].name);
        for (uint32_t q = 0; METRICS[i].distribution && q < METRIC_QUANTILE_COUNT; q++)
            fprintf(file, ",%s_%s", METRICS[i].name, METRIC_QUANTILES[q].name);
    }
    fputc('\n', file);
    json_array_foreach(report->series, index, row)
    {
        fprintf(file, "%.3f", json_real_value(json_object_get(row, "second")));
        for (uint32_t i = 0; i < METRIC_COUNT; i++) {
            const json_t *value = json_object_get(row, METRICS[i].name);
            if (METRICS[i].number)
                csv_value(value, file);
            for (uint32_t q = 0; METRICS[i].distribution && q < METRIC_QUANTILE_COUNT; q++)
                csv_value(json_object_get(value, METRIC_QUANTILES[q].name), file);
        }
        fputc('\n', file);
    }
    bool written = !ferror(file);
    return fclose(file) == 0 && written;
}

const char *report_write_files(const struct report *report, const struct report_result *result,
                               const struct report_paths *paths)
{
    if (paths->json[0] && !write_json(report, result, paths->json))
        return paths->json;
    if (paths->csv[0] && !write_csv(report, paths->csv))
        return paths->csv;
    return paths->html[0] && !write_html(report, result, paths->html) ? paths->html : NULL;
}
