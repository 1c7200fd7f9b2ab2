// SPDX-License-Identifier: MIT
//
// Connections that never block: by TCP, and to programs of the same user on this machine.
#ifndef PLATFORM_STREAM_H
#define PLATFORM_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ip_address.h"

/// Opens a socket for a connection. Returns its number, or -1 with errno.
int stream_open(bool is_ipv6);
/// Lets a connection leave from an own address. False with errno.
bool stream_bind(int socket, const struct net_address *own);
/// Begins to connect. False with errno if that fails at once.
bool stream_connect(int socket, const struct net_address *to);
/// Sends what fits. Returns the bytes, or -1 with errno: EAGAIN if nothing fits, or there is no connection yet.
int64_t stream_send(int socket, const void *bytes, size_t byte_count);
/// Receives what is there. Returns the bytes, 0 at the end, or -1 with errno: EAGAIN if nothing is there.
int64_t stream_receive(int socket, void *bytes, size_t capacity);
/// Waits until something can be received, or sent, at most so long.
void stream_wait(int socket, bool to_send, int timeout_ms);
/// Ends a connection in both directions; its number stays.
void stream_end(int socket);
/// Closes a connection.
void stream_close(int socket);

// --- between programs of one user on this machine, under a path: a Unix socket, or on Windows a named pipe that is
// named after the path. Only the owner may open it, from its first moment on, and both sides make sure who is at the
// other end. Nothing here waits but stream_local_wait().

struct local_socket;

/// Listens at a path, in place of a program that has died and of nothing else; `capacity` connections may wait. Null
/// with `*fault`: why that fails.
struct local_socket *stream_local_open(const char *path, unsigned capacity, const char **fault);
/// Takes the next connection, of a program of the same user or of root; others are hung up. Returns its number, or -1
/// if none waits.
int stream_local_accept(struct local_socket *listener);
/// Stops to listen, and removes what was opened and nothing else. Connections stay. Null is allowed.
void stream_local_close(struct local_socket *listener);

/// Connects to the program that listens at a path, if that is one of the same user or of root; root takes any. Returns
/// the number of the connection, or -1 with errno.
int stream_local_connect(const char *path);
/// Sends what fits. Returns the bytes, or -1 with errno: EAGAIN if nothing fits.
int64_t stream_local_send(int connection, const void *bytes, size_t byte_count);
/// Receives what is there. Returns the bytes, 0 at the end, or -1 with errno: EAGAIN if nothing is there.
int64_t stream_local_receive(int connection, void *bytes, size_t capacity);
/// Waits until something can be received, or the end, at most so long; -1: as long as it takes. False if nothing came.
bool stream_local_wait(int connection, int timeout_ms);
/// Ends a connection. What was sent is still received.
void stream_local_hang_up(int connection);

#endif
