// SPDX-License-Identifier: MIT
//
// The rows of an option table: what each option is called, what its value may be, and which field of the program's
// struct it fills; and the value of one option: set from text, printed as text, compared, copied. The command line, the
// environment and the config file all set values here, so a wrong value gives the same error everywhere. options.h
// reads options by such a table.
#ifndef OPTIONS_OPTION_H
#define OPTIONS_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/// Bytes of a text option with its final zero.
#define OPTION_TEXT_BYTES 512
/// Values of a list.
#define OPTION_LIST_CAPACITY 32
/// Rows of a table.
#define OPTION_CAPACITY 128

/// What an OPTION_LIST fills.
struct option_list {
    uint32_t count;
    char values[OPTION_LIST_CAPACITY][OPTION_TEXT_BYTES];
};

/// What a value must be, and which type of field it fills.
enum option_kind {
    OPTION_FLAG,     ///< bool: --name, --name=off; in files and environment on, off, true, false, yes, no, 1, 0
    OPTION_NUMBER,   ///< int64_t from least to most
    OPTION_DURATION, ///< int64_t, ms, from least to most: "500ms", "20s", "3m", "1h"; a bare number is seconds
    OPTION_CHOICE,   ///< uint32_t, the index of the word in `choices`
    OPTION_TEXT,     ///< char[OPTION_TEXT_BYTES]
    OPTION_LIST,     ///< struct option_list; each further --name adds a value, in files "a, b, c" or lines
};

/// One row of the table. "max-players" is --max-players, `max-players = 16` and DEADFALL_MAX_PLAYERS.
struct option {
    const char *name;
    enum option_kind kind;
    size_t offset;              ///< of the field in the program's struct, bytes
    const char *fallback;       ///< default value; null: zero, off, empty
    const char *value;          ///< name of the value in --help: "N", "FILE"; null for a flag or a choice
    const char *help;           ///< what it does, one line
    int64_t least, most;        ///< limits of a number or a duration (ms); `least` bytes of a text
    const char *const *choices; ///< of a choice, ends with null
    bool is_live;               ///< it may change while the program runs
};

/// What the table belongs to.
struct program {
    const char *name;     ///< "deadfall-server"
    const char *summary;  ///< one sentence for --help
    const char *operands; ///< "FILE" for --help; null: none
    const struct option *options;
    size_t option_count;
    size_t operand_capacity;      ///< operands at most
    void (*help_more)(FILE *out); ///< prints the end of --help; null: nothing
    const char *const *commands;  ///< words that one operand may be, for completion, ends with null; null: it is a file
    uint32_t commands_after;      ///< operands before that one
    bool configurable;            ///< has --config FILE, --print-config and --check-config
};

/// Bytes of the longest value as text, with its final zero: a list.
#define OPTION_VALUE_BYTES (OPTION_LIST_CAPACITY * (OPTION_TEXT_BYTES + 2))

/// One reading of options: the table, the struct that it fills, and where an error goes.
struct option_reading {
    const struct program *program;
    void *settings;
    struct error *error;
};

/// Returns the row of this name, or null. `name` need not end with a zero.
const struct option *option_value_find(const struct program *program, const char *name, size_t length);

/// Sets the option from text; adds the values to a list. Returns false with an error.
bool option_value_set(const struct option_reading *reading, const struct option *option, const char *text);

/// Prints the value as text that option_value_set reads.
void option_value_print(const struct option *option, const void *settings, char text[OPTION_VALUE_BYTES]);

/// Marks that a source names the option. Empties a list the first time, so that only the values of one source add up.
/// `begun` has a flag for each row of the table.
void option_value_begin(const struct option_reading *reading, bool *begun, const struct option *option);

/// Returns true if two settings have the same value of this option.
bool option_value_same(const struct option *option, const void *settings, const void *others);

/// Copies the value of this option from other settings.
void option_value_copy(const struct option *option, void *settings, const void *others);

/// Reads "500ms", "20s", "3m", "1h" or a bare number of seconds, as ms. Returns false for anything else.
bool option_value_duration(const char *text, int64_t *value_ms);

/// Bytes of a password with its final zero.
#define PASSWORD_TEXT_BYTES 65

/// Reads the first line of a file, 1 to 64 bytes; an empty path gives "". Returns false with an error if the file
/// cannot be read, has no such line, or is open to others: everybody can read it, or others than its owner can write
/// it.
bool option_read_password(const char *path, char password[PASSWORD_TEXT_BYTES], struct error *error);

#endif
