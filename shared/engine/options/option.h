// SPDX-License-Identifier: MIT
//
// The rows of an option table: what each option is called, what its value may be, and which field of the program's
// struct it fills. Only data; options.h reads options by it.
#ifndef OPTIONS_OPTION_H
#define OPTIONS_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

#endif
