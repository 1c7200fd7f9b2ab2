// SPDX-License-Identifier: MIT
//
// Checks the program that is to take the place of this one before it does: runs its file with --check-config and this
// server's arguments in a process of its own, and reads why if it refuses. A wrong option, a bad map or a program that
// cannot run then costs an error instead of the server. Poll it between ticks; nothing here waits.
#ifndef LIFECYCLE_PREFLIGHT_H
#define LIFECYCLE_PREFLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/// A check that takes longer has failed, ns.
#define PREFLIGHT_NS_MAX (5 * UINT64_C(1000000000))
/// Bytes of what the program says that are kept: the first.
#define PREFLIGHT_OUTPUT_BYTES 4096
/// Arguments of the server at most.
#define PREFLIGHT_ARGUMENTS_MAX 500

enum preflight_outcome {
    PREFLIGHT_RUNS,
    PREFLIGHT_GOOD, ///< the program would start
    PREFLIGHT_BAD,  ///< the error says why it would not
};

/// A check. Zero-initialise: none runs.
struct preflight {
    int process; ///< 0: none runs
    int output;  ///< of the process, to be read
    uint64_t deadline_ns;
    size_t output_bytes;
    char text[PREFLIGHT_OUTPUT_BYTES];
};

/// Begins to check the program at `path` with these arguments (as main() has them). None may run. False with an error
/// if the process cannot be started.
bool preflight_begin(struct preflight *preflight, const char *path, char **arguments, uint64_t now_ns,
                     struct error *error);

/// Looks whether the check that runs is over; if so, it has ended after this call.
enum preflight_outcome preflight_poll(struct preflight *preflight, uint64_t now_ns, struct error *error);

#endif
