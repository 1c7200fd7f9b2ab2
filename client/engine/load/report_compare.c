// SPDX-License-Identifier: MIT
#include "report.h"

#include <math.h>
#include <stdlib.h>

#include "load_game.h"

#define STANDARD_ERRORS 3.0

// One side of the comparison.
struct side {
    struct report_file file;
    struct measurement total;
};

// A figure of both sides.
struct figure {
    const struct metric *metric;
    const struct metric_quantile *quantile; // null: a number
    double values[2];
    double noise; // a smaller difference says nothing
};

struct comparison {
    struct side sides[2];
    double tolerance_pct;
    json_t *rows;
    uint32_t worse;
};

// Returns the squared standard error of the mean of a figure over the series; 0 if there are too few intervals.
static double squared_error(const struct figure *figure, const json_t *series)
{
    double most = 0, sum = 0, squares = 0;
    uint32_t count = 0;
    const json_t *row;
    size_t index;
    json_array_foreach(series, index, row) most = fmax(most, json_number_value(json_object_get(row, "connected")));
    json_array_foreach(series, index, row)
    {
        const json_t *found = json_object_get(row, figure->metric->name);
        if (figure->quantile)
            found = json_object_get(found, figure->quantile->name);
        if (!json_is_number(found) || json_number_value(json_object_get(row, "connected")) < most)
            continue;
        double value = json_number_value(found);
        sum += value;
        squares += value * value;
        count++;
    }
    if (count < 2)
        return 0;
    double variance = (squares - sum * sum / count) / (count - 1);
    return variance > 0 ? variance / count : 0;
}

// Compares a figure, unless a side does not have it or no change of it is for the worse.
static void compare(struct comparison *comparison, struct figure figure, FILE *out)
{
    struct side *sides = comparison->sides;
    for (size_t i = 0; i < 2; i++)
        figure.values[i] = metric_value(figure.metric, figure.quantile, &sides[i].total);
    if (isnan(figure.values[0]) || isnan(figure.values[1]) || (figure.values[0] == 0 && figure.values[1] == 0))
        return;
    figure.noise = STANDARD_ERRORS *
                   sqrt(squared_error(&figure, sides[0].file.series) + squared_error(&figure, sides[1].file.series));
    double change = figure.values[1] - figure.values[0], size = fabs(change);
    double allowed = fabs(figure.values[0]) * comparison->tolerance_pct / 100;
    bool counts = size > allowed && size > figure.noise;
    bool is_worse = counts && (change > 0) == (figure.metric->better == METRIC_LOWER);
    const char *finding = is_worse ? "worse" : counts ? "better" : size > allowed ? "noise" : "same";
    double change_pct = figure.values[0] != 0 ? 100 * change / fabs(figure.values[0]) : INFINITY;
    char name[80];
    snprintf(name, sizeof name, "%s%s%s", figure.metric->name, figure.quantile ? "_" : "",
             figure.quantile ? figure.quantile->name : "");
    fprintf(out, "%-28s %11.2f %11.2f %+8.1f %% %11.2f  %s\n", name, figure.values[0], figure.values[1], change_pct,
            figure.noise, finding);
    comparison->worse += is_worse;
    json_array_append_new(comparison->rows,
                          json_pack("{s:s, s:o, s:o, s:o, s:s}", "metric", name, "before",
                                    report_number(figure.values[0]), "after", report_number(figure.values[1]), "noise",
                                    report_number(figure.noise), "finding", finding));
}

static enum exit_code conclude(const struct comparison *comparison, const struct settings *settings, FILE *out,
                               FILE *err)
{
    bool counts = true;
    for (size_t i = 0; i < 2; i++) {
        if (!json_is_true(json_object_get(comparison->sides[i].file.result, "bottleneck")))
            continue;
        fprintf(out, "the figures of %s do not count: the load test itself was the bottleneck\n",
                comparison->sides[i].file.path);
        counts = false;
    }
    if (comparison->worse > 0)
        fprintf(out, "WORSE: %u figures, by more than %g %% and more than their noise\n", comparison->worse,
                comparison->tolerance_pct);
    else
        fprintf(out, "nothing is worse by more than %g %% and more than its noise\n", comparison->tolerance_pct);
    json_t *root = json_pack("{s:s, s:s, s:s, s:f, s:b, s:I, s:O}", "schema", "deadfall-bots-compare/1", "before",
                             comparison->sides[0].file.path, "after", comparison->sides[1].file.path, "tolerance_pct",
                             comparison->tolerance_pct, "counts", counts, "worse", (json_int_t)comparison->worse,
                             "figures", comparison->rows);
    const char *path = settings->given.json;
    bool written = !path[0] || json_dump_file(root, path, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) == 0;
    json_decref(root);
    if (!written)
        fprintf(err, "%s: %s: cannot be written\n", LOAD_GAME_PROGRAM, path);
    if (!written || fflush(out) != 0 || ferror(out))
        return EXIT_IO;
    return !counts ? EXIT_BOTTLENECK : comparison->worse > 0 ? EXIT_THRESHOLD : EXIT_OK;
}

enum exit_code report_compare(const struct settings *settings, FILE *out, FILE *err)
{
    struct error error = {.text = "out of memory", .code = EXIT_FAILED};
    struct comparison *comparison = calloc(1, sizeof *comparison);
    enum exit_code code;
    bool good = comparison != NULL;
    for (size_t i = 0; good && i < 2; i++) {
        struct side *side = &comparison->sides[i];
        good = report_file_open(&side->file, settings->files[i], &error) &&
               (report_measurement_read(&side->total, side->file.totals) ||
                error_set_code(&error, EXIT_DATA, "%s: its figures are not those of a report", settings->files[i]));
    }
    if (good) {
        comparison->tolerance_pct = (double)settings->given.tolerance;
        comparison->rows = json_array();
        fprintf(out, "%-28s %11s %11s %10s %11s\n", "", "before", "after", "change", "noise");
        for (uint32_t i = 0; i < METRIC_COUNT; i++) {
            if (METRICS[i].better == METRIC_NEITHER)
                continue;
            if (METRICS[i].number)
                compare(comparison, (struct figure){.metric = &METRICS[i]}, out);
            for (uint32_t q = 0; !METRICS[i].number && q < METRIC_QUANTILE_COUNT; q++)
                if (METRIC_QUANTILES[q].per_mille == 500 || METRIC_QUANTILES[q].per_mille == 990)
                    compare(comparison, (struct figure){.metric = &METRICS[i], .quantile = &METRIC_QUANTILES[q]}, out);
        }
        code = conclude(comparison, settings, out, err);
    } else {
        fprintf(err, "%s: %s\n", LOAD_GAME_PROGRAM, error.text);
        code = (enum exit_code)error.code;
    }
    for (size_t i = 0; comparison && i < 2; i++)
        report_file_close(&comparison->sides[i].file);
    json_decref(comparison ? comparison->rows : NULL);
    free(comparison);
    return code;
}
