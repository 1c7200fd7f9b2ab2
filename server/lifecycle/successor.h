// SPDX-License-Identifier: MIT
//
// Hands the game's port from one server to the next, so that no datagram is lost while a server restarts: to the same
// program, which takes the place of this one in its process, or through a service manager that keeps the sockets. The
// next server gets them by the protocol of sd_listen_fds(3): LISTEN_PID, LISTEN_FDS and sockets from file 3 on.
#ifndef LIFECYCLE_SUCCESSOR_H
#define LIFECYCLE_SUCCESSOR_H

#include <stddef.h>

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

#endif
