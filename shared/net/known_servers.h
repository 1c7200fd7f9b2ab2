// SPDX-License-Identifier: MIT
//
// The list of servers that a player has met, with the key of each: a text file, a line a server, that people may edit.
// A server is trusted when it is first met, as ssh does it, and from then on another key under its name is an error.
// Used when a client connects, never in a tick.
#ifndef NET_KNOWN_SERVERS_H
#define NET_KNOWN_SERVERS_H

#include <stdbool.h>

#include "base/error.h"

/// Compares a server ("host:port") with the list in a file, before it has proven its key. False with an error if the
/// list has another key for it or cannot be read. A server that is not in the list, or a missing file, is fine.
bool known_servers_check(const char *path, const char *server, const char *fingerprint, struct error *error);

/// The same for a server that has proven its key: adds it if it is new. False also if the file cannot be written.
bool known_servers_add(const char *path, const char *server, const char *fingerprint, struct error *error);

#endif
