// SPDX-License-Identifier: MIT
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/host_port.h"
#include "load_game.h"
#include "net/impairment.h"
#include "net/udp_socket.h"
#include "swarm.h"

#define FIELD(name) .offset = offsetof(struct settings_given, name)
static const struct option OPTIONS[] = {
    {"server", OPTION_TEXT, FIELD(server), LOAD_GAME_SERVER, "HOST:PORT[#KEY[@HOST:PORT]]",
     "the server under test; @: the directory that introduces clients to a server behind a router", 0, 0, NULL},
    {"count", OPTION_NUMBER, FIELD(count), "16", "N", "number of clients", 1, SWARM_CAPACITY, NULL},
    {"verify", OPTION_NUMBER, FIELD(verify), "1", "N",
     "how many of them are full clients, which decode, predict and compare hashes", 0, SWARM_CAPACITY, NULL},
    {"spawn-rate", OPTION_NUMBER, FIELD(spawn_rate), "50", "R", "clients that connect per second", 1, 10000, NULL},
    {"duration", OPTION_DURATION, FIELD(duration_ms), "60s", "TIME", "length of the test", 1000, 86400000, NULL},
    {"stages", OPTION_TEXT, FIELD(stages), NULL, "N:TIME,...",
     "ramps one after the other, instead of the three options above", 0, 0, NULL},
    {"interval", OPTION_DURATION, FIELD(interval_ms), "1s", "TIME", "time between two lines of output", 100, 3600000,
     NULL},
    {"seed", OPTION_NUMBER, FIELD(seed), "1", "N", "seed of the clients' random walks", 0, UINT32_MAX, NULL},
    {"skill", OPTION_CHOICE, FIELD(skill), LOAD_GAME_SKILL, NULL, "skill of the full clients", 0, 0, LOAD_GAME_SKILLS},
    {"behaviour", OPTION_TEXT, FIELD(behaviour), "play", "MIX",
     "play, idle, churn, flood or slow-reader; or shares, as in play:8,churn:2", 0, 0, NULL},
    {"net", OPTION_TEXT, FIELD(net), NULL, "LINE",
     "impair each client's network: delay=50ms,jitter=10ms,loss=5%,dup=2%,reorder=2%,rate=128kbit", 0, 0, NULL},
    {"name", OPTION_TEXT, FIELD(name), "bot", "PREFIX", "prefix of the clients' names", 0, 0, NULL},
    {"say", OPTION_TEXT, FIELD(say), NULL, "TEXT", "chat line of each client when it joins; '/...' is a command", 0, 0,
     NULL},
    {"server-metrics", OPTION_TEXT, FIELD(server_metrics), NULL, "ADDR:PORT", "address of the server's --metrics", 0, 0,
     NULL},
    {"json", OPTION_TEXT, FIELD(json), NULL, "FILE", "write the report as JSON", 0, 0, NULL},
    {"csv", OPTION_TEXT, FIELD(csv), NULL, "FILE", "write the intervals as CSV", 0, 0, NULL},
    {"html", OPTION_TEXT, FIELD(html), NULL, "FILE", "write the report as one page with plots", 0, 0, NULL},
    {"threshold", OPTION_LIST, FIELD(thresholds), NULL, "'METRIC<VALUE'",
     "a condition that must hold, such as 'rtt_p99<50ms'; repeatable", 0, 0, NULL},
    {"fail-fast", OPTION_FLAG, FIELD(fail_fast), NULL, NULL,
     "stop when an upper threshold is broken or a world differs", 0, 0, NULL},
    {"reconnect", OPTION_FLAG, FIELD(reconnect), NULL, NULL,
     "clients that lose their connection join again, as players do", 0, 0, NULL},
    {"password-file", OPTION_TEXT, FIELD(password_file), NULL, "FILE", "the server's password is its first line", 0, 0,
     NULL},
    {"start-at", OPTION_TEXT, FIELD(start_at), NULL, "TIME",
     "when to begin, so that several processes begin at once: 2026-11-22T20:00:00Z, or seconds since 1970", 0, 0, NULL},
    {"control", OPTION_TEXT, FIELD(control), NULL, "PATH",
     "Unix socket that takes the lines count N, behaviour MIX, mark TEXT and stop", 0, 0, NULL},
    {"tolerance", OPTION_NUMBER, FIELD(tolerance), "5", "PERCENT", "of compare: how much worse a figure may be", 0,
     1000, NULL},
    {"scoreboard", OPTION_FLAG, FIELD(scoreboard), NULL, NULL, "show the match as a live scoreboard", 0, 0, NULL},
};

static const char *const COMMANDS[] = {"merge", "compare", NULL};

static const struct program PROGRAM = {
    .name = LOAD_GAME_PROGRAM,
    .summary = "Load-tests a server with many clients; prints a line per second and a summary.\n"
               "merge makes one report of those of several processes (--json); compare says whether the second of two "
               "is worse.\n"
               "Exit codes: 0 passed, 1 failed or interrupted before --duration was over, 65 a file is no report, 69 "
               "no client could join,\n"
               "74 a file could not be written, 75 the load test itself was too slow for its figures to count,\n"
               "98 an outage (no snapshots for a fifth of a second, unless a threshold limits outages), or the server "
               "could not write what it keeps,\n"
               "99 a threshold does not hold; one without a sample never does, except for outages and recoveries.\n"
               "What flood and slow-reader clients see is not measured; the figures of the others show what they do to "
               "a match.",
    .operands = "[merge FILE... | compare FILE FILE]",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof *OPTIONS,
    .operand_capacity = 1 + SETTINGS_FILE_CAPACITY,
    .commands = COMMANDS,
    .help_more = metric_print_names,
};

// Reads "HOST", "HOST:PORT", "[IPV6]" or "[IPV6]:PORT", and "#KEY" or "#KEY@HOST:PORT".
static bool read_server(struct settings *settings, struct error *error)
{
    const char *given = settings->given.server;
    size_t length = strcspn(given, "#");
    struct host_port server, usual;
    bool good = host_port_parse(given, length, &server) && (!server.has_port || server.port > 0) &&
                (!given[length] || punch_client_read_route(given + length + 1, &settings->route));
    if (!good)
        return error_set(
            error,
            "--server '%.100s': write HOST:PORT, HOST:PORT#KEY or HOST:PORT#KEY@DIRECTORY:PORT, with ports "
            "from 1 to 65535",
            given);
    snprintf(settings->host, sizeof settings->host, "%s", server.host);
    host_port_parse(LOAD_GAME_SERVER, SIZE_MAX, &usual);
    settings->port = server.has_port ? server.port : usual.port;
    return true;
}

static bool read_load(struct settings *settings, struct error *error)
{
    const struct settings_given *given = &settings->given;
    workload_stages_steady(&settings->stages, (uint32_t)given->count, (uint32_t)given->spawn_rate,
                           (uint64_t)given->duration_ms * 1000);
    settings->count = (uint32_t)given->count;
    if (given->stages[0]) {
        if (!workload_stages_read(&settings->stages, given->stages, SWARM_CAPACITY, error))
            return false;
        settings->count = workload_stages_most(&settings->stages);
    }
    settings->verify = given->verify < settings->count ? (uint32_t)given->verify : settings->count;
    if (given->scoreboard && settings->verify == 0)
        return error_set(error, "--scoreboard needs a full client: write --verify 1 or more");
    return workload_mix_parse(&settings->mix, given->behaviour, error);
}

bool settings_allow(const struct settings *settings, const struct behaviour_mix *mix, struct error *error)
{
    struct net_address address;
    if (mix->shares[BEHAVIOUR_FLOOD] == 0 ||
        (ip_address_find(&address, settings->host, settings->port, IP_ADDRESS_ANY) && ip_address_is_loopback(&address)))
        return true;
    return error_set(
        error,
        "--behaviour flood: works only with a server on this machine, not '%.100s'; write --server 127.0.0.1:PORT",
        settings->given.server);
}

// Reads "2026-11-22T20:00:00Z" or "1795377600.5".
static bool read_start(struct settings *settings, struct error *error)
{
    const char *text = settings->given.start_at;
    char *rest;
    struct tm date = {0};
    double seconds = strtod(text, &rest);
    if (!*text)
        return true;
    const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &date);
    if (end && *end == 0)
        seconds = (double)timegm(&date);
    else if (rest == text || *rest != 0)
        seconds = 0;
    settings->start_at_ms = (int64_t)(seconds * 1000);
    if (seconds > 0 && seconds < 1e11)
        return true;
    return error_set(error, "--start-at '%.100s': write a time as 2026-11-22T20:00:00Z, or seconds since 1970", text);
}

// Reads "merge FILE..." and "compare FILE FILE".
static bool read_command(struct settings *settings, const struct options_result *read, struct error *error)
{
    if (read->operand_count == 0)
        return true;
    const char *command = read->operands[0];
    bool merges = strcmp(command, "merge") == 0;
    settings->command = merges ? SETTINGS_MERGE : SETTINGS_COMPARE;
    settings->arguments[settings->argument_count++] = (char *)(uintptr_t)LOAD_GAME_PROGRAM;
    for (size_t i = 0; i < read->operand_count; i++)
        settings->arguments[settings->argument_count++] = (char *)(uintptr_t)read->operands[i];
    for (size_t i = 1; i < read->operand_count; i++)
        settings->files[settings->file_count++] = read->operands[i];
    if (!merges && strcmp(command, "compare") != 0)
        return error_set(error, "'%.100s' is no command: write merge FILE... or compare FILE FILE, or only options",
                         command);
    if (merges ? settings->file_count < 1 : settings->file_count != 2)
        return error_set(error, merges ? "merge needs the files of one report or more"
                                       : "compare needs the files of two reports");
    return true;
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
        fprintf(stderr, "%s: %s\n", LOAD_GAME_PROGRAM, read.error.text);
        *code = (int)read.error.code;
        return false;
    case OPTIONS_RUN:
        break;
    }
    const struct settings_given *given = &settings->given;
    bool good = read_command(settings, &read, &error);
    for (uint32_t i = 0; good && i < given->thresholds.count; i++)
        good = metric_threshold_read(&settings->thresholds[i], given->thresholds.values[i], &error);
    if (good && !impairment_parse(given->net, &settings->impairment, &error))
        good = error_set(&error, "--net: %.200s", error.text);
    if (good && read_start(settings, &error) &&
        option_read_password(given->password_file, settings->password, &error) && read_server(settings, &error) &&
        read_load(settings, &error) && settings_allow(settings, &settings->mix, &error))
        return true;
    fprintf(stderr, "%s: %s\n", LOAD_GAME_PROGRAM, error.text);
    *code = EXIT_USAGE;
    return false;
}
