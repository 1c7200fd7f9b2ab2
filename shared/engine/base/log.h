// SPDX-License-Identifier: MIT
//
// Log lines for the person who runs a program: on stderr, by level, as text or as JSON. A main.c makes one log and
// lends it to the parts of the program; results go to stdout and not to the log. Allocates nothing.
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "fields.h"

/// How important a line is, most important first. LOG_LEVEL_NAMES are the choices of --log-level.
enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG };
/// The format of a line. LOG_FORMAT_NAMES are the choices of --log-format.
enum log_format { LOG_TEXT, LOG_JSON };

/// For the option table; ends with null.
extern const char *const LOG_LEVEL_NAMES[];
extern const char *const LOG_FORMAT_NAMES[];

struct log {
    FILE *out;                  ///< null: nothing is written
    uint32_t level;             ///< enum log_level; lines beyond it are left out
    uint32_t format;            ///< enum log_format
    int64_t (*unix_time)(void); ///< s since 1970; null: lines without a time
    bool to_journal;            ///< lines of text begin with <PRIORITY>, without time and level: see log_is_journal()
};

/// Returns whether a file is the stream that systemd reads into its journal: `stream` is $JOURNAL_STREAM, the device
/// and inode of that as "DEVICE:INODE", or null. The journal keeps the time of a line and its priority (sd-daemon(3)).
bool log_is_journal(FILE *out, const char *stream);

/// Writes one line, at most 1,000 bytes of text. What a terminal must not have is written as utf8_escape() does, in
/// JSON too, so that a stranger's text cannot forge a line or hide one. A null log is allowed.
void log_write(const struct log *log, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Writes a line with values in it: the same text, and in JSON also `event` and each value by its name.
void log_event(const struct log *log, enum log_level level, const struct fields *fields);

#endif
