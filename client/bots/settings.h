// SPDX-License-Identifier: MIT
//
// What the command line of the load test says: its table of options, and their reading into what the run needs.
#ifndef BOTS_SETTINGS_H
#define BOTS_SETTINGS_H

#include "behaviour.h"
#include "load_stages.h"
#include "net/impairment.h"
#include "net/transport.h"
#include "options/options.h"
#include "options/password_file.h"
#include "threshold.h"

/// As the options give them.
struct settings_given {
    char server[OPTION_TEXT_BYTES], net[OPTION_TEXT_BYTES], name[OPTION_TEXT_BYTES], say[OPTION_TEXT_BYTES],
        json[OPTION_TEXT_BYTES], csv[OPTION_TEXT_BYTES], html[OPTION_TEXT_BYTES], stages[OPTION_TEXT_BYTES],
        behaviour[OPTION_TEXT_BYTES], server_metrics[OPTION_TEXT_BYTES], password_file[OPTION_TEXT_BYTES];
    int64_t count, verify, spawn_rate, duration_ms, interval_ms, seed;
    uint32_t skill;
    struct option_list thresholds;
    bool fail_fast, scoreboard, reconnect;
};

/// As the run needs them.
struct settings {
    struct settings_given given;
    char host[OPTION_TEXT_BYTES];
    uint16_t port;
    const char *fingerprint; ///< that the server must have; empty: any
    struct impairment impairment;
    char password[PASSWORD_TEXT_BYTES];
    struct load_stages stages;
    uint32_t count;  ///< bots at the most crowded time
    uint32_t verify; ///< of them whole clients
    struct mix mix;
    struct threshold thresholds[OPTION_LIST_CAPACITY];
};

/// Reads all, into a zeroed struct that stays where it is. False: end with `code`; what is to be said was said.
bool settings_read(struct settings *settings, int argc, char **argv, int *code);

#endif
