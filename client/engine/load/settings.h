// SPDX-License-Identifier: MIT
//
// The command line of the load test: its table of options, and the settings that the run needs.
#ifndef LOAD_SETTINGS_H
#define LOAD_SETTINGS_H

#include "metric.h"
#include "net/impairment.h"
#include "net/punch.h"
#include "net/transport.h"
#include "options/options.h"
#include "workload.h"

/// Reports that can be merged at once.
#define SETTINGS_FILE_CAPACITY 64

/// What the program is to do.
enum settings_command { SETTINGS_RUN, SETTINGS_MERGE, SETTINGS_COMPARE };

/// The options as given.
struct settings_given {
    char server[OPTION_TEXT_BYTES], net[OPTION_TEXT_BYTES], name[OPTION_TEXT_BYTES], say[OPTION_TEXT_BYTES],
        json[OPTION_TEXT_BYTES], csv[OPTION_TEXT_BYTES], html[OPTION_TEXT_BYTES], stages[OPTION_TEXT_BYTES],
        behaviour[OPTION_TEXT_BYTES], server_metrics[OPTION_TEXT_BYTES], password_file[OPTION_TEXT_BYTES],
        start_at[OPTION_TEXT_BYTES], control[OPTION_TEXT_BYTES];
    int64_t count, verify, spawn_rate, duration_ms, interval_ms, seed, tolerance;
    uint32_t skill;
    struct option_list thresholds;
    bool fail_fast, scoreboard, reconnect;
};

/// The settings that the run needs.
struct settings {
    struct settings_given given;
    enum settings_command command;
    uint32_t file_count;                         ///< reports to merge or compare
    const char *files[SETTINGS_FILE_CAPACITY];   ///< into argv
    uint32_t argument_count;                     ///< of a merge or a comparison
    char *arguments[SETTINGS_FILE_CAPACITY + 2]; ///< the program, its command, the files
    int64_t start_at_ms;                         ///< when to begin, since 1970; 0: at once
    char host[OPTION_TEXT_BYTES];
    uint16_t port;
    struct punch_client_route route; ///< the server's key, empty: any; and who introduces clients to it
    struct impairment impairment;
    char password[PASSWORD_TEXT_BYTES];
    struct load_stages stages;
    uint32_t count;  ///< clients at the busiest time
    uint32_t verify; ///< of them, full clients
    struct behaviour_mix mix;
    struct threshold thresholds[OPTION_LIST_CAPACITY];
};

/// Reads the command line into a zeroed struct, which must not move. False if the program is to exit with `code`; all
/// messages are printed then.
bool settings_read(struct settings *settings, int argc, char **argv, int *code);

/// Refuses a mix that would flood another machine. False with an error.
bool settings_allow(const struct settings *settings, const struct behaviour_mix *mix, struct error *error);

#endif
