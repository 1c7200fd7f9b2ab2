// SPDX-License-Identifier: MIT
//
// Where no other program of the user can connect.
#include "line_socket.h"

#include <stddef.h>

struct line_socket *line_socket_open(const char *path, struct error *error)
{
    error_set(error, "no socket at %s: this system has none for commands", path);
    return NULL;
}

void line_socket_close(struct line_socket *socket)
{
    (void)socket;
}

const char *line_socket_next(struct line_socket *socket)
{
    (void)socket;
    return NULL;
}

void line_socket_answer(struct line_socket *socket, bool done, const char *text)
{
    (void)socket, (void)done, (void)text;
}

bool line_socket_ask(const char *path, const char *line, int32_t patience_ms)
{
    (void)path, (void)line, (void)patience_ms;
    return false;
}
