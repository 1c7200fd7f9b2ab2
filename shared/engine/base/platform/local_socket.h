// SPDX-License-Identifier: MIT
//
// Connections between programs of one user on this machine, under a path: a Unix socket, or on Windows a named pipe
// that is named after the path. Only the owner may open it, from its first moment on, and both sides make sure who is
// at the other end. Nothing here waits but local_socket_wait().
#ifndef PLATFORM_LOCAL_SOCKET_H
#define PLATFORM_LOCAL_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct local_socket;

/// Listens at a path, in place of a program that has died and of nothing else; `capacity` connections may wait. Null
/// with
/// `*fault`: why that fails.
struct local_socket *local_socket_open(const char *path, unsigned capacity, const char **fault);
/// Takes the next connection, of a program of the same user or of root; others are hung up. Returns its number, or -1
/// if none waits.
int local_socket_accept(struct local_socket *listener);
/// Stops to listen, and removes what was opened and nothing else. Connections stay. Null is allowed.
void local_socket_close(struct local_socket *listener);

/// Connects to the program that listens at a path, if that is one of the same user or of root; root takes any. Returns
/// the number of the connection, or -1 with errno.
int local_socket_connect(const char *path);
/// Sends what fits. Returns the bytes, or -1 with errno: EAGAIN if nothing fits.
int64_t local_socket_send(int connection, const void *bytes, size_t byte_count);
/// Receives what is there. Returns the bytes, 0 at the end, or -1 with errno: EAGAIN if nothing is there.
int64_t local_socket_receive(int connection, void *bytes, size_t capacity);
/// Waits until something can be received, or the end, at most so long; -1: as long as it takes. False if nothing came.
bool local_socket_wait(int connection, int timeout_ms);
/// Ends a connection. What was sent is still received.
void local_socket_hang_up(int connection);

#endif
