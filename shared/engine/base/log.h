// SPDX-License-Identifier: MIT
//
// Log lines for the person who runs a program: on stderr, by level, as text or as JSON. A main.c makes one log and
// lends it to the parts of the program; results go to stdout and not to the log. A line has values in it: it is written
// once, as text with {name} where a value belongs, for people and for programs. The answers of the admin socket are
// made of such lines, too. Allocates nothing.
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// Values of a line at most.
#define FIELD_CAPACITY 18

/// A value: a text; without one a number, or with `is_flag` true or false.
struct field {
    const char *name; ///< null: there are no more
    const char *text; ///< any bytes
    int64_t number;
    bool is_flag;
};

/// A line and its values. Values that the line does not name are for programs only.
struct fields {
    const char *event; ///< what happened, or what the line is about; always the same word for the same thing
    const char *line;  ///< as "{name} joins at slot {slot}"
    struct field of[FIELD_CAPACITY];
};

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

// --- the values of a line

/// Writes the line for people and a final zero, cut to `text_bytes`. Returns its bytes.
size_t log_fields_text(const struct fields *fields, char *text, size_t text_bytes);

/// Writes the values as members of a JSON object, each after a comma (,"name":"Ann","slot":3), and a final zero; only
/// whole members. Returns the bytes.
size_t log_fields_json(const struct fields *fields, char *json, size_t json_bytes);

/// Writes a text as a string of JSON and a final zero; characters that a terminal must not have as utf8_escape() does.
/// Returns its bytes; 0 and an empty string if it does not fit.
size_t log_quote(const char *text, char *json, size_t json_bytes);

#endif
