// SPDX-License-Identifier: MIT
//
// One load test from its first pulse to its exit code: runs the clients, closes the intervals, scrapes the server's
// metrics, evaluates the whole and writes the files. Time is an argument, connections come from the caller and text
// goes to the caller's files, so that it also runs over a network in virtual time. main.c has the clock and the
// signals.
#ifndef LOAD_LOAD_TEST_H
#define LOAD_LOAD_TEST_H

#include "base/error.h"
#include "settings.h"
#include "swarm.h"

/// A moment on two clocks, ns.
struct load_test_time {
    uint64_t now_ns; ///< monotonic
    uint64_t cpu_ns; ///< CPU time that this process has used
};

/// What a load test needs. Pointers must outlive it.
struct load_test_config {
    const struct settings *settings;
    int argc; ///< the command line, for the report
    char **argv;
    double started_s; ///< since 1970
    load_client_connect *connect;
    void *context;             ///< argument of `connect`
    const struct error *error; ///< why `connect` failed; empty if it did not
    bool redraw;               ///< `out` is a terminal: each scoreboard replaces the one before
    FILE *out, *err;           ///< figures and summary; error messages
};

struct load_test;

/// Opens a load test. Null, with a message on `err` and `*code`, if a file cannot be written (better now than after an
/// hour of load), if the address of the server's metrics is wrong, if the
/// control socket cannot be opened, or if memory runs out.
struct load_test *load_test_open(const struct load_test_config *config, enum exit_code *code);
/// Lets all clients leave and frees the load test. Null is allowed.
void load_test_close(struct load_test *test);

/// Starts the run: the first pulse is due.
void load_test_begin(struct load_test *test, struct load_test_time time);
/// Returns when the next pulse is due, ns.
uint64_t load_test_next_ns(const struct load_test *test);
/// Runs one pulse. Measures how late it is, and leaves out pulses that are over by then. False if the run is over.
bool load_test_pulse(struct load_test *test, struct load_test_time time);

/// Ends the run: closes the last interval and asks the server once more. `interrupted`: before its time.
void load_test_end(struct load_test *test, struct load_test_time time, bool interrupted);
/// Takes the server's last answer. True while it is worth waiting; the clients do nothing meanwhile.
bool load_test_awaits_server(struct load_test *test, uint64_t now_ns);
/// Prints the summary and writes the files. Returns the exit code.
enum exit_code load_test_conclude(struct load_test *test);

#endif
