// SPDX-License-Identifier: MIT
//
// The connections of an HTTP server, that of an arena or that of a directory, so that nobody can keep others out. One
// that waits, reads slowly or never asks gives way to a newer one: first the oldest of its own household if that has
// too many, then the oldest of the household that has most. Streams of the live page last, so they have a part of their
// own. No socket, no lock, no clock.
#ifndef HTTP_CONNECTIONS_H
#define HTTP_CONNECTIONS_H

#include <stdbool.h>
#include <stdint.h>

#define HTTP_CONNECTIONS_NONE UINT32_MAX

/// How many there may be.
struct http_connections_limits {
    uint32_t max, household_max;                 ///< connections at a time, and of one household
    uint32_t streams_max, streams_household_max; ///< streams among them; the others are kept free for everything else
};

/// One connection.
struct http_connection {
    uint64_t number;    ///< in the order in which they came; 0: a free place
    uint64_t household; ///< household_of() its address; 0: one without limits
    uint32_t siblings;  ///< open connections of its household, with itself; 0 without limits
    int file;
    bool streams, ends; ///< the live page; has been told to end
};

/// http_connections_init() initialises it.
struct http_connections {
    struct http_connections_limits limits;
    uint32_t capacity, top; ///< places; those beyond `top` are free
    uint64_t count;         ///< so far
    struct http_connection *of;
};

/// Begins with free places: more than the limit, because those that have been told to end may take a moment to do so.
void http_connections_init(struct http_connections *connections, const struct http_connections_limits *limits,
                           struct http_connection *places, uint32_t capacity);
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
