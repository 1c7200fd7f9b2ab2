// SPDX-License-Identifier: MIT
//
// One table of options drives a program's command line, its environment, its config file, --help, --print-config,
// --check-config, its man page and its completion. A main reads its options into a plain struct before anything else
// runs, and no value gets there that the table does not allow: wherever it comes from, a wrong one gives the same
// error. Knows nothing of any program.
#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

// --- the table

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

// --- reading

/// Exit codes of all programs, by sysexits.h.
enum exit_code { // stored as int, since main returns it
    EXIT_OK = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 64,       ///< a wrong option
    EXIT_DATA = 65,        ///< a bad map, replay or scenario
    EXIT_UNAVAILABLE = 69, ///< the port is in use, the server cannot be reached
    EXIT_IO = 74,          ///< a file cannot be read or written
    EXIT_BOTTLENECK = 75,  ///< a load test was too slow itself to measure the server
    EXIT_CONFIG = 78,      ///< a bad config file or environment variable
    EXIT_OUTAGE = 98,      ///< a load test saw an outage, or a server that cannot write what it keeps
    EXIT_THRESHOLD = 99,   ///< a load test broke a threshold
};

/// What to do after reading.
enum options_outcome {
    OPTIONS_RUN,   ///< go on
    OPTIONS_DONE,  ///< --help and the like are answered: exit 0, but for `check_config` do your own checks first
    OPTIONS_WRONG, ///< `error` says why: print it, exit with its code
};

/// What was read besides the program's struct.
struct options_result {
    const char *const *operands; ///< into argv
    size_t operand_count;
    bool given[OPTION_CAPACITY]; ///< for each row of the table: the command line has set it
    bool check_config;           ///< --check-config was given
    struct error error;          ///< of OPTIONS_WRONG; its code is EXIT_USAGE, EXIT_CONFIG, or EXIT_IO if `out` fails
};

/// Fills `settings` from the defaults, the file of --config or DEADFALL_CONFIG, the environment and the command line;
/// a later source overrides an earlier one. Answers go to `out`. Moves the operands to the beginning of `argv`.
/// `environment` is like getenv.
enum options_outcome options_read(const struct program *program, void *settings, int argc, char **argv,
                                  char *(*environment)(const char *name), FILE *out, struct options_result *result);

/// Sets one option of the table from text, as a line of a config file would; a list gets only these values. Returns
/// false with an error.
bool options_set(const struct program *program, void *settings, const char *name, const char *value,
                 struct error *error);

/// Returns true if the command line has set this option. Then a bad value is a usage error, else a configuration error.
bool options_given(const struct program *program, const struct options_result *result, const char *name);

/// Finds the first of these "NAME=value" (the list ends with null) that begins with DEADFALL_ but is not an option of
/// the program, DEADFALL_CONFIG or DEADFALL_MAP_DIR. Returns null if there is none; to find the next, pass what
/// follows.
char **options_find_stranger(const struct program *program, char **variables);

/// Bytes of a password with its final zero.
#define PASSWORD_TEXT_BYTES 65

/// Reads the first line of a file, 1 to 64 bytes; an empty path gives "". Returns false with an error if the file
/// cannot be read, has no such line, or is open to others: everybody can read it, or others than its owner can write
/// it.
bool option_read_password(const char *path, char password[PASSWORD_TEXT_BYTES], struct error *error);

// --- a config file: lines of "key = value". A comment begins with a '#' at the beginning of a word. A value that
// begins with a quotation mark ends at the next one; inside, two quotation marks stand for one.

/// Bytes of a config file at most.
#define CONFIG_FILE_BYTES_MAX 65536

/// Sets the options that a file names. Returns false with an error that names file and line.
bool config_file_read(const struct option_reading *reading, const char *path);
/// Writes a config file that gives these settings (--print-config).
void config_file_write(const struct program *program, const void *settings, FILE *out);

// --- what the table says

/// Prints --help.
void options_print_help(const struct program *program, FILE *out);

/// Prints --help-man: the options as a list in mdoc, for the program's man page.
void options_print_man(const struct program *program, FILE *out);

/// Prints --help-bash: a completion of the program for bash.
void options_print_completion(const struct program *program, FILE *out);

// --- the value of one option

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

#endif
