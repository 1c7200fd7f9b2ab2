// SPDX-License-Identifier: MIT
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "load_game.h"

// Outages of all files together.
#define OUTAGE_CAPACITY 4096
// Rows of the series: a day in intervals of 0.1 s.
#define SLOTS_MAX 900000

#define NOT_A_REPORT "%s: its figures are not those of a report"

struct merge {
    const struct settings *settings;
    struct report_file files[SETTINGS_FILE_CAPACITY];
    uint32_t count;
    double started_s, seconds, interval_s; // of all
    struct report *report;
    struct report_result result;
    uint32_t outage_count;
    struct report_outage outages[OUTAGE_CAPACITY];
    struct measurement sum, part;
};

static bool open_files(struct merge *merge, struct error *error)
{
    for (uint32_t i = 0; i < merge->settings->file_count; i++) {
        struct report_file *file = &merge->files[merge->count++];
        if (!report_file_open(file, merge->settings->files[i], error))
            return false;
        if (file->interval_s != merge->files[0].interval_s)
            return error_set_code(
                error, EXIT_DATA,
                "%s has an interval of %g s and %s one of %g s; give all processes the same --interval", file->path,
                file->interval_s, merge->files[0].path, merge->files[0].interval_s);
    }
    return true;
}

// How much later than the first a file's run began.
static double offset_s(const struct merge *merge, uint32_t i)
{
    return merge->files[i].started_s - merge->started_s;
}

// Adds the rows of a file that end nearest to the end of a slot, of which most may have none. Only the newest says how
// many are connected.
static bool add_rows(struct merge *merge, uint32_t i, size_t slot, size_t *next, bool *any, struct error *error)
{
    const json_t *row;
    uint32_t connected = 0;
    while ((row = json_array_get(merge->files[i].series, *next))) {
        double end_s = offset_s(merge, i) + report_file_second(row);
        if (end_s > ((double)slot + 1.5) * merge->interval_s)
            break;
        if (!*any)
            metric_measurement_begin(&merge->sum);
        if (!report_measurement_read(&merge->part, row))
            return error_set_code(error, EXIT_DATA, NOT_A_REPORT, merge->files[i].path);
        metric_measurement_add(&merge->sum, &merge->part);
        merge->sum.connected -= connected;
        connected = merge->part.connected;
        *any = true;
        ++*next;
    }
    return true;
}

static bool merge_series(struct merge *merge, struct error *error)
{
    size_t next[SETTINGS_FILE_CAPACITY] = {0}, slots = (size_t)(merge->seconds / merge->interval_s) + 2;
    if (slots > SLOTS_MAX)
        return error_set_code(error, EXIT_DATA, "the runs lie too far apart to be one: %.0f s", merge->seconds);
    for (size_t slot = 0; slot < slots;) {
        bool any = false;
        for (uint32_t i = 0; i < merge->count; i++)
            if (!add_rows(merge, i, slot, &next[i], &any, error))
                return false;
        if (any)
            report_interval(merge->report, fmin(((double)slot + 1) * merge->interval_s, merge->seconds), &merge->sum,
                            NULL);
        double end_s = INFINITY; // no row ends between this slot and the next
        for (uint32_t i = 0; i < merge->count; i++) {
            const json_t *row = json_array_get(merge->files[i].series, next[i]);
            end_s = row ? fmin(end_s, offset_s(merge, i) + report_file_second(row)) : end_s;
        }
        slot = (size_t)fmin(fmax((double)slot + 1, end_s / merge->interval_s - 2), SLOTS_MAX);
    }
    return true;
}

static bool is_true(const struct report_file *file, const char *flag)
{
    return json_is_true(json_object_get(file->result, flag));
}

static bool merge_totals(struct merge *merge, struct error *error)
{
    struct report_result *result = &merge->result;
    *result = (struct report_result){true, true, true, true, false, true, false, merge->seconds, &merge->sum};
    metric_measurement_begin(&merge->sum);
    for (uint32_t i = 0; i < merge->count; i++) {
        const struct report_file *file = &merge->files[i];
        if (!report_measurement_read(&merge->part, file->totals))
            return error_set_code(error, EXIT_DATA, NOT_A_REPORT, file->path);
        metric_measurement_add(&merge->sum, &merge->part);
        result->all_joined &= is_true(file, "all_joined");
        result->undisturbed &= is_true(file, "undisturbed");
        result->without_outage &= is_true(file, "without_outage");
        result->server_keeps &= is_true(file, "server_keeps");
        result->within_thresholds &= is_true(file, "within_thresholds");
        result->bottleneck |= is_true(file, "bottleneck");
        result->interrupted |= json_is_true(json_object_get(file->root, "interrupted"));
    }
    for (uint32_t i = 0; i < merge->settings->given.thresholds.count; i++)
        result->within_thresholds &= metric_threshold_holds(&merge->settings->thresholds[i], &merge->sum);
    return true;
}

static int by_time(const void *left, const void *right)
{
    double a = ((const struct report_outage *)left)->second, b = ((const struct report_outage *)right)->second;
    return (a > b) - (a < b);
}

// What several processes saw at the same time is one outage.
static void merge_outages(struct merge *merge)
{
    qsort(merge->outages, merge->outage_count, sizeof *merge->outages, by_time);
    for (uint32_t i = 0; i < merge->outage_count;) {
        struct report_outage whole = merge->outages[i++];
        for (; i < merge->outage_count && merge->outages[i].second <= whole.second + whole.seconds; i++) {
            const struct report_outage *more = &merge->outages[i];
            whole.seconds = fmax(whole.seconds, more->second + more->seconds - whole.second);
            whole.clients += more->clients;
        }
        report_outage(merge->report, &whole);
    }
}

static void take_notes(struct merge *merge)
{
    for (uint32_t i = 0; i < merge->count; i++) {
        const struct report_file *file = &merge->files[i];
        const json_t *text, *row;
        size_t index;
        // A mark that all processes set at once is one.
        json_array_foreach(json_object_get(file->root, "marks"), index, row)
        {
            const char *mark = json_string_value(json_object_get(row, "text"));
            double second = offset_s(merge, i) + report_file_second(row);
            if (mark && !report_has_mark(merge->report, second, merge->interval_s, mark))
                report_mark(merge->report, second, mark);
        }
        json_array_foreach(json_object_get(file->root, "outages"), index, row)
        {
            json_int_t clients = json_integer_value(json_object_get(row, "clients"));
            if (merge->outage_count == OUTAGE_CAPACITY || clients < 1 || clients > UINT16_MAX)
                break;
            merge->outages[merge->outage_count++] = (struct report_outage){
                .second = offset_s(merge, i) + report_file_second(row),
                .seconds = json_number_value(json_object_get(row, "seconds")),
                .clients = (uint32_t)clients,
            };
        }
        json_array_foreach(json_object_get(file->root, "warnings"), index, text)
        {
            if (json_is_string(text))
                report_warn(merge->report, "%s: %s", file->path, json_string_value(text));
        }
        report_part(merge->report, file->path, file->root);
    }
    merge_outages(merge);
}

static bool merge_all(struct merge *merge, struct error *error)
{
    const struct settings *settings = merge->settings;
    error_set_code(error, EXIT_FAILED, "out of memory");
    if (!open_files(merge, error))
        return false;
    double end_s = 0;
    merge->started_s = merge->files[0].started_s;
    merge->interval_s = merge->files[0].interval_s;
    for (uint32_t i = 0; i < merge->count; i++) {
        merge->started_s = fmin(merge->started_s, merge->files[i].started_s);
        end_s = fmax(end_s, merge->files[i].started_s + merge->files[i].seconds);
    }
    merge->seconds = end_s - merge->started_s;
    const char *server = json_string_value(json_object_get(merge->files[0].root, "server"));
    struct report_run run = {.argc = (int)settings->argument_count,
                             .argv = settings->arguments,
                             .seed = (uint32_t)settings->given.seed,
                             .server = server ? server : "",
                             .started_s = merge->started_s,
                             .interval_s = merge->interval_s,
                             .thresholds = settings->thresholds,
                             .threshold_count = settings->given.thresholds.count};
    merge->report = report_create(&run);
    if (!merge->report || !merge_series(merge, error) || !merge_totals(merge, error))
        return false;
    take_notes(merge);
    return true;
}

enum exit_code report_merge(const struct settings *settings, FILE *out, FILE *err)
{
    struct error error = {.text = "out of memory", .code = EXIT_FAILED};
    struct merge *merge = calloc(1, sizeof *merge);
    if (merge)
        merge->settings = settings;
    if (merge && merge_all(merge, &error)) {
        struct report_paths paths = {settings->given.json, settings->given.csv, settings->given.html};
        report_summary(merge->report, &merge->result, out);
        const char *failed = NULL;
        if (fflush(out) != 0 || ferror(out))
            error_set_code(&error, EXIT_IO, "standard output cannot be written");
        else if ((failed = report_write_files(merge->report, &merge->result, &paths)))
            error_set_code(&error, EXIT_IO, "%s: cannot be written", failed);
        else
            error = (struct error){.code = (int)report_exit_code(&merge->result)};
    }
    if (error.text[0])
        fprintf(err, "%s: %s\n", LOAD_GAME_PROGRAM, error.text);
    for (uint32_t i = 0; merge && i < merge->count; i++)
        report_file_close(&merge->files[i]);
    report_destroy(merge ? merge->report : NULL);
    free(merge);
    return (enum exit_code)error.code;
}
