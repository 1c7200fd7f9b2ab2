// SPDX-License-Identifier: MIT
//
// Tests the reports of a load test: its lines, its summary, and the figures of its JSON, CSV and page, read back.
#include "unit.h"

#include <jansson.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "load/report.h"
#include "measured.h"

static struct measurement measurement, empty;
static struct threshold thresholds[3];
static struct report *report;
static char path[40], *text; // the text that was printed or written
static const struct report_result GOOD = {
    .all_joined = true, .undisturbed = true, .without_outage = true, .server_keeps = true, .within_thresholds = true};

static void begin(void)
{
    static char *argv[] = {(char *)(uintptr_t) "deadfall-bots", (char *)(uintptr_t) "--name",
                           (char *)(uintptr_t) "<&\">\001", NULL};
    static const char *const given[] = {"rtt_p99<50ms", "desyncs<=2", "own_cpu_pct<5"};
    for (uint32_t i = 0; i < COUNT_OF(given); i++) {
        struct error error;
        assert_true(metric_threshold_read(&thresholds[i], given[i], &error));
    }
    struct report_run run = {.argc = 3,
                             .argv = argv,
                             .seed = 4000000000,
                             .server = "example.org:5",
                             .started_s = 951782400.25, // a leap day
                             .interval_s = 0.5,
                             .thresholds = thresholds,
                             .threshold_count = COUNT_OF(given)};
    report = report_create(&run);
    assert_non_null(report);
    measured_fill(&measurement);
    memset(&empty, 0, sizeof empty);
    empty.server.cpu_pct = empty.server.resident_mib = NAN;
    strcpy(path, "/tmp/bots_report_XXXXXX");
    close(mkstemp(path));
    text = NULL;
}

static void finish(void)
{
    report_destroy(report);
    unlink(path);
    free(text);
}

EACH_TEST(begin, finish);

static void read_back(void)
{
    FILE *file = fopen(path, "r");
    free(text);
    text = calloc(1, 1 << 20);
    assert_true(file && text && fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
}

static void expect(const char *wanted)
{
    if (!strstr(text, wanted))
        fail_msg("there is no '%s' in\n%s", wanted, text);
}

TEST(an_interval_is_one_line)
{
    size_t size;
    FILE *file = open_memstream(&text, &size);
    report_interval(report, 12.4, &measurement, file);
    report_interval(report, 13, &empty, file);
    report_interval(report, 14, &measurement, NULL);
    fclose(file);
    // rtt p50: 75 * 256 - 1 us; ack p50 and p99: 85 * 512 - 1 and 8 * 85 * 512 - 1 us.
    assert_string_equal(
        text,
        "   12 s  connected 7  snapshots 59.4/s  down 12000 B/s  up 2525 B/s  rtt 19.2 ms  ack p50 43.5 p99 348.2 ms  "
        "missed 25  corrections 3  desyncs 2\n"
        "   13 s  connected 0  snapshots 0.0/s  down 0 B/s  up 0 B/s  rtt 0.0 ms  ack p50 0.0 p99 0.0 ms  "
        "missed 0  corrections 0  desyncs 0\n");
}

static void summarise(const struct measurement *total, const struct report_result *result)
{
    size_t size;
    free(text);
    FILE *file = open_memstream(&text, &size);
    struct report_result whole = *result;
    whole.seconds = 61.6;
    whole.total = total;
    report_summary(report, &whole, file);
    fclose(file);
}

TEST(the_summary_has_every_metric_every_reason_and_every_threshold)
{
    summarise(&measurement, &GOOD);
    char expected[8000];
    size_t used = (size_t)snprintf(expected, sizeof expected,
                                   "\n                               p50       p90       p95       p99     p99.9       "
                                   "max     count\n");
#define PRINT(...) used += (size_t)snprintf(expected + used, sizeof expected - used, __VA_ARGS__)
    for (uint32_t i = 0; i < MEASURED_ROWS; i++) {
        if (!MEASURED[i].base)
            continue;
        PRINT("%-24s", MEASURED[i].name);
        for (uint32_t q = 0; q < QUANTILES; q++)
            PRINT(" %9.2f", (double)measured_quantile(MEASURED[i].base, q) * MEASURED[i].scale);
        PRINT("      1000\n");
    }
    for (uint32_t i = 0; i < MEASURED_ROWS; i++)
        if (!MEASURED[i].base)
            PRINT("%-24s %9.2f%s%s\n", MEASURED[i].name, MEASURED[i].number, *MEASURED[i].unit ? " " : "",
                  MEASURED[i].unit);
    PRINT("disconnects: lost 1\ndisconnects: version 2\ndisconnects: full 4\ndisconnects: kicked 8\n"
          "disconnects: closing 16\ndisconnects: protocol 32\ndisconnects: silent 64\ndisconnects: replaced 128\n"
          "disconnects: household 256\ndisconnects: restarting 512\n"
          "threshold rtt_p99<50ms: BROKEN (153.6)\n"
          "threshold desyncs<=2: holds (2)\n"
          "threshold own_cpu_pct<5: BROKEN (12.5)\n"
          "passed\n");
    assert_string_equal(text, expected);
}

TEST(the_summary_shows_a_dash_where_there_is_no_sample)
{
    summarise(&empty, &GOOD);
    expect("rtt_ms                           -         -         -         -         -         -         0\n");
    expect("snapshots_per_s                  -\n");
    expect("server_rss_mib                   - MiB\n");
    expect("threshold rtt_p99<50ms: BROKEN (no sample)\n");
    expect("threshold desyncs<=2: holds (0)\n");
    assert_null(strstr(text, "disconnects: "));
    assert_null(strstr(text, "interrupted"));
}

TEST(every_fault_of_a_run_has_its_message_and_fails)
{
    static const struct {
        struct report_result changes; // flags that are not as in GOOD
        const char *end;              // of the summary
    } rows[] = {
        /* 1 */ {.changes.all_joined = true, .end = "FAILED: not every client could join the match\n"},
        /* 2 */ {.changes.undisturbed = true, .end = "FAILED: clients were lost, or worlds differed\n"},
        /* 3 */ {.changes.within_thresholds = true, .end = "FAILED: a threshold is broken\n"},
        /* 4 */
        {.changes.interrupted = true, .end = "interrupted after 62 s\nFAILED: interrupted before its time\n"},
        /* 5 */
        {.changes.bottleneck = true,
         // own lag: p99 is 8 * 250 - 1 us
         .end = "FAILED: the load test itself was the bottleneck, so its figures do not count: it woke up to "
                "2.0 ms late (p99, at most 16.7) and used 12 % of a core (at most 80); use fewer clients, fewer full "
                "clients (--verify), or a machine with a free core\n"},
        /* 6 */
        {.changes.without_outage = true,
         .end = "FAILED: 2 outages, the longest: for 1.25 s from second 10.5 on, 7 clients got no snapshots\n"},
        /* 7 */
        {.changes.server_keeps = true, .end = "FAILED: the server could not write what it keeps (see the warnings)\n"},
    };
    report_outage(report, &(struct report_outage){.second = 3, .seconds = 0.25, .clients = 9});
    report_outage(report, &(struct report_outage){.second = 10.5, .seconds = 1.25, .clients = 7});
    assert_true(report_passed(&GOOD));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char expected[500];
        const struct report_result *changes = &rows[i].changes;
        struct report_result result = {.all_joined = !changes->all_joined,
                                       .undisturbed = !changes->undisturbed,
                                       .without_outage = !changes->without_outage,
                                       .server_keeps = !changes->server_keeps,
                                       .within_thresholds = !changes->within_thresholds,
                                       .bottleneck = changes->bottleneck,
                                       .interrupted = changes->interrupted};
        snprintf(expected, sizeof expected, "threshold own_cpu_pct<5: BROKEN (12.5)\n%s", rows[i].end);
        assert_false(report_passed(&result));
        summarise(&measurement, &result);
        if (strlen(text) < strlen(expected) || strcmp(text + strlen(text) - strlen(expected), expected) != 0)
            fail_msg("row %zu: %s", i + 1, text);
    }
}

// Expects a figure of the JSON, rounded to four decimal places.
static void expect_figure(const json_t *value, double expected, const char *name)
{
    if (!json_is_number(value) || !(fabs(json_number_value(value) - expected) <= 0.5001e-4))
        fail_msg("%s is %g, not %g", name, json_number_value(value), expected);
}

static void expect_measured(const json_t *row)
{
    assert_int_equal(json_object_size(row), MEASURED_ROWS + 4 + (json_object_get(row, "second") != NULL));
    for (uint32_t i = 0; i < MEASURED_ROWS; i++) {
        const struct measured_row *expected = &MEASURED[i];
        const json_t *value = json_object_get(row, expected->name);
        if (!expected->base) {
            expect_figure(value, expected->number, expected->name);
            continue;
        }
        assert_int_equal(json_object_size(value), 6 + QUANTILES);
        assert_int_equal(json_integer_value(json_object_get(value, "count")), MEASURED_COUNT);
        expect_figure(json_object_get(value, "mean"), measured_mean(expected->base) * expected->scale, expected->name);
        for (uint32_t q = 0; q < QUANTILES; q++)
            expect_figure(json_object_get(value, METRIC_QUANTILES[q].name),
                          (double)measured_quantile(expected->base, q) * expected->scale, expected->name);
    }
    const json_t *reasons = json_object_get(row, "disconnects_by_reason");
    assert_int_equal(json_object_size(reasons), DENY_REASONS);
    for (uint32_t i = 0; i < DENY_REASONS; i++)
        assert_int_equal(json_integer_value(json_object_get(reasons, metric_reason_name(i))), 1 << i);
    const json_t *kinds = json_object_get(row, "actions_refuted_by_kind");
    assert_int_equal(json_object_size(kinds), 2);
    assert_int_equal(json_integer_value(json_object_get(kinds, "jump")), 2);
    assert_int_equal(json_integer_value(json_object_get(kinds, "closing")), 5);
    const json_t *events = json_object_get(row, "events_by_kind");
    assert_int_equal(json_object_size(events), 2);
    assert_int_equal(json_integer_value(json_object_get(events, "jump")), 11);
    assert_int_equal(json_integer_value(json_object_get(events, "closing")), 12);
}

static json_t *written_json(const struct report_result *result)
{
    json_error_t error;
    struct report_result whole = *result;
    whole.seconds = 61.625;
    whole.total = &measurement;
    assert_null(report_write_files(report, &whole, &(struct report_paths){path, "", ""}));
    json_t *root = json_load_file(path, 0, &error);
    assert_non_null(root);
    return root;
}

static bool is_flag(const json_t *object, const char *name, bool expected)
{
    const json_t *value = json_object_get(object, name);
    return expected ? json_is_true(value) : json_is_false(value);
}

TEST(the_json_has_every_figure_of_the_run_and_of_each_interval)
{
    report_interval(report, 0.5, &empty, NULL);
    report_interval(report, 1.25, &measurement, NULL);
    json_t *root = written_json(&GOOD);
    assert_string_equal(json_string_value(json_object_get(root, "schema")), "deadfall-bots/2");
    assert_string_equal(json_string_value(json_object_get(root, "version")), DEADFALL_VERSION);
    assert_string_equal(json_string_value(json_object_get(root, "server")), "example.org:5");
    assert_string_equal(json_string_value(json_object_get(root, "started")), "2000-02-29T00:00:00Z");
    assert_int_equal(json_integer_value(json_object_get(root, "seed")), 4000000000);
    expect_figure(json_object_get(root, "seconds"), 61.625, "seconds");
    assert_true(is_flag(root, "interrupted", false) && is_flag(root, "passed", true));
    expect_figure(json_object_get(root, "started_unix"), 951782400.25, "started_unix");
    expect_figure(json_object_get(root, "interval"), 0.5, "interval");
    assert_int_equal(json_object_size(root), 19);
    struct utsname names;
    const json_t *host = json_object_get(root, "host");
    assert_int_equal(uname(&names), 0);
    assert_string_equal(json_string_value(json_object_get(host, "name")), names.nodename);
    assert_string_equal(json_string_value(json_object_get(host, "system")), names.sysname);
    assert_string_equal(json_string_value(json_object_get(host, "release")), names.release);
    assert_string_equal(json_string_value(json_object_get(host, "machine")), names.machine);
    assert_int_equal(json_integer_value(json_object_get(host, "processors")), sysconf(_SC_NPROCESSORS_ONLN));
    const json_t *arguments = json_object_get(root, "arguments");
    assert_int_equal(json_array_size(arguments), 2);
    assert_string_equal(json_string_value(json_array_get(arguments, 0)), "--name");
    assert_string_equal(json_string_value(json_array_get(arguments, 1)), "<&\">\001");
    expect_measured(json_object_get(root, "totals"));
    const json_t *series = json_object_get(root, "series"), *first = json_array_get(series, 0);
    assert_int_equal(json_array_size(series), 2);
    expect_figure(json_object_get(first, "second"), 0.5, "second");
    assert_true(json_is_null(json_object_get(first, "snapshots_per_s")));
    assert_true(json_is_null(json_object_get(json_object_get(first, "rtt_ms"), "p99")));
    expect_figure(json_object_get(json_array_get(series, 1), "second"), 1.25, "second");
    expect_measured(json_array_get(series, 1));
    json_decref(root);
}

TEST(the_json_has_each_threshold_and_each_flag_of_the_result)
{
    static const char *const names[] = {"all_joined", "undisturbed",       "without_outage", "server_keeps",
                                        "bottleneck", "within_thresholds", "interrupted"};
    static const size_t messages[] = {4, 4, 4, 4, 6, 4, 6}; // one for each flag that is wrong
    for (uint32_t flag = 0; flag < COUNT_OF(names); flag++) {
        struct report_result result = {.all_joined = flag == 0,
                                       .undisturbed = flag == 1,
                                       .without_outage = flag == 2,
                                       .server_keeps = flag == 3,
                                       .bottleneck = flag == 4,
                                       .within_thresholds = flag == 5,
                                       .interrupted = flag == 6};
        json_t *root = written_json(&result);
        const json_t *given = json_object_get(root, "verdict");
        for (uint32_t i = 0; i < COUNT_OF(names); i++)
            assert_true(is_flag(i < 6 ? given : root, names[i], i == flag));
        assert_true(is_flag(root, "passed", false));
        assert_int_equal(json_array_size(json_object_get(given, "sentences")), messages[flag]);
        json_decref(root);
    }
    json_t *root = written_json(&GOOD);
    const json_t *rows = json_object_get(root, "thresholds");
    static const double values[] = {153.599, 2, 12.5};
    assert_int_equal(json_array_size(rows), COUNT_OF(values));
    for (uint32_t i = 0; i < COUNT_OF(values); i++) {
        const json_t *row = json_array_get(rows, i);
        assert_string_equal(json_string_value(json_object_get(row, "threshold")), thresholds[i].text);
        expect_figure(json_object_get(row, "value"), values[i], thresholds[i].text);
        assert_true(is_flag(row, "holds", i == 1));
    }
    json_decref(root);
}

TEST(the_csv_has_a_column_per_figure_and_a_row_per_interval)
{
    char expected[8000] = "second";
    size_t used = strlen(expected);
    report_interval(report, 1.0625, &measurement, NULL);
    report_interval(report, 2, &empty, NULL);
    assert_null(report_write_files(report, &GOOD, &(struct report_paths){"", path, ""}));
    read_back();
    for (uint32_t i = 0; i < MEASURED_ROWS; i++) {
        if (!MEASURED[i].base)
            PRINT(",%s", MEASURED[i].name);
        for (uint32_t q = 0; MEASURED[i].base && q < QUANTILES; q++)
            PRINT(",%s_%s", MEASURED[i].name, METRIC_QUANTILES[q].name);
    }
    PRINT("\n1.062");
    for (uint32_t i = 0; i < MEASURED_ROWS; i++) {
        if (!MEASURED[i].base)
            PRINT(",%.4f", MEASURED[i].number);
        for (uint32_t q = 0; MEASURED[i].base && q < QUANTILES; q++)
            PRINT(",%.4f", (double)measured_quantile(MEASURED[i].base, q) * MEASURED[i].scale);
    }
    PRINT("\n2.000");
    for (uint32_t i = 0; i < MEASURED_ROWS; i++) {
        static const char *const zeros[] = {
            "connected", "least_snapshots_per_s", "desyncs",    "disconnects",  "facts_lost", "bytes_down",
            "bytes_up",  "packets_down",          "packets_up", "false_events", "reconnects", "outages",
            "expelled",  "flood_messages",        "own_cpu_pct"};
        static const char six_zeros[] = ",0.0000,0.0000,0.0000,0.0000,0.0000,0.0000";
        bool is_unhurt = strcmp(MEASURED[i].name, "outage_ms") == 0 || strcmp(MEASURED[i].name, "recover_ms") == 0;
        bool is_zero = false;
        for (size_t k = 0; k < COUNT_OF(zeros); k++)
            is_zero = is_zero || strcmp(MEASURED[i].name, zeros[k]) == 0;
        PRINT("%s", is_zero ? ",0.0000" : is_unhurt ? six_zeros : MEASURED[i].base ? ",,,,,," : ",");
    }
    PRINT("\n");
    assert_string_equal(text, expected);
}

TEST(a_measurement_that_is_read_back_is_the_same)
{
    static struct measurement again;
    json_t *object = report_measurement_write(&measurement);
    assert_true(report_measurement_read(&again, object));
    assert_memory_equal(&again.sample, &measurement.sample, sizeof again.sample);
    assert_memory_equal(&again.lag_us, &measurement.lag_us, sizeof again.lag_us);
    assert_memory_equal(&again.server.tick_us, &measurement.server.tick_us, sizeof again.server.tick_us);
    assert_true(again.connected == 7 && again.cpu_pct == 12.5 && again.least_snapshots_per_s == 58.5);
    assert_true(again.server.cpu_pct == 37.5 && again.server.resident_mib == 48.25);
    json_decref(object);
}

TEST(a_measurement_that_nobody_measured_is_refused)
{
    static struct measurement again;
    static const struct {
        const char *path[3]; // of a value in the JSON
        const char *value;   // in its place; null: it is missing
    } rows[] = {
        /*  1 */ {{"counts", "snapshots"}, NULL},
        /*  2 */ {{"counts", "snapshots"}, "-1"},
        /*  3 */ {{"counts", "snapshots"}, "0.5"},
        /*  4 */ {{"counts", "snapshots"}, "9007199254740993"},
        /*  5 */ {{"counts"}, "[]"},
        /*  6 */ {{"rtt_ms"}, NULL},
        /*  7 */ {{"rtt_ms", "count"}, "999"},
        /*  8 */ {{"rtt_ms", "sum"}, "\"1\""},
        /*  9 */ {{"rtt_ms", "buckets"}, "{}"},
        /* 10 */ {{"rtt_ms", "buckets"}, "[[1]]"},
        /* 11 */ {{"rtt_ms", "buckets"}, "[[-1,1000]]"},
        /* 12 */ {{"rtt_ms", "buckets"}, "[7]"},
        /* 13 */ {{"connected"}, "-1"},
        /* 14 */ {{"connected"}, "1e300"},
        /* 15 */ {{"connected"}, "null"},
        /* 16 */ {{"disconnects_by_reason", "full"}, "true"},
        /* 17 */ {{"actions_refuted_by_kind", "jump"}, "-2"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        json_t *root = report_measurement_write(&measurement), *object = root;
        for (; rows[i].path[1] && object == root;)
            object = json_object_get(root, rows[i].path[0]);
        const char *key = rows[i].path[1] ? rows[i].path[1] : rows[i].path[0];
        json_object_del(object, key);
        if (rows[i].value)
            json_object_set_new(object, key, json_loads(rows[i].value, JSON_DECODE_ANY, NULL));
        if (report_measurement_read(&again, root))
            fail_msg("row %zu", i + 1);
        json_decref(root);
    }
    assert_false(report_measurement_read(&again, NULL));
}

TEST(the_page_is_static_but_for_the_report_in_it)
{
    struct report_result result = GOOD;
    result.total = &measurement;
    report_interval(report, 1, &measurement, NULL);
    report_mark(report, 0.5, "count <20></script><!--");
    assert_null(report_write_files(report, &result, &(struct report_paths){"", "", path}));
    read_back();
    char *begin = strstr(text, "id=\"report\">\n") + strlen("id=\"report\">\n"), *end = strstr(begin, "\n</script>");
    char *content = strndup(begin, (size_t)(end - begin));
    assert_null(strchr(content, '<')); // nothing ends its element
    static const char mark[] = "@REPORT@";
    static char page[1 << 16];
    FILE *file = fopen(SOURCE_ROOT "/client/engine/load/report.html", "r");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    size_t head = (size_t)(strstr(page, mark) - page), body = strlen(content);
    assert_memory_equal(text, page, head);
    assert_memory_equal(text + head, content, body);
    assert_string_equal(text + head + body, page + head + strlen(mark));

    json_t *embedded = json_loads(content, 0, NULL);
    free(content);
    assert_null(report_write_files(report, &result, &(struct report_paths){path, "", ""}));
    read_back();
    json_t *whole = json_loads(text, 0, NULL);
    assert_non_null(embedded);
    assert_true(json_equal(embedded, whole));
    json_decref(embedded);
    json_decref(whole);
}

TEST(a_full_disk_and_a_missing_folder_are_reported)
{
    struct report_result result = GOOD;
    result.total = &measurement;
    static const char *const places[] = {"/dev/full", "/nowhere/report"};
    report_interval(report, 1, &measurement, NULL);
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        struct report_paths paths[] = {{places[i], "", ""}, {"", places[i], ""}, {"", "", places[i]}};
        for (size_t k = 0; k < COUNT_OF(paths); k++)
            assert_string_equal(report_write_files(report, &result, &paths[k]), places[i]);
    }
}
