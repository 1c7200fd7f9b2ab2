// SPDX-License-Identifier: MIT
//
// One table of options drives a program's command line, its environment, its config file, --help, --print-config and
// --check-config. A main reads its options through it into a plain struct of its own, before anything else runs; no
// value is ever taken that the table does not allow. Knows nothing of any program.
#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

#include "base/error.h"
#include "option.h"

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
