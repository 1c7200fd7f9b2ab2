// SPDX-License-Identifier: MIT
//
// The server that follows this one: the same program, which takes the place of this one in its process, or one that a
// service manager starts and that keeps the sockets. No datagram is lost while a server restarts, because the next one
// gets the game's port by the protocol of sd_listen_fds(3): LISTEN_PID, LISTEN_FDS and sockets from file 3 on.
//
// First the program is checked: it runs with --check-config and this server's arguments in a process of its own, and if
// it refuses, it is read why. A wrong option, a bad map or a program that cannot run then costs an error instead of the
// server. Poll the check between ticks; it never waits.
#ifndef LIFECYCLE_SUCCESSOR_H
#define LIFECYCLE_SUCCESSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/// Sockets that a server hands on: over IPv4 and IPv6.
#define SUCCESSOR_SOCKETS 2

/// Returns how many sockets an earlier server has left for this process, from file 3 on, and closes those beyond
/// SUCCESSOR_SOCKETS. Forgets them: call once. `environment` is like getenv.
unsigned successor_take(char *(*environment)(const char *name), long self, int sockets[SUCCESSOR_SOCKETS]);

/// Finds the file of this program, which an upgrade may replace by now. False with an error if it cannot be run.
bool successor_find(char *path, size_t path_bytes, struct error *error);

/// Duplicates sockets, so that they stay open when their owner closes; -1 for those that are -1.
void successor_keep(const int sockets[SUCCESSOR_SOCKETS], int kept[SUCCESSOR_SOCKETS]);

/// Runs the program at `path` in this process with the same arguments; it gets those sockets that are not -1. Returns
/// only on failure, with an error. Whatever else is open closes.
void successor_run(const char *path, char **arguments, const int sockets[SUCCESSOR_SOCKETS], struct error *error);

/// A check that takes longer has failed, ns.
#define SUCCESSOR_CHECK_NS_MAX (5 * UINT64_C(1000000000))
/// Bytes of what the program says that are kept: the first.
#define SUCCESSOR_OUTPUT_BYTES 4096
/// Arguments of the server at most.
#define SUCCESSOR_ARGUMENTS_MAX 500

enum successor_outcome {
    SUCCESSOR_CHECKING,
    SUCCESSOR_GOOD, ///< the program would start
    SUCCESSOR_BAD,  ///< the error says why it would not
};

/// A check. Zero-initialise: none runs.
struct successor_check {
    int process; ///< 0: none runs
    int output;  ///< of the process, to be read
    uint64_t deadline_ns;
    size_t output_bytes;
    char text[SUCCESSOR_OUTPUT_BYTES];
};

/// Begins to check the program at `path` with these arguments (as main() has them). None may run. False with an error
/// if the process cannot be started.
bool successor_check(struct successor_check *check, const char *path, char **arguments, uint64_t now_ns,
                     struct error *error);

/// Looks whether the check that runs is over; if so, it has ended after this call.
enum successor_outcome successor_poll(struct successor_check *check, uint64_t now_ns, struct error *error);

#endif
