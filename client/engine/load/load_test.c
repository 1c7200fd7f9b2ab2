// SPDX-License-Identifier: MIT
#include "load_test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/line_socket.h"
#include "base/utf8.h"
#include "load_game.h"
#include "metrics_scraper.h"
#include "report.h"

// Pulses a second: four a tick, so that what arrives waits 2 ms at the median.
#define PULSES_PER_SECOND 240
// After all clients have joined, --fail-fast waits this long for the figures to settle.
#define SETTLE_NS (2 * CLOCK_SECOND_NS)
// The server is asked this long before an interval ends. After the run it has this long to answer.
#define ASK_AHEAD_NS  50000000u
#define ANSWER_NS_MAX 500000000u
// Commands that one pulse takes.
#define COMMANDS_MAX 8

struct load_test {
    struct load_test_config config;
    const struct settings *settings;
    struct swarm *swarm;
    struct metrics_scraper *scraper;
    struct report *report;
    struct line_socket *control;                // null: none
    bool has_count, stops;                      // by a command: how many clients there should be; end the run
    uint32_t count, most;                       // now, and ever
    struct load_test_time start, interval, end; ///< of the run, of the open interval; when the run ended
    uint64_t pulses;                            ///< done or left out
    uint64_t settled_ns;
    uint64_t answer_until_ns;
    bool interrupted;
    struct report_outage outage;                    ///< the present one; no clients: there is none
    bool is_asked;                                  ///< in the open interval, for the server's metrics
    uint32_t asked_intervals, unanswered_intervals; ///< of the server's metrics
    struct histogram lag_us, interval_lag_us;
    struct measurement measurement;
};

// False, with a message, if one of the output files cannot be written.
static bool open_files(const struct settings_given *given, FILE *err)
{
    const char *const paths[] = {given->json, given->csv, given->html};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        FILE *file = paths[i][0] ? fopen(paths[i], "ab") : NULL;
        if (paths[i][0] && !file) {
            fprintf(err, "%s: %s: cannot be written: %s\n", LOAD_GAME_PROGRAM, paths[i], strerror(errno));
            return false;
        }
        if (file)
            fclose(file);
    }
    return true;
}

struct load_test *load_test_open(const struct load_test_config *config, enum exit_code *code)
{
    const struct settings *settings = config->settings;
    const struct settings_given *given = &settings->given;
    struct load_client_settings clients = {.verify = settings->verify,
                                           .seed = (uint32_t)given->seed,
                                           .skill = given->skill,
                                           .mix = settings->mix,
                                           .reconnect = given->reconnect,
                                           .name = given->name,
                                           .say = given->say,
                                           .connect = config->connect,
                                           .context = config->context};
    struct report_run run = {config->argc,         config->argv,           clients.seed,
                             given->server,        config->started_s,      (double)given->interval_ms / 1e3,
                             settings->thresholds, given->thresholds.count};
    struct error error = {.text = "out of memory"};
    *code = EXIT_IO;
    if (!open_files(given, config->err))
        return NULL;
    struct load_test *test = calloc(1, sizeof *test);
    *code = EXIT_USAGE;
    if (test) {
        test->config = *config;
        test->settings = settings;
        test->scraper = metrics_scraper_open(given->server_metrics, &error);
    }
    if (test && test->scraper) {
        *code = EXIT_FAILED;
        test->swarm = swarm_create(&clients);
        test->report = report_create(&run);
        if (*given->control && !(test->control = line_socket_open(given->control, &error)))
            *code = EXIT_UNAVAILABLE;
        else if (test->swarm && test->report)
            return test;
    }
    fprintf(config->err, "%s: %s\n", LOAD_GAME_PROGRAM, error.text);
    load_test_close(test);
    return NULL;
}

void load_test_close(struct load_test *test)
{
    if (!test)
        return;
    swarm_destroy(test->swarm);
    metrics_scraper_close(test->scraper);
    line_socket_close(test->control);
    report_destroy(test->report);
    free(test);
}

// Returns the share of a core that was used between two moments, per cent.
static double cpu_pct(struct load_test_time from, struct load_test_time to)
{
    return 100.0 * (double)(to.cpu_ns - from.cpu_ns) / (double)(to.now_ns - from.now_ns);
}

static double seconds_at(const struct load_test *test, struct load_test_time time)
{
    return (double)(time.now_ns - test->start.now_ns) / 1e9;
}

// Closes an interval: adds its row, prints its line or the scoreboard.
static void close_interval(struct load_test *test, struct load_test_time time)
{
    struct measurement *measurement = &test->measurement;
    bool scoreboard = test->settings->given.scoreboard;
    swarm_take_sample(test->swarm, &measurement->sample);
    metrics_scraper_take(test->scraper, &measurement->server);
    if (test->is_asked) {
        test->is_asked = false;
        test->asked_intervals++;
        if (measurement->server.has_restarted)
            report_mark(test->report, seconds_at(test, time), "the server has restarted");
        if (!measurement->server.has_answered && test->unanswered_intervals++ == 0)
            fprintf(test->config.err, "%s: warning: the server's metrics at %s do not answer\n", LOAD_GAME_PROGRAM,
                    test->settings->given.server_metrics);
    }
    measurement->connected = swarm_connected(test->swarm);
    measurement->least_snapshots_per_s = swarm_least_snapshots_per_s(test->swarm);
    measurement->lag_us = test->interval_lag_us;
    measurement->cpu_pct = cpu_pct(test->interval, time);
    report_interval(test->report, seconds_at(test, time), measurement, scoreboard ? NULL : test->config.out);
    const struct client *full_client = scoreboard ? swarm_full_client(test->swarm) : NULL;
    if (full_client)
        load_game_print_scores(client_world(full_client), client_map(full_client), test->config.redraw,
                               test->config.out);
    histogram_merge(&test->lag_us, &test->interval_lag_us);
    memset(&test->interval_lag_us, 0, sizeof test->interval_lag_us);
    test->interval = time;
}

static void measure_total(struct load_test *test, struct load_test_time time)
{
    struct measurement *total = &test->measurement;
    total->sample = *swarm_total(test->swarm);
    metrics_scraper_total(test->scraper, &total->server);
    total->connected = swarm_joined(test->swarm);
    total->least_snapshots_per_s = swarm_least_snapshots_per_s(test->swarm);
    total->lag_us = test->lag_us;
    total->cpu_pct = cpu_pct(test->start, time);
}

// Returns how many clients should have joined by the end.
static uint32_t expected(const struct load_test *test)
{
    return test->has_count ? test->most : test->settings->count;
}

static bool fails_fast(struct load_test *test, struct load_test_time time)
{
    if (swarm_settled(test->swarm) < expected(test))
        test->settled_ns = time.now_ns + SETTLE_NS;
    if (!test->settings->given.fail_fast || time.now_ns < test->settled_ns)
        return false;
    measure_total(test, time);
    bool broken = test->measurement.sample.desyncs > 0;
    for (uint32_t i = 0; i < test->settings->given.thresholds.count; i++)
        broken = broken || (test->settings->thresholds[i].upper &&
                            !metric_threshold_holds(&test->settings->thresholds[i], &test->measurement));
    return broken;
}

// Follows an outage, from the last snapshot of the first client until all have snapshots again.
static void follow_outage(struct load_test *test, struct load_test_time time)
{
    struct report_outage *outage = &test->outage;
    uint64_t longest_us;
    uint32_t silent = swarm_silent(test->swarm, &longest_us);
    double now_s = seconds_at(test, time);
    if (silent > 0 && outage->clients == 0)
        outage->second = now_s - (double)longest_us / 1e6;
    outage->clients = silent > outage->clients ? silent : outage->clients;
    if (silent > 0 || outage->clients == 0)
        return;
    outage->seconds = now_s - outage->second;
    report_outage(test->report, outage);
    *outage = (struct report_outage){0};
}

// Counts outages that are still open. False if there are none.
static bool end_outages(struct load_test *test, struct load_test_time time)
{
    bool any = swarm_end_outages(test->swarm);
    follow_outage(test, time);
    return any;
}

void load_test_begin(struct load_test *test, struct load_test_time time)
{
    test->start = test->interval = time;
    metrics_scraper_ask(test->scraper);
}

uint64_t load_test_next_ns(const struct load_test *test)
{
    return test->start.now_ns + test->pulses * CLOCK_SECOND_NS / PULSES_PER_SECOND;
}

// Takes commands from the control socket. Each leaves a mark.
static void take_commands(struct load_test *test, struct load_test_time time)
{
    const char *line;
    for (uint32_t i = 0; test->control && i < COMMANDS_MAX && (line = line_socket_next(test->control)); i++) {
        struct control_command command;
        struct error error = {.text = ""};
        bool good = workload_command_parse(&command, line, SWARM_CAPACITY, &error) &&
                    (command.kind != CONTROL_BEHAVIOUR || settings_allow(test->settings, &command.mix, &error));
        if (good) {
            char text[LINE_SOCKET_BYTES];
            const char *given = command.kind == CONTROL_MARK ? command.text : line;
            utf8_clean(text, sizeof text, given, command.kind == CONTROL_MARK ? command.text_bytes : strlen(line));
            report_mark(test->report, seconds_at(test, time), text);
            switch (command.kind) {
            case CONTROL_COUNT:
                test->has_count = true;
                test->count = command.count;
                break;
            case CONTROL_BEHAVIOUR:
                swarm_set_mix(test->swarm, &command.mix);
                break;
            case CONTROL_STOP:
                test->stops = true;
                break;
            case CONTROL_MARK:
                break;
            }
        }
        line_socket_answer(test->control, good, error.text);
    }
}

bool load_test_pulse(struct load_test *test, struct load_test_time time)
{
    uint64_t deadline_ns = load_test_next_ns(test), elapsed_us = (time.now_ns - test->start.now_ns) / 1000;
    uint64_t behind_ns = time.now_ns > deadline_ns ? time.now_ns - deadline_ns : 0;
    histogram_add(&test->interval_lag_us, behind_ns / 1000);
    test->pulses += 1 + behind_ns * PULSES_PER_SECOND / CLOCK_SECOND_NS;
    take_commands(test, time);
    uint32_t count = test->has_count ? test->count : workload_stages_wanted(&test->settings->stages, elapsed_us);
    test->most = count > test->most ? count : test->most;
    swarm_pulse(test->swarm, count, time.now_ns / 1000);
    // The server is asked shortly before an interval ends.
    uint64_t length_ns = (uint64_t)test->settings->given.interval_ms * CLOCK_MS_NS;
    uint64_t since_ns = time.now_ns - test->interval.now_ns;
    if (since_ns + ASK_AHEAD_NS >= length_ns && since_ns + ASK_AHEAD_NS / 2 < length_ns) {
        metrics_scraper_ask(test->scraper);
        test->is_asked = metrics_scraper_is_used(test->scraper);
    }
    metrics_scraper_pulse(test->scraper, time.now_ns / 1000);
    follow_outage(test, time);
    bool over = test->stops ||
                time.now_ns >= test->start.now_ns + workload_stages_duration_us(&test->settings->stages) * 1000 ||
                swarm_ended(test->swarm) == expected(test);
    if (!over && since_ns < length_ns)
        return true;
    if (over)
        end_outages(test, time);
    close_interval(test, time);
    return !over && !fails_fast(test, time);
}

void load_test_end(struct load_test *test, struct load_test_time time, bool interrupted)
{
    test->interrupted = interrupted;
    test->end = time;
    if (end_outages(test, time) || time.now_ns > test->interval.now_ns + CLOCK_SECOND_NS / TICKS_PER_SECOND)
        close_interval(test, time);
    test->answer_until_ns = time.now_ns + ANSWER_NS_MAX;
    metrics_scraper_ask(test->scraper);
}

bool load_test_awaits_server(struct load_test *test, uint64_t now_ns)
{
    if (!metrics_scraper_waits(test->scraper) || now_ns >= test->answer_until_ns)
        return false;
    metrics_scraper_pulse(test->scraper, now_ns / 1000);
    return true;
}

static struct report_result evaluate(const struct load_test *test)
{
    const struct measurement *total = &test->measurement;
    struct report_result result = {.all_joined = swarm_joined(test->swarm) >= expected(test),
                                   .undisturbed = swarm_ended(test->swarm) == 0 && total->sample.desyncs == 0,
                                   .without_outage = total->sample.outage_us.count == 0,
                                   .server_keeps = total->server.failing == 0,
                                   .bottleneck = metric_is_bottleneck(total),
                                   .within_thresholds = true,
                                   .interrupted = test->interrupted,
                                   .seconds = seconds_at(test, test->end),
                                   .total = total};
    for (uint32_t i = 0; i < test->settings->given.thresholds.count; i++) {
        const struct threshold *threshold = &test->settings->thresholds[i];
        result.within_thresholds = result.within_thresholds && metric_threshold_holds(threshold, total);
        // An outage fails a run, unless a threshold says how many there may be, or how long.
        result.without_outage |= strncmp(threshold->metric->name, "outage", strlen("outage")) == 0;
    }
    return result;
}

enum exit_code load_test_conclude(struct load_test *test)
{
    FILE *out = test->config.out, *err = test->config.err;
    measure_total(test, test->end);
    const struct server_sample *server = &test->measurement.server;
    if (test->unanswered_intervals > 0)
        report_warn(test->report, "the server's metrics at %s did not answer in %u of %u intervals",
                    test->settings->given.server_metrics, test->unanswered_intervals, test->asked_intervals);
    for (uint32_t i = 0; i < METRICS_SCRAPER_STORES; i++)
        if (server->failing >> i & 1)
            report_warn(test->report, "the server could not write its %s", METRICS_SCRAPER_STORE_NAMES[i]);
    if (server->has_restarted)
        report_warn(test->report, "the server was restarted during the run");
    struct report_result result = evaluate(test);
    report_summary(test->report, &result, out);
    if (fflush(out) != 0 || ferror(out)) {
        fprintf(err, "%s: standard output cannot be written\n", LOAD_GAME_PROGRAM);
        return EXIT_IO;
    }
    if (swarm_ended(test->swarm) > 0)
        fprintf(err, "%s: %s\n", LOAD_GAME_PROGRAM,
                test->config.error->text[0] ? test->config.error->text : swarm_error_text(test->swarm));
    const struct settings_given *given = &test->settings->given;
    struct report_paths paths = {given->json, given->csv, given->html};
    const char *failed = report_write_files(test->report, &result, &paths);
    if (failed) {
        fprintf(err, "%s: %s: cannot be written\n", LOAD_GAME_PROGRAM, failed);
        return EXIT_IO;
    }
    if (swarm_joined(test->swarm) == 0 && !result.interrupted) {
        fprintf(err, "%s: no client could join a match at %s\n", LOAD_GAME_PROGRAM, test->settings->given.server);
        return EXIT_UNAVAILABLE;
    }
    return report_exit_code(&result);
}
