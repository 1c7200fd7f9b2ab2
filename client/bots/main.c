// SPDX-License-Identifier: MIT
//
// deadfall-bots: loads a server with many clients and tells what they saw. This file alone reads options, the clock and
// signals; swarm, report and scoreboard do the rest.
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "options/options.h"
#include "options/password_file.h"
#include "report.h"
#include "scoreboard.h"

#define SECOND_NS UINT64_C(1000000000)
/// Pulses a second: four a tick, so that what arrives waits 2 ms at the median.
#define PULSES_PER_SECOND 240
/// Beyond these the load test measures itself.
#define OWN_LAG_US_MAX  (1000000 / TICKS_PER_SECOND)
#define OWN_CPU_PCT_MAX 80.0
/// After all are there, --fail-fast waits this long for the figures to settle.
#define SETTLE_US 2000000

enum behaviour { BEHAVIOUR_PLAY, BEHAVIOUR_IDLE };
static const char *const BEHAVIOURS[] = {"play", "idle", NULL};
static const char *const SKILL_CHOICES[] = {"idle", "random", "easy", "normal", NULL};

struct settings {
    char server[OPTION_TEXT_BYTES], net[OPTION_TEXT_BYTES], name[OPTION_TEXT_BYTES], json[OPTION_TEXT_BYTES],
        csv[OPTION_TEXT_BYTES];
    int64_t count, verify, spawn_rate, duration_ms, interval_ms, seed;
    uint32_t skill, behaviour;
    struct option_list thresholds;
    char password_file[OPTION_TEXT_BYTES];
    bool fail_fast, scoreboard, reconnect;
};

#define FIELD(name) offsetof(struct settings, name)
static const struct option OPTIONS[] = {
    {"server", OPTION_TEXT, FIELD(server), "127.0.0.1:27440", "HOST:PORT[#KEY]", "the server under test", 0, 0, NULL},
    {"count", OPTION_NUMBER, FIELD(count), "16", "N", "bots", 1, SWARM_CAPACITY, NULL},
    {"verify", OPTION_NUMBER, FIELD(verify), "1", "N", "of them whole clients: decode, predict, compare hashes", 0,
     SWARM_CAPACITY, NULL},
    {"spawn-rate", OPTION_NUMBER, FIELD(spawn_rate), "50", "R", "bots that connect a second", 1, 10000, NULL},
    {"duration", OPTION_DURATION, FIELD(duration_ms), "60s", "TIME", "how long", 1000, 86400000, NULL},
    {"interval", OPTION_DURATION, FIELD(interval_ms), "1s", "TIME", "between two lines", 100, 3600000, NULL},
    {"seed", OPTION_NUMBER, FIELD(seed), "1", "N", "of the bots' random walks", 0, UINT32_MAX, NULL},
    {"skill", OPTION_CHOICE, FIELD(skill), "normal", NULL, "of the whole clients", 0, 0, SKILL_CHOICES},
    {"behaviour", OPTION_CHOICE, FIELD(behaviour), "play", NULL, "what all of them do", 0, 0, BEHAVIOURS},
    {"net", OPTION_TEXT, FIELD(net), NULL, "LINE",
     "a bad line for each bot: delay=50ms,jitter=10ms,loss=5%,dup=2%,reorder=2%,rate=128kbit", 0, 0, NULL},
    {"name", OPTION_TEXT, FIELD(name), "bot", "PREFIX", "of the bots' names", 0, 0, NULL},
    {"json", OPTION_TEXT, FIELD(json), NULL, "FILE", "write the report as JSON", 0, 0, NULL},
    {"csv", OPTION_TEXT, FIELD(csv), NULL, "FILE", "write the intervals as CSV", 0, 0, NULL},
    {"threshold", OPTION_LIST, FIELD(thresholds), NULL, "'METRIC<VALUE'", "what must hold, as in 'rtt_p99<50ms'", 0, 0,
     NULL},
    {"fail-fast", OPTION_FLAG, FIELD(fail_fast), NULL, NULL, "end when an upper threshold breaks, or a world differs",
     0, 0, NULL},
    {"reconnect", OPTION_FLAG, FIELD(reconnect), NULL, NULL, "who is cut off comes back, as players do", 0, 0, NULL},
    {"password-file", OPTION_TEXT, FIELD(password_file), NULL, "FILE", "the server's password is its first line", 0, 0,
     NULL},
    {"scoreboard", OPTION_FLAG, FIELD(scoreboard), NULL, NULL, "show the match as a live scoreboard", 0, 0, NULL},
};

static const struct program PROGRAM = {
    .name = "deadfall-bots",
    .summary = "Loads a server with many clients, prints a line a second and a summary.\n"
               "Exit: 0 passed, 1 failed or interrupted before --duration was over, 69 nobody could join,\n"
               "74 a file could not be written, 99 a threshold does not hold; one without a sample never does.",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof *OPTIONS,
    .help_more = metric_print_names,
};

/// The whole run.
struct run {
    struct settings settings;
    char host[OPTION_TEXT_BYTES];
    uint16_t port;
    const char *fingerprint; ///< that the server must have; empty: any
    struct impairment impairment;
    uint64_t opened;
    char password[PASSWORD_TEXT_BYTES];
    uint8_t keys[SWARM_CAPACITY][NET_KEY_BYTES]; ///< of the bots: who comes back is the same
    struct net_ticket tickets[SWARM_CAPACITY];
    struct net_error error;
    struct threshold thresholds[OPTION_LIST_CAPACITY];
    struct swarm *swarm;
    struct report *report;
    uint64_t start_ns, cpu_start_ns, interval_ns, interval_cpu_ns, settled_ns;
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
    return enet_client_open(
        &(struct net_client_config){.host = run->host,
                                    .port = run->port,
                                    .protocol = PROTOCOL_VERSION,
                                    .fingerprint = run->fingerprint,
                                    .key = run->keys[bot],
                                    .password = run->password,
                                    .ticket = &run->tickets[bot],
                                    .impairment = run->impairment,
                                    .impairment_seed = (uint64_t)run->settings.seed << 32 | run->opened++},
        &run->error);
}

/// "host:port", "[v6]:port" or "host", and "#fingerprint".
static bool read_server(struct run *run, char *sentence, size_t sentence_bytes)
{
    run->fingerprint = run->settings.server + strcspn(run->settings.server, "#");
    snprintf(run->host, sizeof run->host, "%.*s", (int)(run->fingerprint - run->settings.server), run->settings.server);
    run->fingerprint += *run->fingerprint == '#';
    char *colon = strrchr(run->host, ':');
    char *rest = "";
    unsigned long port = 27440;
    if (colon && (strchr(run->host, ':') == colon || colon[-1] == ']')) {
        *colon = 0;
        port = strtoul(colon + 1, &rest, 10);
        if (rest == colon + 1 || colon[1] == '-' || colon[1] == '+')
            port = 0;
    }
    size_t length = strlen(run->host);
    if (run->host[0] == '[' && run->host[length - 1] == ']') {
        memmove(run->host, run->host + 1, length - 2);
        run->host[length - 2] = 0;
    }
    run->port = (uint16_t)port;
    if (run->host[0] && *rest == 0 && port > 0 && port <= UINT16_MAX)
        return true;
    snprintf(sentence, sentence_bytes, "--server '%.100s': write HOST:PORT, with a port from 1 to 65535",
             run->settings.server);
    return false;
}

static bool read_settings(struct run *run, char *sentence, size_t sentence_bytes)
{
    struct settings *settings = &run->settings;
    settings->verify = settings->verify < settings->count ? settings->verify : settings->count;
    for (uint32_t i = 0; i < settings->thresholds.count; i++) {
        if (!threshold_read(&run->thresholds[i], settings->thresholds.values[i], sentence, sentence_bytes))
            return false;
    }
    if (settings->scoreboard && settings->verify == 0) {
        snprintf(sentence, sentence_bytes, "--scoreboard needs a bot that knows the match: --verify 1 or more");
        return false;
    }
    if (!impairment_parse(settings->net, &run->impairment, &run->error)) {
        snprintf(sentence, sentence_bytes, "--net: %.200s", run->error.text);
        return false;
    }
    return password_file_read(settings->password_file, run->password, sentence, sentence_bytes) &&
           read_server(run, sentence, sentence_bytes);
}

/// Closes an interval: its line or the scoreboard, its row.
static void tell_interval(struct run *run, uint64_t now_ns)
{
    struct measurement *measurement = &run->measurement;
    uint64_t cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    swarm_take_sample(run->swarm, &measurement->sample);
    measurement->connected = swarm_connected(run->swarm);
    measurement->least_snapshots_per_s = swarm_least_snapshots_per_s(run->swarm);
    measurement->lag_us = run->interval_lag_us;
    measurement->cpu_pct = 100.0 * (double)(cpu_ns - run->interval_cpu_ns) / (double)(now_ns - run->interval_ns);
    const struct client *witness = run->settings.scoreboard ? swarm_witness(run->swarm) : NULL;
    double second = (double)(now_ns - run->start_ns) / 1e9;
    report_interval(run->report, second, measurement, run->settings.scoreboard ? NULL : stdout);
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
    total->connected = swarm_joined(run->swarm);
    total->least_snapshots_per_s = swarm_least_snapshots_per_s(run->swarm);
    total->lag_us = run->lag_us;
    total->cpu_pct =
        100.0 * (double)(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - run->cpu_start_ns) / (double)(now_ns - run->start_ns);
}

static bool fails_fast(struct run *run, uint64_t now_ns)
{
    bool all = swarm_connected(run->swarm) + swarm_ended(run->swarm) == run->settings.count;
    if (!all)
        run->settled_ns = now_ns + SETTLE_US * 1000;
    if (!run->settings.fail_fast || now_ns < run->settled_ns)
        return false;
    measure_total(run, now_ns);
    bool broken = run->measurement.sample.desyncs > 0;
    for (uint32_t i = 0; i < run->settings.thresholds.count; i++)
        broken = broken || (run->thresholds[i].upper && !threshold_holds(&run->thresholds[i], &run->measurement));
    return broken;
}

static void drive(struct run *run)
{
    uint64_t end_ns = run->start_ns + (uint64_t)run->settings.duration_ms * 1000000;
    uint64_t interval_ns = (uint64_t)run->settings.interval_ms * 1000000;
    for (uint64_t pulse = 0; !stopped; pulse++) {
        uint64_t deadline_ns = run->start_ns + pulse * SECOND_NS / PULSES_PER_SECOND;
        sleep_until(deadline_ns);
        uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
        uint64_t behind_ns = now_ns > deadline_ns ? now_ns - deadline_ns : 0;
        histogram_add(&run->interval_lag_us, behind_ns / 1000);
        pulse += behind_ns * PULSES_PER_SECOND / SECOND_NS; // pulses that are over are left out, their lag is counted
        swarm_pulse(run->swarm, now_ns / 1000);
        bool over = now_ns >= end_ns || swarm_ended(run->swarm) == run->settings.count;
        if (!over && now_ns - run->interval_ns < interval_ns)
            continue;
        tell_interval(run, now_ns);
        if (over || fails_fast(run, now_ns))
            return;
    }
    run->interrupted = true;
}

static struct report_verdict judge(const struct run *run)
{
    const struct measurement *total = &run->measurement;
    struct report_verdict verdict = {.all_joined = swarm_joined(run->swarm) == run->settings.count,
                                     .undisturbed = swarm_ended(run->swarm) == 0 && total->sample.desyncs == 0,
                                     .bottleneck = histogram_quantile(&total->lag_us, 990) > OWN_LAG_US_MAX ||
                                                   total->cpu_pct > OWN_CPU_PCT_MAX,
                                     .within = true,
                                     .interrupted = run->interrupted};
    for (uint32_t i = 0; i < run->settings.thresholds.count; i++)
        verdict.within = verdict.within && threshold_holds(&run->thresholds[i], total);
    return verdict;
}

static enum exit_code conclude(struct run *run)
{
    uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
    if (now_ns > run->interval_ns + SECOND_NS / TICKS_PER_SECOND)
        tell_interval(run, now_ns);
    measure_total(run, now_ns);
    const struct settings *settings = &run->settings;
    struct report_verdict verdict = judge(run);
    double seconds = (double)(now_ns - run->start_ns) / 1e9;
    report_summary(run->report, seconds, &run->measurement, &verdict, stdout);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("deadfall-bots: standard output cannot be written\n", stderr);
        return EXIT_IO;
    }
    if (swarm_ended(run->swarm) > 0)
        fprintf(stderr, "deadfall-bots: %s\n", run->error.text[0] ? run->error.text : swarm_sentence(run->swarm));
    if (settings->json[0] && !report_write_json(run->report, settings->json, seconds, &run->measurement, &verdict)) {
        fprintf(stderr, "deadfall-bots: %s: cannot be written\n", settings->json);
        return EXIT_IO;
    }
    if (settings->csv[0] && !report_write_csv(run->report, settings->csv)) {
        fprintf(stderr, "deadfall-bots: %s: cannot be written\n", settings->csv);
        return EXIT_IO;
    }
    if (swarm_joined(run->swarm) == 0 && !verdict.interrupted) {
        fprintf(stderr, "deadfall-bots: nobody came into a match at %s\n", settings->server);
        return EXIT_UNAVAILABLE;
    }
    if (!verdict.all_joined || !verdict.undisturbed || verdict.bottleneck || verdict.interrupted)
        return EXIT_FAILED;
    return verdict.within ? EXIT_OK : EXIT_THRESHOLD;
}

static enum exit_code run_all(struct run *run, int argc, char **argv)
{
    const struct settings *settings = &run->settings;
    struct swarm_settings swarm = {.count = (uint32_t)settings->count,
                                   .verify = (uint32_t)settings->verify,
                                   .spawn_rate = (uint32_t)settings->spawn_rate,
                                   .seed = (uint32_t)settings->seed,
                                   .skill = (enum skill)settings->skill,
                                   .idle = settings->behaviour == BEHAVIOUR_IDLE,
                                   .reconnect = settings->reconnect,
                                   .name = settings->name,
                                   .open = open_connection,
                                   .context = run};
    struct report_run about = {argc, argv, swarm.seed, run->thresholds, settings->thresholds.count};
    run->swarm = swarm_create(&swarm);
    run->report = report_create(&about);
    if (!run->swarm || !run->report) {
        fputs("deadfall-bots: memory is out\n", stderr);
        return EXIT_FAILED;
    }
    for (uint32_t i = 0; i < swarm.count; i++) {
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
    struct options_result read;
    char sentence[256];
    switch (options_read(&PROGRAM, &run.settings, argc, argv, getenv, stdout, &read)) {
    case OPTIONS_DONE:
        return EXIT_OK;
    case OPTIONS_WRONG:
        fprintf(stderr, "deadfall-bots: %s\n", read.sentence);
        return (int)read.code;
    case OPTIONS_RUN:
        break;
    }
    if (!read_settings(&run, sentence, sizeof sentence)) {
        fprintf(stderr, "deadfall-bots: %s\n", sentence);
        return EXIT_USAGE;
    }
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    enum exit_code code = run_all(&run, argc, argv);
    swarm_destroy(run.swarm);
    report_destroy(run.report);
    return (int)code;
}
