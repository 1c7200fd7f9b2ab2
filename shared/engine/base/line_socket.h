// SPDX-License-Identifier: MIT
//
// A local socket on which a running program takes commands, one a line, and answers each: the lines of an answer begin
// with a blank, and the last is "done" or "refused", as deadfall-admin reads it. Never waits; connections, lines and
// answers are bounded; only the owner may open the file.
#ifndef BASE_LINE_SOCKET_H
#define BASE_LINE_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"

/// Bytes of a line with its final zero. A longer one ends its connection.
#define LINE_SOCKET_BYTES 513
/// Connections at once; one more replaces the oldest.
#define LINE_SOCKET_CONNECTIONS 4

struct line_socket;

/// Opens a socket at a path, in place of one that nobody serves any more. Null with an error.
struct line_socket *line_socket_open(const char *path, struct error *error);
/// Closes it and removes its file; null is allowed.
void line_socket_close(struct line_socket *socket);
/// Takes the next line, without its end; null if there is none now. Valid until line_socket_answer(), which must
/// follow.
const char *line_socket_next(struct line_socket *socket);
/// Answers the line that was taken last; `text` may be empty.
void line_socket_answer(struct line_socket *socket, bool done, const char *text);

/// Sends a line to the program that serves the socket at a path, and waits so long for the last line of its answer.
/// Returns whether that is "done".
bool line_socket_ask(const char *path, const char *line, int32_t patience_ms);

#endif
