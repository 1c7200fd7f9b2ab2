// SPDX-License-Identifier: MIT
//
// What the operator of a directory can set: the table of its options, and the struct that they fill.
#ifndef DIRECTORY_DIRECTORY_SETTINGS_H
#define DIRECTORY_DIRECTORY_SETTINGS_H

#include "allocator.h"
#include "base/log.h"
#include "net/household.h"
#include "net/net_address.h"
#include "options/options.h"

/// Addresses to listen on at most.
#define DIRECTORY_LISTEN_MAX 8

struct directory_settings {
    struct option_list listen;         ///< ADDR:PORT
    struct option_list host;           ///< names of the directory; none: any
    struct option_list proxy;          ///< ADDRESS or ADDRESS/BITS
    char publish[OPTION_TEXT_BYTES];   ///< folder for servers.json, or "off"
    char allocator[OPTION_TEXT_BYTES]; ///< URL, or "off"
    char allocator_tls[OPTION_TEXT_BYTES], allocator_fleet[OPTION_TEXT_BYTES];
    char store[OPTION_TEXT_BYTES];               ///< "memory", or the address of a Redis
    char store_password_file[OPTION_TEXT_BYTES]; ///< empty: none
    char store_tls[OPTION_TEXT_BYTES];           ///< folder; empty: none
    char state_dir[OPTION_TEXT_BYTES];           ///< empty: as the environment says
    int64_t household_servers;                   ///< of one household; 0: no limit
    uint32_t household_lan;                      ///< 0 exempt, 1 limited
    struct option_list household_exempt;         ///< ADDRESS or ADDRESS/BITS
    uint32_t log_level, log_format;
};

/// The table, for options_read.
extern const struct program DIRECTORY_PROGRAM;

/// Checks what the table cannot. False with an error; its code is EXIT_USAGE or EXIT_CONFIG.
bool directory_settings_validate(const struct directory_settings *settings, const struct options_result *read,
                                 struct error *error);
/// Returns what the allocator needs.
struct allocator_settings directory_settings_allocator(const struct directory_settings *settings,
                                                       const struct log *log);
/// Returns what a household may have.
struct household_rules directory_settings_households(const struct directory_settings *settings);

#endif
