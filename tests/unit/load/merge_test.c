// SPDX-License-Identifier: MIT
//
// Tests how reports of several processes become one, and which files are refused.
#include "unit.h"

#include <jansson.h>
#include <unistd.h>

#include "load/report.h"
#include "measured.h"

enum { FILES = 2, ROWS = 5 };

// A report of one second with one row, which ends at this moment.
#define REPORT(SECOND)                                                                                                 \
    "{\"schema\": \"" REPORT_SCHEMA "\", \"totals\": {}, \"verdict\": {}, \"started_unix\": 1, \"seconds\": 1, "       \
    "\"interval\": 1, \"series\": [{\"second\": " SECOND "}]}"

static char folder[] = "/tmp/deadfall_merge_XXXXXX", paths[FILES + 1][64];
static struct measurement measurement;
static struct settings settings;

// Reports of two processes, of which the second began half an interval later.
static void write_reports(void)
{
    assert_non_null(mkdtemp(folder));
    measured_fill(&measurement);
    for (uint32_t i = 0; i < FILES + 1; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%u.json", folder, i);
    for (uint32_t i = 0; i < FILES; i++) {
        struct report_run run = {.server = "example.org:5", .started_s = 1000 + 0.5 * i, .interval_s = 1};
        struct report_result result = {true, true, true, true, false, true, false, ROWS, &measurement};
        struct report *report = report_create(&run);
        for (uint32_t row = 1; report && row <= ROWS; row++)
            report_interval(report, row, &measurement, NULL);
        assert_true(report);
        assert_int_equal(report_write_files(report, &result, &(struct report_paths){paths[i], "", ""}), 0);
        report_destroy(report);
    }
}

static void remove_reports(void)
{
    for (uint32_t i = 0; i < FILES + 1; i++)
        unlink(paths[i]);
    assert_int_equal(rmdir(folder), 0);
}

ALL_TESTS(write_reports, remove_reports);

static enum exit_code run(enum exit_code (*command)(const struct settings *, FILE *, FILE *), char text[1024])
{
    FILE *out = fopen("/dev/null", "w"), *err = fmemopen(text, 1024, "w");
    assert_true(out && err);
    enum exit_code code = command(&settings, out, err);
    fclose(out);
    fclose(err);
    return code;
}

static void begin(const char *first, const char *second)
{
    settings = (struct settings){.file_count = FILES, .files = {first, second}};
    snprintf(settings.given.json, sizeof settings.given.json, "%s", paths[FILES]);
}

static json_int_t count_of(const json_t *row, const char *name)
{
    return json_integer_value(json_object_get(json_object_get(row, "counts"), name));
}

TEST(each_row_is_in_the_merged_series_once)
{
    char text[1024] = "";
    begin(paths[0], paths[1]);
    assert_int_equal(run(report_merge, text), EXIT_OK);
    json_t *root = json_load_file(paths[FILES], 0, NULL);
    const json_t *series = json_object_get(root, "series"), *row;
    json_int_t snapshots = 0;
    size_t index;
    assert_true(json_array_size(series) >= ROWS && json_array_size(series) <= ROWS + 1);
    json_array_foreach(series, index, row) snapshots += count_of(row, "snapshots");
    assert_int_equal(snapshots, FILES * ROWS * (json_int_t)measurement.sample.snapshots);
    assert_int_equal(count_of(json_object_get(root, "totals"), "snapshots"),
                     FILES * (json_int_t)measurement.sample.snapshots);
    json_decref(root);
    begin(paths[0], paths[0]);
    assert_int_equal(run(report_compare, text), EXIT_OK); // not worse than itself
}

TEST(a_file_that_is_no_report_is_refused)
{
    static const struct {
        const char *bytes; // null: there is no such file
        enum exit_code code;
        const char *text;
    } rows[] = {
        /* 1 */ {NULL, EXIT_IO, "cannot be read"},
        /* 2 */ {"", EXIT_DATA, ":1: is no JSON"},
        /* 3 */ {"{\n\"schema\": }", EXIT_DATA, ":2: is no JSON"},
        /* 4 */ {"{}", EXIT_DATA, "is no report of deadfall-bots"},
        /* 5 */ {"[]", EXIT_DATA, "is no report of deadfall-bots"},
        // A row that ends after the run, and one that hardly begins.
        /* 6 */ {REPORT("1.1"), EXIT_DATA, "is no report of deadfall-bots"},
        /* 7 */ {REPORT("0.00001"), EXIT_DATA, "is no report of deadfall-bots"},
    };
    char path[80];
    snprintf(path, sizeof path, "%s/other", folder);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        FILE *file = rows[i].bytes ? fopen(path, "w") : NULL;
        if (file) {
            fputs(rows[i].bytes, file);
            fclose(file);
        }
        for (uint32_t command = 0; command < 2; command++) {
            char text[1024] = "";
            begin(paths[0], path);
            enum exit_code code = run(command ? report_compare : report_merge, text);
            if (code != rows[i].code || !strstr(text, rows[i].text))
                fail_msg("row %zu: exit %d, %s", i + 1, code, text);
        }
        unlink(path);
    }
}
