// SPDX-License-Identifier: MIT
//
// One table of options drives a program's command line, its environment, its config file, --help, --print-config and
// --check-config. A main reads its options through it into a plain struct of its own, before anything else runs; no
// value is ever taken that the table does not allow. Knows nothing of any program.
#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/// Exit codes of all programs, by sysexits.h.
enum exit_code { // stored as int, since main returns it
    EXIT_OK = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 64,       ///< a wrong option
    EXIT_DATA = 65,        ///< a bad map, replay or scenario
    EXIT_UNAVAILABLE = 69, ///< the port is in use, the server cannot be reached
    EXIT_IO = 74,          ///< a file cannot be read or written
    EXIT_BOTTLENECK = 75,  ///< a load test was too slow itself to say anything of the server
    EXIT_CONFIG = 78,      ///< a bad config file or environment variable
    EXIT_THRESHOLD = 99,   ///< a load test broke a threshold
};

/// Bytes of a text option with its final zero.
#define OPTION_TEXT_BYTES 512
/// Values of a list.
#define OPTION_LIST_CAPACITY 32
/// Rows of a table.
#define OPTION_CAPACITY 64
/// Largest config file.
#define CONFIG_BYTES_MAX 65536

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
    const char *fallback;       ///< value without any other source; null: zero, off, empty
    const char *value;          ///< name of the value in --help: "N", "FILE"; null for a flag or a choice
    const char *help;           ///< what it does, one line
    int64_t least, most;        ///< limits of a number or a duration (ms); `least` bytes of a text
    const char *const *choices; ///< of a choice, ends with null
};

/// What the table belongs to.
struct program {
    const char *name;     ///< "deadfall-server"
    const char *summary;  ///< one sentence for --help
    const char *operands; ///< "FILE" for --help; null: it takes none
    const struct option *options;
    size_t option_count;
    size_t operand_capacity;      ///< operands it takes at most
    void (*help_more)(FILE *out); ///< what --help says at its end; null: nothing
    const char *const *commands;  ///< what one of its operands may be, for completion, ends with null; null: a file
    uint32_t commands_after;      ///< operands before that one
    bool configurable;            ///< has --config FILE, --print-config and --check-config
};

/// Reads "500ms", "20s", "3m", "1h" or a bare number of seconds. False for anything else.
bool options_duration(const char *text, int64_t *value_ms);

/// How the reading went.
enum options_outcome {
    OPTIONS_RUN,   ///< go on
    OPTIONS_DONE,  ///< --help and the like have been answered: exit 0, after checks of your own for `check_config`
    OPTIONS_WRONG, ///< `error` says why: print it, exit with its code
};

/// What was read besides the program's struct.
struct options_result {
    const char *const *operands; ///< into argv
    size_t operand_count;
    uint64_t given;    ///< bits of the table's rows: the command line has set them
    bool check_config; ///< asked for
    struct error
        error; ///< of OPTIONS_WRONG; its code is EXIT_USAGE, EXIT_CONFIG, or EXIT_IO when `out` takes no answer
};

/// Fills `settings` from the defaults, the file of --config or DEADFALL_CONFIG, the environment and the command line,
/// the later over the earlier. Answers go to `out`. `argv` is put in order: operands last. `environment` is like
/// getenv.
enum options_outcome options_read(const struct program *program, void *settings, int argc, char **argv,
                                  char *(*environment)(const char *name), FILE *out, struct options_result *result);

/// Sets one option of the table from text, as one line of a config file would. False with a sentence.
bool options_set(const struct program *program, void *settings, const char *name, const char *value,
                 struct error *error);

/// Whether the command line has set this option: then a bad value is a usage error, else one of the configuration.
bool options_given(const struct program *program, const struct options_result *result, const char *name);

/// Whether two settings have the same value in this row.
bool options_same(const struct option *option, const void *settings, const void *others);

/// Gives a row the value that it has in other settings.
void options_copy(const struct option *option, void *settings, const void *others);

/// The first of these "NAME=value" (ends with null) that begins with DEADFALL_ and belongs to no option of the program,
/// nor is DEADFALL_CONFIG or DEADFALL_MAP_DIR. Null if there is none; go on after the one found.
char **options_find_stranger(const struct program *program, char **variables);

/// What --help prints.
void options_print_help(const struct program *program, FILE *out);

/// What --help-man prints: the options as a list in mdoc, for the program's man page.
void options_print_man(const struct program *program, FILE *out);

/// What --help-bash prints: a completion of the program for bash.
void options_print_completion(const struct program *program, FILE *out);

/// What --print-config prints: a config file that would give the same settings.
void options_print_config(const struct program *program, const void *settings, FILE *out);

#endif
