// SPDX-License-Identifier: MIT
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/impairment.h"
#include "net/udp_socket.h"
#include "swarm.h"

static const char *const SKILL_CHOICES[] = {"idle", "random", "easy", "normal", "hard", NULL};

#define FIELD(name) offsetof(struct settings_given, name)
static const struct option OPTIONS[] = {
    {"server", OPTION_TEXT, FIELD(server), "127.0.0.1:27440", "HOST:PORT[#KEY]", "the server under test", 0, 0, NULL},
    {"count", OPTION_NUMBER, FIELD(count), "16", "N", "bots", 1, SWARM_CAPACITY, NULL},
    {"verify", OPTION_NUMBER, FIELD(verify), "1", "N", "of them whole clients: decode, predict, compare hashes", 0,
     SWARM_CAPACITY, NULL},
    {"spawn-rate", OPTION_NUMBER, FIELD(spawn_rate), "50", "R", "bots that connect a second", 1, 10000, NULL},
    {"duration", OPTION_DURATION, FIELD(duration_ms), "60s", "TIME", "how long", 1000, 86400000, NULL},
    {"stages", OPTION_TEXT, FIELD(stages), NULL, "N:TIME,...",
     "ramps one after the other, in place of the three before", 0, 0, NULL},
    {"interval", OPTION_DURATION, FIELD(interval_ms), "1s", "TIME", "between two lines", 100, 3600000, NULL},
    {"seed", OPTION_NUMBER, FIELD(seed), "1", "N", "of the bots' random walks", 0, UINT32_MAX, NULL},
    {"skill", OPTION_CHOICE, FIELD(skill), "normal", NULL, "of the whole clients", 0, 0, SKILL_CHOICES},
    {"behaviour", OPTION_TEXT, FIELD(behaviour), "play", "MIX",
     "play, idle, churn, flood or slow-reader; or shares, as in play:8,churn:2", 0, 0, NULL},
    {"net", OPTION_TEXT, FIELD(net), NULL, "LINE",
     "a bad line for each bot: delay=50ms,jitter=10ms,loss=5%,dup=2%,reorder=2%,rate=128kbit", 0, 0, NULL},
    {"name", OPTION_TEXT, FIELD(name), "bot", "PREFIX", "of the bots' names", 0, 0, NULL},
    {"say", OPTION_TEXT, FIELD(say), NULL, "TEXT", "what each bot says when it comes in; '/...' is a command", 0, 0,
     NULL},
    {"server-metrics", OPTION_TEXT, FIELD(server_metrics), NULL, "ADDR:PORT", "where the server's --metrics is", 0, 0,
     NULL},
    {"json", OPTION_TEXT, FIELD(json), NULL, "FILE", "write the report as JSON", 0, 0, NULL},
    {"csv", OPTION_TEXT, FIELD(csv), NULL, "FILE", "write the intervals as CSV", 0, 0, NULL},
    {"html", OPTION_TEXT, FIELD(html), NULL, "FILE", "write the report as one page with plots", 0, 0, NULL},
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
               "74 a file could not be written, 75 the load test itself was too slow to say anything of the server,\n"
               "99 a threshold does not hold; one without a sample never does.\n"
               "What flood and slow-reader see is not measured: the others' figures tell what they do to a match.",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof *OPTIONS,
    .help_more = metric_print_names,
};

// "host:port", "[v6]:port" or "host", and "#fingerprint".
static bool read_server(struct settings *settings, struct error *error)
{
    const char *given = settings->given.server;
    settings->fingerprint = given + strcspn(given, "#");
    snprintf(settings->host, sizeof settings->host, "%.*s", (int)(settings->fingerprint - given), given);
    settings->fingerprint += *settings->fingerprint == '#';
    char *host = settings->host, *colon = strrchr(host, ':');
    char *rest = "";
    unsigned long port = 27440;
    if (colon && (strchr(host, ':') == colon || colon[-1] == ']')) {
        *colon = 0;
        port = strtoul(colon + 1, &rest, 10);
        if (rest == colon + 1 || colon[1] == '-' || colon[1] == '+')
            port = 0;
    }
    size_t length = strlen(host);
    if (host[0] == '[' && host[length - 1] == ']') {
        memmove(host, host + 1, length - 2);
        host[length - 2] = 0;
    }
    settings->port = (uint16_t)port;
    if (host[0] && *rest == 0 && port > 0 && port <= UINT16_MAX)
        return true;
    return error_set(error, "--server '%.100s': write HOST:PORT, with a port from 1 to 65535", given);
}

static bool read_crowd(struct settings *settings, struct error *error)
{
    const struct settings_given *given = &settings->given;
    load_stages_steady(&settings->stages, (uint32_t)given->count, (uint32_t)given->spawn_rate,
                       (uint64_t)given->duration_ms * 1000);
    settings->count = (uint32_t)given->count;
    if (given->stages[0]) {
        if (!load_stages_read(&settings->stages, given->stages, SWARM_CAPACITY, error))
            return false;
        settings->count = load_stages_most(&settings->stages);
    }
    settings->verify = given->verify < settings->count ? (uint32_t)given->verify : settings->count;
    if (given->scoreboard && settings->verify == 0)
        return error_set(error, "--scoreboard needs a bot that knows the match: --verify 1 or more");
    return behaviour_mix_parse(&settings->mix, given->behaviour, error);
}

// A tool that floods other people's servers is none that we give away.
static bool floods_only_itself(const struct settings *settings, struct error *error)
{
    struct net_address address;
    if (settings->mix.shares[BEHAVIOUR_FLOOD] == 0 ||
        (udp_socket_find_address(&address, settings->host, settings->port) && net_address_is_loopback(&address)))
        return true;
    return error_set(
        error, "--behaviour flood: only to a server on this machine; --server says '%.100s', write 127.0.0.1:PORT",
        settings->given.server);
}

static bool read_given(struct settings *settings, struct error *error)
{
    const struct settings_given *given = &settings->given;
    for (uint32_t i = 0; i < given->thresholds.count; i++) {
        if (!threshold_read(&settings->thresholds[i], given->thresholds.values[i], error))
            return false;
    }
    if (!impairment_parse(given->net, &settings->impairment, error))
        return error_set(error, "--net: %.200s", error->text);
    return password_file_read(given->password_file, settings->password, error) && read_server(settings, error) &&
           read_crowd(settings, error) && floods_only_itself(settings, error);
}

bool settings_read(struct settings *settings, int argc, char **argv, int *code)
{
    struct options_result read;
    struct error error;
    switch (options_read(&PROGRAM, &settings->given, argc, argv, getenv, stdout, &read)) {
    case OPTIONS_DONE:
        *code = EXIT_OK;
        return false;
    case OPTIONS_WRONG:
        fprintf(stderr, "deadfall-bots: %s\n", read.error.text);
        *code = (int)read.error.code;
        return false;
    case OPTIONS_RUN:
        break;
    }
    if (read_given(settings, &error))
        return true;
    fprintf(stderr, "deadfall-bots: %s\n", error.text);
    *code = EXIT_USAGE;
    return false;
}
