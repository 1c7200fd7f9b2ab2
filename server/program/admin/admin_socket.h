// SPDX-License-Identifier: MIT
//
// The admin socket of a running server: a local socket that only its owner may open, where each line is a command. The
// main loop serves it between ticks and never waits: connections are few, each gives one command per round, and a
// client that does not read its answers is disconnected.
//
// An answer is lines that begin with a blank, and a last line "done" or "refused". A command after "json " is answered
// by one line of JSON, {"answer":[{"text":"line","about":"player","slot":3,...},...],"done":true}: each line as text,
// and what it is about and its values if it has any.
#ifndef ADMIN_ADMIN_SOCKET_H
#define ADMIN_ADMIN_SOCKET_H

#include "admin_state.h"

/// Connections at once; one more replaces the one that has been silent for longest.
#define ADMIN_CONNECTION_CAPACITY 8
/// How long an answer may wait until it is read.
#define ADMIN_SLOW_NS 5000000000u

struct admin_socket;

/// Opens the socket that the settings name, and replaces the file of a server that has died. If they name none,
/// `*socket` is null, which the functions below accept. EXIT_OK, or the exit code of a logged error.
int admin_socket_open(struct admin_socket **socket, struct admin_state *admin);
/// Receives commands and sends answers. Takes microseconds when there is nothing to do.
void admin_socket_serve(struct admin_socket *socket, uint64_t now_ns);
/// Returns whether anybody is connected, so that the main loop polls more often.
bool admin_socket_is_used(const struct admin_socket *socket);
/// Closes it and removes its file.
void admin_socket_close(struct admin_socket *socket);

#endif
