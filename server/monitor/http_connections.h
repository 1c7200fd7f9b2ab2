// SPDX-License-Identifier: MIT
//
// The connections of the HTTP server, so that nobody can keep others from /healthz and /metrics. One that waits, reads
// slowly or never asks gives way to a newer one: first the oldest of its own household if that has too many, then the
// oldest of the household that has most. Streams of the live page last, so they have a part of their own. No socket, no
// lock, no clock.
#ifndef MONITOR_HTTP_CONNECTIONS_H
#define MONITOR_HTTP_CONNECTIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Connections at a time, and of one household.
#define HTTP_CONNECTIONS_MAX           64
#define HTTP_CONNECTIONS_HOUSEHOLD_MAX 16
/// Streams among them. The others are kept free for everything else.
#define HTTP_CONNECTIONS_STREAMS_MAX           32
#define HTTP_CONNECTIONS_STREAMS_HOUSEHOLD_MAX 8
/// Places: those that have been told to end may take a moment to do so.
#define HTTP_CONNECTIONS_CAPACITY 96
#define HTTP_CONNECTIONS_NONE     HTTP_CONNECTIONS_CAPACITY

/// One connection.
struct http_connection {
    uint64_t number;    ///< in the order in which they came; 0: a free place
    uint64_t household; ///< household_of() its address
    int file;
    bool streams, ends; ///< the live page; has been told to end
};

/// Zero-initialise.
struct http_connections {
    uint64_t count; ///< so far
    struct http_connection of[HTTP_CONNECTIONS_CAPACITY];
};

/// Adds a connection and returns its place; HTTP_CONNECTIONS_NONE if none is free. `*victim` is the place of the one
/// that the caller ends for it, marked so, or HTTP_CONNECTIONS_NONE.
uint32_t http_connections_add(struct http_connections *connections, uint64_t household, int file, uint32_t *victim);
/// Lets a connection stream. False: too many do.
bool http_connections_stream(struct http_connections *connections, uint32_t place);
/// Counts the connections that have been asked to end and have not done so yet.
uint32_t http_connections_ending(const struct http_connections *connections);
/// Frees the place of a connection that has ended.
void http_connections_remove(struct http_connections *connections, uint32_t place);

#endif
