// SPDX-License-Identifier: MIT
//
// Stream sockets in memory: a client connects, and the test says what the other end sends. Nothing reaches the kernel,
// so a fuzzer may open many thousands of connections a second. A program that links this redirects its calls with
// -Wl,--wrap=socket,--wrap=connect,--wrap=send,--wrap=recv,--wrap=close.
#ifndef DOUBLES_MEMORY_STREAMS_H
#define DOUBLES_MEMORY_STREAMS_H

#include <stddef.h>

/// Connections at once; socket() fails beyond them.
#define MEMORY_STREAMS_CAPACITY 8
/// Bytes that may wait in a connection. Those beyond are lost.
#define MEMORY_STREAMS_BYTES 65536

/// Forgets all connections.
void memory_streams_begin(void);
/// The file of the connection that was opened last; -1: none.
int memory_streams_newest(void);
/// Sends bytes to the client of a connection.
void memory_streams_send(int file, const void *bytes, size_t byte_count);
/// Ends a connection once the client has read what waits.
void memory_streams_end(int file);

#endif
