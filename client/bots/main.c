// SPDX-License-Identifier: MIT
//
// deadfall-bots: loads a server with many clients and tells what they saw. This file alone reads the clock and signals;
// settings, swarm, report and scoreboard do the rest.
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "report.h"
#include "scoreboard.h"
#include "settings.h"
#include "swarm.h"

#define SECOND_NS UINT64_C(1000000000)
/// Pulses a second: four a tick, so that what arrives waits 2 ms at the median.
#define PULSES_PER_SECOND 240
/// After all are there, --fail-fast waits this long for the figures to settle.
#define SETTLE_US 2000000
/// The server is asked so long before an interval ends, and after the run it has this long to answer.
#define ASK_AHEAD_NS  50000000u
#define ANSWER_NS_MAX 500000000u

/// The whole run.
struct run {
    struct settings settings;
    uint64_t opened;
    uint8_t keys[SWARM_CAPACITY][NET_KEY_BYTES]; ///< of the bots: who comes back is the same
    struct net_ticket tickets[SWARM_CAPACITY];
    struct net_error error;
    struct swarm *swarm;
    struct server_watch *watch;
    struct report *report;
    uint64_t start_ns, cpu_start_ns, interval_ns, interval_cpu_ns, settled_ns;
    uint32_t wanted;  ///< bots, now
    bool interrupted; ///< by a signal, before its time
    struct histogram lag_us, interval_lag_us;
    struct measurement measurement;
};

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
    (void)signal;
    stopped = 1;
}

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * SECOND_NS + (uint64_t)time.tv_nsec;
}

static void sleep_until(uint64_t deadline_ns)
{
    struct timespec time = {(time_t)(deadline_ns / SECOND_NS), (long)(deadline_ns % SECOND_NS)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL); // a signal ends it early: wanted
}

static struct transport *open_connection(void *context, uint32_t bot)
{
    struct run *run = context;
    const struct settings *settings = &run->settings;
    return enet_client_open(
        &(struct net_client_config){.host = settings->host,
                                    .port = settings->port,
                                    .protocol = PROTOCOL_VERSION,
                                    .fingerprint = settings->fingerprint,
                                    .key = run->keys[bot],
                                    .password = settings->password,
                                    .ticket = &run->tickets[bot],
                                    .impairment = settings->impairment,
                                    .impairment_seed = (uint64_t)settings->given.seed << 32 | run->opened++},
        &run->error);
}

/// Closes an interval: its line or the scoreboard, its row.
static void tell_interval(struct run *run, uint64_t now_ns)
{
    struct measurement *measurement = &run->measurement;
    uint64_t cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    swarm_take_sample(run->swarm, &measurement->sample);
    server_watch_take(run->watch, &measurement->server);
    measurement->connected = swarm_connected(run->swarm);
    measurement->least_snapshots_per_s = swarm_least_snapshots_per_s(run->swarm);
    measurement->lag_us = run->interval_lag_us;
    measurement->cpu_pct = 100.0 * (double)(cpu_ns - run->interval_cpu_ns) / (double)(now_ns - run->interval_ns);
    const struct client *witness = run->settings.given.scoreboard ? swarm_witness(run->swarm) : NULL;
    double second = (double)(now_ns - run->start_ns) / 1e9;
    report_interval(run->report, second, measurement, run->settings.given.scoreboard ? NULL : stdout);
    if (witness)
        scoreboard_print(client_world(witness), client_map(witness), isatty(STDOUT_FILENO), stdout);
    histogram_merge(&run->lag_us, &run->interval_lag_us);
    memset(&run->interval_lag_us, 0, sizeof run->interval_lag_us);
    run->interval_ns = now_ns;
    run->interval_cpu_ns = cpu_ns;
}

static void measure_total(struct run *run, uint64_t now_ns)
{
    struct measurement *total = &run->measurement;
    total->sample = *swarm_total(run->swarm);
    server_watch_total(run->watch, &total->server);
    total->connected = swarm_joined(run->swarm);
    total->least_snapshots_per_s = swarm_least_snapshots_per_s(run->swarm);
    total->lag_us = run->lag_us;
    total->cpu_pct =
        100.0 * (double)(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - run->cpu_start_ns) / (double)(now_ns - run->start_ns);
}

static bool fails_fast(struct run *run, uint64_t now_ns)
{
    bool all = swarm_connected(run->swarm) + swarm_ended(run->swarm) >= run->wanted;
    if (!all)
        run->settled_ns = now_ns + SETTLE_US * 1000;
    if (!run->settings.given.fail_fast || now_ns < run->settled_ns)
        return false;
    measure_total(run, now_ns);
    bool broken = run->measurement.sample.desyncs > 0;
    for (uint32_t i = 0; i < run->settings.given.thresholds.count; i++)
        broken = broken || (run->settings.thresholds[i].upper &&
                            !threshold_holds(&run->settings.thresholds[i], &run->measurement));
    return broken;
}

/// Asks the server what it does shortly before an interval ends, and takes what it answers.
static void watch_server(struct run *run, uint64_t now_ns)
{
    uint64_t interval_ns = (uint64_t)run->settings.given.interval_ms * 1000000, since_ns = now_ns - run->interval_ns;
    if (since_ns + ASK_AHEAD_NS >= interval_ns && since_ns + ASK_AHEAD_NS / 2 < interval_ns)
        server_watch_ask(run->watch);
    server_watch_pulse(run->watch);
}

static void drive(struct run *run)
{
    uint64_t end_ns = run->start_ns + stages_duration_us(&run->settings.stages) * 1000;
    uint64_t interval_ns = (uint64_t)run->settings.given.interval_ms * 1000000;
    server_watch_ask(run->watch);
    for (uint64_t pulse = 0; !stopped; pulse++) {
        uint64_t deadline_ns = run->start_ns + pulse * SECOND_NS / PULSES_PER_SECOND;
        sleep_until(deadline_ns);
        uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
        uint64_t behind_ns = now_ns > deadline_ns ? now_ns - deadline_ns : 0;
        histogram_add(&run->interval_lag_us, behind_ns / 1000);
        pulse += behind_ns * PULSES_PER_SECOND / SECOND_NS; // pulses that are over are left out, their lag is counted
        run->wanted = stages_wanted(&run->settings.stages, (now_ns - run->start_ns) / 1000);
        swarm_pulse(run->swarm, run->wanted, now_ns / 1000);
        watch_server(run, now_ns);
        bool over = now_ns >= end_ns || swarm_ended(run->swarm) == run->settings.count;
        if (!over && now_ns - run->interval_ns < interval_ns)
            continue;
        tell_interval(run, now_ns);
        if (over || fails_fast(run, now_ns))
            return;
    }
    run->interrupted = true;
}

/// The server's last word, so that the totals go to the end. The bots stand still meanwhile.
static void hear_server_out(struct run *run)
{
    uint64_t end_ns = clock_ns(CLOCK_MONOTONIC) + ANSWER_NS_MAX;
    server_watch_ask(run->watch);
    for (uint64_t now_ns; server_watch_waits(run->watch) && (now_ns = clock_ns(CLOCK_MONOTONIC)) < end_ns;) {
        server_watch_pulse(run->watch);
        sleep_until(now_ns + SECOND_NS / 1000);
    }
}

static struct report_verdict judge(const struct run *run)
{
    const struct measurement *total = &run->measurement;
    struct report_verdict verdict = {.all_joined = swarm_joined(run->swarm) == run->settings.count,
                                     .undisturbed = swarm_ended(run->swarm) == 0 && total->sample.desyncs == 0,
                                     .bottleneck = measurement_is_own(total),
                                     .within = true,
                                     .interrupted = run->interrupted};
    for (uint32_t i = 0; i < run->settings.given.thresholds.count; i++)
        verdict.within = verdict.within && threshold_holds(&run->settings.thresholds[i], total);
    return verdict;
}

/// False, told, if one of the files that are asked for cannot be written: better now than after an hour of load.
static bool open_files(const struct settings_given *given)
{
    const char *const paths[] = {given->json, given->csv, given->html};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        FILE *file = paths[i][0] ? fopen(paths[i], "ab") : NULL;
        if (paths[i][0] && !file) {
            fprintf(stderr, "deadfall-bots: %s: cannot be written: %s\n", paths[i], strerror(errno));
            return false;
        }
        if (file)
            fclose(file);
    }
    return true;
}

/// False, told, if one of the files could not be written.
static bool write_files(struct run *run, double seconds, const struct report_verdict *verdict)
{
    const struct settings_given *given = &run->settings.given;
    const char *failed = NULL;
    if (given->json[0] && !report_write_json(run->report, given->json, seconds, &run->measurement, verdict))
        failed = given->json;
    if (given->csv[0] && !report_write_csv(run->report, given->csv))
        failed = given->csv;
    if (given->html[0] && !report_write_html(run->report, given->html, seconds, &run->measurement, verdict))
        failed = given->html;
    if (failed)
        fprintf(stderr, "deadfall-bots: %s: cannot be written\n", failed);
    return !failed;
}

static enum exit_code code_of(const struct report_verdict *verdict)
{
    if (!verdict->all_joined || !verdict->undisturbed || verdict->interrupted)
        return EXIT_FAILED;
    return verdict->bottleneck ? EXIT_BOTTLENECK : verdict->within ? EXIT_OK : EXIT_THRESHOLD;
}

static enum exit_code conclude(struct run *run)
{
    uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
    if (now_ns > run->interval_ns + SECOND_NS / TICKS_PER_SECOND)
        tell_interval(run, now_ns);
    hear_server_out(run);
    measure_total(run, now_ns);
    struct report_verdict verdict = judge(run);
    double seconds = (double)(now_ns - run->start_ns) / 1e9;
    report_summary(run->report, seconds, &run->measurement, &verdict, stdout);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("deadfall-bots: standard output cannot be written\n", stderr);
        return EXIT_IO;
    }
    if (swarm_ended(run->swarm) > 0)
        fprintf(stderr, "deadfall-bots: %s\n", run->error.text[0] ? run->error.text : swarm_sentence(run->swarm));
    if (!write_files(run, seconds, &verdict))
        return EXIT_IO;
    if (swarm_joined(run->swarm) == 0 && !verdict.interrupted) {
        fprintf(stderr, "deadfall-bots: nobody came into a match at %s\n", run->settings.given.server);
        return EXIT_UNAVAILABLE;
    }
    return code_of(&verdict);
}

static enum exit_code run_all(struct run *run, int argc, char **argv)
{
    const struct settings *settings = &run->settings;
    struct bot_settings bots = {.verify = settings->verify,
                                .seed = (uint32_t)settings->given.seed,
                                .skill = (enum skill)settings->given.skill,
                                .mix = settings->mix,
                                .reconnect = settings->given.reconnect,
                                .name = settings->given.name,
                                .say = settings->given.say,
                                .connect = open_connection,
                                .context = run};
    struct report_run about = {argc,
                               argv,
                               bots.seed,
                               settings->given.server,
                               time(NULL),
                               settings->thresholds,
                               settings->given.thresholds.count};
    run->swarm = swarm_create(&bots);
    run->report = report_create(&about);
    if (!run->swarm || !run->report) {
        fputs("deadfall-bots: memory is out\n", stderr);
        return EXIT_FAILED;
    }
    for (uint32_t i = 0; i < settings->count; i++) {
        if (getrandom(run->keys[i], NET_KEY_BYTES, 0) != NET_KEY_BYTES) {
            perror("deadfall-bots: no random keys");
            return EXIT_FAILED;
        }
    }
    run->start_ns = run->interval_ns = clock_ns(CLOCK_MONOTONIC);
    run->cpu_start_ns = run->interval_cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    drive(run);
    return conclude(run);
}

int main(int argc, char **argv)
{
    static struct run run; // histograms: too large for a stack
    char sentence[256] = "memory is out";
    int code;
    if (!settings_read(&run.settings, argc, argv, &code))
        return code;
    if (!open_files(&run.settings.given))
        return EXIT_IO;
    run.watch = server_watch_open(run.settings.given.server_metrics, sentence, sizeof sentence);
    if (!run.watch) {
        fprintf(stderr, "deadfall-bots: %s\n", sentence);
        return EXIT_USAGE;
    }
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    code = (int)run_all(&run, argc, argv);
    swarm_destroy(run.swarm);
    server_watch_close(run.watch);
    report_destroy(run.report);
    return code;
}
