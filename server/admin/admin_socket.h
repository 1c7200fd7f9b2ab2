// SPDX-License-Identifier: MIT
//
// The socket of a running server for its operator: a file that only its owner may open; each line that comes is a
// command. Served from the main loop between ticks, never waiting for anybody: a bounded number of connections, one
// command a connection and round, and who does not read his answers is cut off.
//
// An answer is its lines, each after a blank, and a last line that says how it went: "done" or "refused". A command
// after "json " is answered by one line, {"done":true,"answer":["line", ...]}.
#ifndef ADMIN_ADMIN_SOCKET_H
#define ADMIN_ADMIN_SOCKET_H

#include "admin_state.h"

/// Connections at once; one more takes the place of that which has been silent for longest.
#define ADMIN_CONNECTION_CAPACITY 8
/// How long an answer may wait to be read.
#define ADMIN_SLOW_NS 5000000000u

struct admin_socket;

/// Opens the socket that the settings ask for, in place of one that nobody serves any more. `*socket` is null where
/// they ask for none, and all that follows takes null. EXIT_OK, or the exit code of what has been logged.
int admin_socket_open(struct admin_socket **socket, struct admin_state *admin);
/// Takes commands and sends answers: some microseconds where there is nothing to do.
void admin_socket_serve(struct admin_socket *socket, uint64_t now_ns);
/// Whether somebody is connected, who should not wait long for an answer.
bool admin_socket_is_used(const struct admin_socket *socket);
/// Closes it and removes its file.
void admin_socket_close(struct admin_socket *socket);

#endif
