// SPDX-License-Identifier: MIT
//
// Tests whole load tests in virtual time: how they end, what they print and write, and their exit codes.
#include "unit.h"

#include <arpa/inet.h>
#include <jansson.h>
#include <sys/socket.h>
#include <unistd.h>

#include "arena.h"
#include "load/load_test.h"
#include "memory_network.h"

#define SECOND_NS UINT64_C(1000000000)

static struct arena arena;
static struct settings settings;
static struct error error;
static char path[40];
static json_t *report; // of the last run, if it had --json

// One run: the circumstances, and the results.
static struct {
    uint64_t late_ns;         ///< how late each pulse is
    double cores, more_cores; ///< CPU time that it uses; from two seconds on, more_cores besides
    double stop_s;            ///< when a signal ends it; 0: none does
    double block_s[2];        ///< from when to when nothing comes from the server
    bool redraw;
    const char *out_path; ///< where its output goes; null: to `out`
    int listener, peer;   ///< the server's metrics, and the connection that asks for them; 0: none
    uint32_t questions;   ///< requests that the server got
    double seconds;       ///< how long it took
    uint64_t pulses;
    char *out, *err;
    enum exit_code code;
} run;

static void begin(void)
{
    memset(&run, 0, sizeof run);
    memset(&error, 0, sizeof error);
    strcpy(path, "/tmp/bots_load_XXXXXX");
    close(mkstemp(path));
    arena_begin(&arena, 4, &(struct impairment){0});
    report = NULL;
}

static void finish(void)
{
    arena_end(&arena);
    unlink(path);
    free(run.out);
    free(run.err);
    if (run.listener)
        close(run.listener);
    json_decref(report);
}

EACH_TEST(begin, finish);

static void again(void)
{
    finish();
    begin();
}

// The server's metrics: it uses a quarter of a core, and each tick takes a millisecond.
static void answer_metrics(void)
{
    char text[300];
    if (run.listener && run.peer <= 0)
        run.peer = accept4(run.listener, NULL, NULL, SOCK_CLOEXEC);
    if (run.peer <= 0 || recv(run.peer, text, sizeof text, MSG_DONTWAIT) <= 0)
        return;
    run.questions++;
    snprintf(text, sizeof text,
             "HTTP/1.0 200 OK\r\n\r\ndeadfall_tick_duration_seconds_bucket{le=\"0.001\"} %llu\n"
             "process_cpu_seconds_total %.6f\n",
             (unsigned long long)arena.ticks, (double)arena.now_us / 4e6);
    assert_true(send(run.peer, text, strlen(text), MSG_NOSIGNAL) > 0);
    close(run.peer);
    run.peer = 0;
}

static struct load_test_time at(uint64_t now_ns)
{
    uint64_t start_ns = (uint64_t)ARENA_START_US * 1000;
    double ns = (double)(now_ns - start_ns);
    return (struct load_test_time){now_ns, 777 + (uint64_t)(ns * run.cores + fmax(0, ns - 2e9) * run.more_cores)};
}

static enum exit_code drive(struct load_test *test)
{
    uint64_t now_ns = (uint64_t)ARENA_START_US * 1000, start_ns = now_ns;
    bool goes_on = true;
    load_test_begin(test, at(now_ns));
    while (goes_on && !(run.stop_s > 0 && now_ns >= start_ns + (uint64_t)(run.stop_s * 1e9))) {
        now_ns = load_test_next_ns(test) + run.late_ns;
        double now_s = (double)(now_ns - start_ns) / 1e9;
        if (run.block_s[1] > 0)
            memory_network_block(arena.network, false, now_s >= run.block_s[0] && now_s < run.block_s[1]);
        arena_advance(&arena, now_ns / 1000);
        answer_metrics();
        goes_on = load_test_pulse(test, at(now_ns));
        run.pulses++;
    }
    run.seconds = (double)(now_ns - start_ns) / 1e9;
    load_test_end(test, at(now_ns), goes_on);
    for (uint32_t i = 0; load_test_awaits_server(test, now_ns) && i < 2000; i++, now_ns += 1000000)
        answer_metrics();
    assert_false(load_test_awaits_server(test, now_ns)); // half a second at most
    return load_test_conclude(test);
}

// Runs with up to eight options; the last is null.
static void runs(char **options)
{
    static char *argv[12];
    int argc = 1, wrong;
    argv[0] = (char *)(uintptr_t) "deadfall-bots";
    for (; options[argc - 1]; argc++)
        argv[argc] = options[argc - 1];
    argv[argc] = NULL;
    memset(&settings, 0, sizeof settings);
    assert_true(settings_read(&settings, argc, argv, &wrong));
    size_t out_size, err_size;
    FILE *out = run.out_path ? fopen(run.out_path, "w") : open_memstream(&run.out, &out_size);
    FILE *err = open_memstream(&run.err, &err_size);
    struct load_test_config config = {.settings = &settings,
                                      .argc = argc,
                                      .argv = argv,
                                      .started_s = 86400,
                                      .connect = arena_connect,
                                      .context = &arena,
                                      .error = &error,
                                      .redraw = run.redraw,
                                      .out = out,
                                      .err = err};
    struct load_test *test = load_test_open(&config, &run.code);
    if (test)
        run.code = drive(test);
    load_test_close(test);
    fclose(out);
    fclose(err);
    if (settings.given.json[0] && strcmp(settings.given.json, path) == 0)
        report = json_load_file(path, 0, NULL);
}

#define RUNS(...) runs((char *[]){__VA_ARGS__, NULL})

// "--json=PATH" and the like, of the temporary file.
static char *to_file(const char *option)
{
    static char argument[80];
    snprintf(argument, sizeof argument, "--%s=%s", option, path);
    return argument;
}

static double number(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static uint32_t lines_of(const char *text, const char *word)
{
    uint32_t count = 0;
    for (const char *late_arrivals = text; (late_arrivals = strstr(late_arrivals, word)); late_arrivals++)
        count++;
    return count;
}

static void expect_code(enum exit_code code, const char *err)
{
    if (run.code != code || strcmp(run.err, err) != 0)
        fail_msg("exit %d, not %d: %s\n%s", (int)run.code, (int)code, run.err, run.out ? run.out : "");
}

TEST(a_good_run_passes_and_prints_a_line_per_interval)
{
    run.cores = run.more_cores = 0.25;
    RUNS("--count=3", "--verify=1", "--duration=4s", "--interval=500ms", "--seed=8", "--threshold=desyncs<1",
         to_file("json"));
    expect_code(EXIT_OK, "");
    assert_int_equal(lines_of(run.out, " connected 3  snapshots "), 8);
    assert_non_null(strstr(run.out, "\npassed\n"));
    assert_true(number(report, "seconds") == 4 && number(report, "seed") == 8);
    assert_string_equal(json_string_value(json_object_get(report, "started")), "1970-01-02T00:00:00Z");
    assert_string_equal(json_string_value(json_object_get(report, "server")), "127.0.0.1:27440");
    const json_t *series = json_object_get(report, "series"), *totals = json_object_get(report, "totals");
    assert_int_equal(json_array_size(series), 8);
    double snapshots = 0;
    for (size_t i = 0; i < 8; i++) {
        const json_t *row = json_array_get(series, i);
        assert_close(number(row, "second"), 0.5 * (double)(i + 1));
        assert_close(number(row, "own_cpu_pct"), i < 4 ? 25 : 50);
        assert_close(number(row, "connected"), 3);
        const json_t *lag = json_object_get(row, "own_lag_ms");
        assert_close(number(lag, "max"), 0);
        assert_close(number(lag, "count"), i == 0 ? 121 : 120);
        snapshots += number(json_object_get(row, "snapshot_gap_ms"), "count");
    }
    assert_close(number(totals, "own_cpu_pct"), 37.5);
    assert_close(number(totals, "connected"), 3);
    assert_close(number(json_object_get(totals, "own_lag_ms"), "count"), 961);
    assert_close(number(json_object_get(totals, "snapshot_gap_ms"), "count"), snapshots);
    assert_true(number(totals, "least_snapshots_per_s") > 55);
    assert_true(json_is_null(json_object_get(totals, "server_cpu_pct")));
}

TEST(a_broken_threshold_gives_exit_code_99)
{
    RUNS("--count=2", "--duration=1s", "--threshold=desyncs<1", "--threshold=connected>2", "--threshold=desyncs<2");
    expect_code(EXIT_THRESHOLD, "");
    assert_non_null(strstr(run.out, "threshold connected>2: BROKEN (2)\n"));
    assert_non_null(strstr(run.out, "FAILED: a threshold is broken\n"));
}

TEST(every_client_that_ever_joined_counts_at_the_end)
{
    RUNS("--stages=3:1s,1:1s", "--threshold=connected>=3");
    expect_code(EXIT_OK, "");
    assert_non_null(strstr(run.out, "    2 s  connected 1 "));
}

TEST(an_interrupted_run_fails)
{
    run.stop_s = 1.5;
    RUNS("--count=2", "--duration=10s", to_file("json"));
    expect_code(EXIT_FAILED, "");
    assert_non_null(strstr(run.out, "interrupted after 2 s\nFAILED: interrupted before its time\n"));
    assert_true(json_is_true(json_object_get(report, "interrupted")));
    assert_close(number(report, "seconds"), 1.5);
    assert_int_equal(json_array_size(json_object_get(report, "series")), 2); // the half interval too
}

TEST(a_last_interval_of_one_tick_is_omitted)
{
    run.stop_s = 1 + 4 / 240.0; // the interval is as long as a tick, or a pulse more
    RUNS("--count=1", "--duration=10s", to_file("json"));
    assert_int_equal(json_array_size(json_object_get(report, "series")), 1);
    again();
    run.stop_s = 1 + 5 / 240.0;
    RUNS("--count=1", "--duration=10s", to_file("json"));
    assert_int_equal(json_array_size(json_object_get(report, "series")), 2);
}

TEST(a_missing_server_gives_exit_code_69_at_once)
{
    arena.refuses = true;
    strcpy(error.text, "The port is closed.");
    RUNS("--count=2", "--spawn-rate=10000", "--duration=60s", "--server=example.org:5");
    expect_code(EXIT_UNAVAILABLE,
                "deadfall-bots: The port is closed.\ndeadfall-bots: no client could join a match at example.org:5\n");
    assert_true(run.seconds < 0.1); // all have ended: nothing to wait for
    assert_non_null(strstr(run.out, "FAILED: not every client could join the match\nFAILED: clients were lost"));
}

TEST(a_missing_server_before_an_interruption_is_a_failure)
{
    memory_network_block(arena.network, true, true);
    run.stop_s = 0.5;
    RUNS("--count=1", "--duration=60s");
    expect_code(EXIT_FAILED, "");
}

TEST(a_refused_client_fails_the_run_and_is_named)
{
    char expected[200];
    RUNS("--count=5", "--duration=2s", "--threshold=connected>9"); // four seats
    snprintf(expected, sizeof expected, "deadfall-bots: %s\n", message_deny_text(DENY_FULL));
    expect_code(EXIT_FAILED, expected);
    assert_true(run.seconds >= 2); // the others go on
    assert_non_null(strstr(run.out, "disconnects: full 1\n"));
}

// Blocks what the server sends for some time of the run.
static void block_for(double seconds)
{
    run.block_s[0] = 1.5;
    run.block_s[1] = 1.5 + seconds;
}

TEST(an_outage_is_named_with_its_length_and_has_its_own_exit_code)
{
    block_for(0.5);
    RUNS("--count=3", "--duration=4s", to_file("json"));
    expect_code(EXIT_OUTAGE, "");
    assert_non_null(strstr(run.out, "FAILED: 1 outage: for 0.5"));
    assert_non_null(strstr(run.out, " s from second 1.5 on, 3 clients got no snapshots\n"));
    const json_t *outages = json_object_get(report, "outages"), *outage = json_array_get(outages, 0);
    assert_int_equal(json_array_size(outages), 1);
    assert_true(fabs(number(outage, "second") - 1.5) < 0.03 && fabs(number(outage, "seconds") - 0.5) < 0.05);
    assert_close(number(outage, "clients"), 3);
    assert_close(number(json_object_get(report, "totals"), "outages"), 3);
    assert_true(json_is_false(json_object_get(json_object_get(report, "verdict"), "without_outage")));
}

TEST(an_outage_that_lasts_to_the_end_counts)
{
    block_for(9);
    RUNS("--count=2", "--duration=3s", to_file("json"));
    expect_code(EXIT_OUTAGE, "");
    assert_close(number(json_object_get(report, "totals"), "outages"), 2);
    assert_true(fabs(number(json_object_get(json_object_get(report, "totals"), "outage_ms"), "max") - 1500) < 40);
}

TEST(a_threshold_says_how_long_an_outage_may_be)
{
    static const struct {
        double seconds;
        enum exit_code code;
    } rows[] = {{0.4, EXIT_OK}, {0.6, EXIT_THRESHOLD}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        block_for(rows[i].seconds);
        RUNS("--count=1", "--duration=3s", "--threshold=outage_max<500ms");
        expect_code(rows[i].code, "");
        again();
    }
}

TEST(a_desync_fails_the_run)
{
    arena.falsifies = true;
    RUNS("--count=1", "--duration=3s", to_file("json"));
    expect_code(EXIT_FAILED, "");
    assert_true(number(json_object_get(report, "totals"), "desyncs") > 0);
    assert_non_null(strstr(run.out, "\nFAILED: clients were lost, or worlds differed\n"));
    again();
    arena.falsifies = true;
    RUNS("--count=1", "--duration=9s", "--fail-fast");
    expect_code(EXIT_FAILED, "");
    assert_true(run.seconds < 4); // the run ends early
}

TEST(a_file_that_cannot_be_opened_or_written_gives_exit_code_74)
{
    static const char *const kinds[] = {"json", "csv", "html"};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        char option[40];
        snprintf(option, sizeof option, "--%s=/nowhere/out", kinds[i]);
        RUNS("--duration=1s", option);
        expect_code(EXIT_IO, "deadfall-bots: /nowhere/out: cannot be written: No such file or directory\n");
        assert_int_equal(arena.opened, 0);
        assert_string_equal(run.out, "");
        again();
        snprintf(option, sizeof option, "--%s=/dev/full", kinds[i]);
        RUNS("--count=1", "--duration=1s", option);
        expect_code(EXIT_IO, "deadfall-bots: /dev/full: cannot be written\n"); // after the run
        assert_non_null(strstr(run.out, "\npassed\n"));
        again();
    }
    run.out_path = "/dev/full";
    RUNS("--count=1", "--duration=1s", to_file("json"));
    expect_code(EXIT_IO, "deadfall-bots: standard output cannot be written\n");
}

TEST(an_old_file_stays_until_there_is_a_report)
{
    FILE *file = fopen(path, "w");
    fputs("before", file);
    fclose(file);
    RUNS("--duration=1s", to_file("json"), (char *)(uintptr_t) "--csv=/nowhere/out");
    expect_code(EXIT_IO, "deadfall-bots: /nowhere/out: cannot be written: No such file or directory\n");
    file = fopen(path, "r");
    char text[10] = "";
    assert_int_equal(fread(text, 1, sizeof text - 1, file), 6);
    fclose(file);
    assert_string_equal(text, "before");
}

TEST(a_csv_file_and_a_page_are_written)
{
    static const char *const options[] = {"csv", "html"}, *const heads[] = {"second,connected,", "<!DOCTYPE html>\n"};
    for (size_t i = 0; i < COUNT_OF(options); i++) {
        char text[60] = "";
        RUNS("--count=1", "--duration=1s", to_file(options[i]));
        expect_code(EXIT_OK, "");
        FILE *file = fopen(path, "r");
        assert_true(fread(text, 1, sizeof text - 1, file) > 0);
        fclose(file);
        assert_memory_equal(text, heads[i], strlen(heads[i]));
        again();
    }
}

TEST(a_wrong_address_of_the_metrics_is_a_usage_error)
{
    RUNS("--server-metrics=here:1");
    expect_code(EXIT_USAGE,
                "deadfall-bots: --server-metrics 'here:1': write ADDR:PORT in numbers, as in 127.0.0.1:9464\n");
}

TEST(a_run_that_was_too_slow_itself_gives_exit_code_75)
{
    run.cores = 0.81;
    RUNS("--count=1", "--duration=1s", "--threshold=connected>5");
    expect_code(EXIT_BOTTLENECK, "");
    assert_non_null(strstr(run.out, "and used 81 % of a core"));
    again();
    run.cores = 0.8;
    RUNS("--count=1", "--duration=1s");
    expect_code(EXIT_OK, "");
}

TEST(a_late_pulse_is_measured_and_missed_ones_are_skipped)
{
    run.late_ns = 20 * SECOND_NS / 1000; // 4.8 pulses
    RUNS("--count=1", "--duration=1s", to_file("json"));
    expect_code(EXIT_BOTTLENECK, "");
    const json_t *lag = json_object_get(json_object_get(report, "totals"), "own_lag_ms");
    assert_close(number(lag, "p50"), 20);
    assert_close(number(lag, "max"), 20);
    assert_close(number(lag, "count"), (double)run.pulses);
    assert_in_range(run.pulses, 240 / 5, 240 / 5 + 2);
    again();
    run.late_ns = 4 * SECOND_NS / 1000; // less than a pulse: none is skipped
    RUNS("--count=1", "--duration=1s");
    expect_code(EXIT_OK, "");
    assert_in_range(run.pulses, 240, 241);
}

TEST(with_fail_fast_a_broken_upper_limit_ends_a_settled_run)
{
    static const struct {
        const char *threshold;
        bool fail_fast;
        double seconds; // that it takes
    } rows[] = {
        /* 1 */ {"--threshold=bytes_down_per_client_s<1", true, 2.75}, // two seconds after all have joined
        /* 2 */ {"--threshold=bytes_down_per_client_s<1", false, 5},
        /* 3 */ {"--threshold=bytes_down_per_client_s>1e9", true, 5}, // the limit may still be reached
        /* 4 */ {"--threshold=desyncs<1", true, 5},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char threshold[60];
        strcpy(threshold, rows[i].threshold);
        memory_network_impair(arena.network,
                              &(struct impairment){.delay_us = 100000}); // joining takes over half a second
        if (rows[i].fail_fast)
            RUNS("--count=2", "--duration=5s", "--interval=250ms", threshold, "--fail-fast");
        else
            RUNS("--count=2", "--duration=5s", "--interval=250ms", threshold);
        assert_int_equal(run.code, i < 3 ? EXIT_THRESHOLD : EXIT_OK);
        if (!(fabs(run.seconds - rows[i].seconds) <= 0.26))
            fail_msg("row %zu: %g s", i + 1, run.seconds);
        again();
    }
}

// They join half a second apart, the last after a second and a half.
TEST(fail_fast_waits_until_all_have_joined)
{
    RUNS("--count=4", "--spawn-rate=2", "--duration=9s", "--interval=250ms", "--threshold=bytes_down_per_client_s<1",
         "--fail-fast");
    assert_int_equal(run.code, EXIT_THRESHOLD); // and not 1, as for clients that could not join
    assert_in_range((int)(run.seconds * 1000), 3500, 4000);
}

TEST(a_scoreboard_replaces_the_lines)
{
    RUNS("--count=2", "--duration=2s", "--scoreboard", "--name=Ada", to_file("json"));
    assert_int_equal(lines_of(run.out, "test, 2 players, 0:0"), 2);
    assert_int_equal(lines_of(run.out, " Ada1 "), 2);
    assert_null(strstr(run.out, " s  connected "));
    assert_null(strchr(run.out, '\033'));
    assert_int_equal(json_array_size(json_object_get(report, "series")), 2); // measured all the same
    again();
    run.redraw = true;
    RUNS("--count=2", "--duration=2s", "--scoreboard");
    assert_int_equal(lines_of(run.out, "\033[H\033[2Jtest, "), 2);
}

// Opens the server's metrics, and writes the option that names them.
static int open_metrics(char option[60])
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    assert_true(bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 4) == 0);
    assert_true(getsockname(listener, (struct sockaddr *)&address, &bytes) == 0);
    snprintf(option, 60, "--server-metrics=127.0.0.1:%u", ntohs(address.sin_port));
    return listener;
}

TEST(the_metrics_are_read_for_each_interval)
{
    char option[60];
    run.listener = open_metrics(option);
    run.stop_s = 4.5;
    RUNS("--count=1", "--duration=10s", option, to_file("json"));
    expect_code(EXIT_FAILED, "");
    assert_in_range(run.questions, 1 + 4 + 1, 1 + 4 * 6 + 1);
    const json_t *series = json_object_get(report, "series"), *totals = json_object_get(report, "totals");
    for (size_t i = 0; i < 4; i++) {
        double cpu_pct = number(json_array_get(series, i), "server_cpu_pct");
        assert_true(cpu_pct > 24 && cpu_pct < 26);
        assert_true(number(json_object_get(json_array_get(series, i), "server_tick_ms"), "count") > 50);
    }
    assert_true(number(totals, "server_cpu_pct") > 24 && number(totals, "server_cpu_pct") < 26);
    const json_t *ticks = json_object_get(totals, "server_tick_ms");
    assert_close(number(ticks, "p50"), 1);
    assert_in_range((uint64_t)number(ticks, "count"), 265, 271); // up to the end
}

TEST(a_server_that_never_answers_delays_nothing)
{
    char option[60], warning[120];
    int mute = open_metrics(option);
    RUNS("--count=1", "--duration=1s", option);
    close(mute);
    snprintf(warning, sizeof warning, "deadfall-bots: warning: the server's metrics at %s do not answer\n",
             strchr(option, '=') + 1);
    expect_code(EXIT_OK, warning);
    assert_non_null(strstr(run.out, "\nwarning: the server's metrics at 127.0.0.1:"));
    assert_non_null(strstr(run.out, " did not answer in 1 of 1 intervals\n"));
    assert_non_null(strstr(run.out, "server_cpu_pct                   - %\n"));
}
