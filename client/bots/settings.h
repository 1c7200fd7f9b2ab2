// SPDX-License-Identifier: MIT
//
// The command line of the load test: its table of options, and the settings that the run needs.
#ifndef BOTS_SETTINGS_H
#define BOTS_SETTINGS_H

#include "behaviour.h"
#include "load_stages.h"
#include "net/impairment.h"
#include "net/transport.h"
#include "options/options.h"
#include "options/password_file.h"
#include "threshold.h"

/// The options as given.
struct settings_given {
    char server[OPTION_TEXT_BYTES], net[OPTION_TEXT_BYTES], name[OPTION_TEXT_BYTES], say[OPTION_TEXT_BYTES],
        json[OPTION_TEXT_BYTES], csv[OPTION_TEXT_BYTES], html[OPTION_TEXT_BYTES], stages[OPTION_TEXT_BYTES],
        behaviour[OPTION_TEXT_BYTES], server_metrics[OPTION_TEXT_BYTES], password_file[OPTION_TEXT_BYTES];
    int64_t count, verify, spawn_rate, duration_ms, interval_ms, seed;
    uint32_t skill;
    struct option_list thresholds;
    bool fail_fast, scoreboard, reconnect;
};

/// The settings that the run needs.
struct settings {
    struct settings_given given;
    char host[OPTION_TEXT_BYTES];
    uint16_t port;
    const char *fingerprint; ///< of the server's key; empty: any key
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

#endif
