// SPDX-License-Identifier: MIT
//
// The list of servers that a player has met, with the key of each: a text file, a line a server, that people may edit.
// A server is trusted when it is first met, as ssh does it, and from then on another key under its name is an error,
// however the name is spelled. Used when a client connects, never in a tick.
#ifndef NET_KNOWN_SERVERS_H
#define NET_KNOWN_SERVERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/// Bytes of a server's name, with the final zero.
#define KNOWN_SERVERS_NAME_BYTES 300

/// Writes the name of a server in the list: "play.example.org:27440", "192.0.2.7:27440", "[2001:db8::7]:27440". It has
/// small letters and no dot at the end, and one notation for each address.
void known_servers_name(const char *host, uint16_t port, char name[KNOWN_SERVERS_NAME_BYTES]);
/// Returns whether a host is written as this machine's loopback: as a number, or as localhost.
bool known_servers_is_loopback(const char *host);

/// Compares a server, by its name, with the list in a file, before it has proven its key. False with an error if the
/// list has another key for it or cannot be read. A server that is not in the list, or a missing file, is fine.
bool known_servers_check(const char *path, const char *server, const char *fingerprint, struct error *error);

/// Returns whether the list has a server, by its name, with this key.
bool known_servers_has(const char *path, const char *server, const char *fingerprint);

/// The same as known_servers_check() for a server that has proven its key: adds it if it is new. False also if the
/// file cannot be written.
bool known_servers_add(const char *path, const char *server, const char *fingerprint, struct error *error);

#endif
