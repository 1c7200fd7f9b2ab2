// SPDX-License-Identifier: MIT
//
// One load test from its first pulse to its exit code: drives the bots, closes the intervals, asks the server for its
// metrics, judges the whole and writes the files. Time is an argument, connections come from the caller and text goes
// to the caller's files, so that it also runs over a network in virtual time. main.c has the clock and the signals.
#ifndef BOTS_LOAD_TEST_H
#define BOTS_LOAD_TEST_H

#include "base/error.h"
#include "settings.h"
#include "swarm.h"

/// A moment by two clocks, ns.
struct load_test_time {
    uint64_t now_ns; ///< monotonic
    uint64_t cpu_ns; ///< CPU time that this process has used
};

/// What a load test is given; pointers must outlive it.
struct load_test_config {
    const struct settings *settings;
    int argc; ///< the command line, for the report
    char **argv;
    int64_t started_s; ///< since 1970
    bot_connect *connect;
    void *context;             ///< argument of `connect`
    const struct error *error; ///< why `connect` has failed; an empty text: it has not
    bool redraw;               ///< `out` is a terminal: a scoreboard stands over the one before
    FILE *out, *err;           ///< figures and summary; sentences about what failed
};

struct load_test;

/// Opens one. Null, with a sentence on `err` and `*code`, if a file cannot be written (better now than after an hour of
/// load), if the place of the server's metrics is wrong, or if memory is out.
struct load_test *load_test_open(const struct load_test_config *config, enum exit_code *code);
/// All bots leave, and it is freed. Null is fine.
void load_test_close(struct load_test *test);

/// It starts now: the first pulse is due.
void load_test_begin(struct load_test *test, struct load_test_time time);
/// When the next pulse is due.
uint64_t load_test_next_ns(const struct load_test *test);
/// One pulse; how late it comes is measured, and pulses that are over by then are left out. False: the run is over.
bool load_test_pulse(struct load_test *test, struct load_test_time time);

/// The run ends here: closes the last interval, asks the server once more. `interrupted`: before its time.
void load_test_end(struct load_test *test, struct load_test_time time, bool interrupted);
/// Takes the server's last answer. True while it is worth waiting for; the bots stand still meanwhile.
bool load_test_awaits_server(struct load_test *test, uint64_t now_ns);
/// Prints the summary, writes the files. Returns what the program exits with.
enum exit_code load_test_conclude(struct load_test *test);

#endif
