// SPDX-License-Identifier: MIT
//
// One table of options drives a program's command line, its environment, its config file, --help, --print-config,
// --check-config, its man page and its completion. A main reads its options into a plain struct before anything else
// runs, and no value gets there that the table does not allow. Knows nothing of any program.
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

/// Prints --help.
void options_print_help(const struct program *program, FILE *out);

/// Prints --help-man: the options as a list in mdoc, for the program's man page.
void options_print_man(const struct program *program, FILE *out);

/// Prints --help-bash: a completion of the program for bash.
void options_print_completion(const struct program *program, FILE *out);

#endif
