// SPDX-License-Identifier: MIT
//
// TCP connections that never block.
#ifndef PLATFORM_STREAM_H
#define PLATFORM_STREAM_H

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

#endif
