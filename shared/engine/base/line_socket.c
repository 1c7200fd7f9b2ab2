// SPDX-License-Identifier: MIT
#include "line_socket.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "platform/stream.h"

struct connection {
    int number; // -1: free
    size_t byte_count;
    char bytes[LINE_SOCKET_BYTES]; // that have come
};

struct line_socket {
    struct local_socket *listener;
    unsigned next;              // connection to be replaced
    struct connection *serving; // sent the line that was taken last
    struct connection connections[LINE_SOCKET_CONNECTIONS];
    char line[LINE_SOCKET_BYTES];
};

struct line_socket *line_socket_open(const char *path, struct error *error)
{
    struct line_socket *server = calloc(1, sizeof *server);
    const char *fault = "out of memory";
    for (unsigned i = 0; server && i < LINE_SOCKET_CONNECTIONS; i++)
        server->connections[i].number = -1;
    if (server && (server->listener = stream_local_open(path, LINE_SOCKET_CONNECTIONS, &fault)))
        return server;
    error_set(error, "no socket at %s: %s", path, fault);
    free(server);
    return NULL;
}

static void hang_up(struct connection *connection)
{
    if (connection->number >= 0)
        stream_local_hang_up(connection->number);
    *connection = (struct connection){.number = -1};
}

void line_socket_close(struct line_socket *server)
{
    if (!server)
        return;
    for (unsigned i = 0; i < LINE_SOCKET_CONNECTIONS; i++)
        hang_up(&server->connections[i]);
    stream_local_close(server->listener);
    free(server);
}

static void receive(struct connection *connection)
{
    size_t room = sizeof connection->bytes - connection->byte_count;
    int64_t count = stream_local_receive(connection->number, connection->bytes + connection->byte_count, room);
    if (count > 0)
        connection->byte_count += (size_t)count;
    else if (count == 0 || errno != EAGAIN)
        hang_up(connection);
}

// Takes a whole line of a connection.
static bool take_line(struct line_socket *server, struct connection *connection)
{
    char *end = memchr(connection->bytes, '\n', connection->byte_count);
    if (!end) {
        if (connection->byte_count == sizeof connection->bytes)
            hang_up(connection);
        return false;
    }
    size_t length = (size_t)(end - connection->bytes);
    memcpy(server->line, connection->bytes, length);
    server->line[length] = 0;
    connection->byte_count -= length + 1;
    memmove(connection->bytes, end + 1, connection->byte_count);
    server->serving = connection;
    return true;
}

const char *line_socket_next(struct line_socket *server)
{
    int number = stream_local_accept(server->listener);
    if (number >= 0) {
        struct connection *oldest = &server->connections[server->next++ % LINE_SOCKET_CONNECTIONS];
        hang_up(oldest);
        oldest->number = number;
    }
    for (unsigned i = 0; i < LINE_SOCKET_CONNECTIONS; i++) {
        struct connection *connection = &server->connections[i];
        if (connection->number < 0)
            continue;
        if (take_line(server, connection))
            return server->line;
        if (connection->number >= 0)
            receive(connection);
        if (connection->number >= 0 && take_line(server, connection))
            return server->line;
    }
    return NULL;
}

void line_socket_answer(struct line_socket *server, bool done, const char *text)
{
    char answer[ERROR_TEXT_BYTES + 16];
    int length = snprintf(answer, sizeof answer, "%s%s%s%s\n", *text ? " " : "", text, *text ? "\n" : "",
                          done ? "done" : "refused");
    struct connection *connection = server->serving;
    server->serving = NULL;
    // An answer fits into any socket's buffer; who does not read many of them is disconnected.
    if (connection && connection->number >= 0 && length < (int)sizeof answer &&
        stream_local_send(connection->number, answer, (size_t)length) != length)
        hang_up(connection);
}

// Waits for the next byte until a moment. Returns whether it came.
static bool read_byte(int connection, char *byte, uint64_t until_ns)
{
    uint64_t now_ns;
    while ((now_ns = clock_now_ns()) < until_ns)
        if (stream_local_wait(connection, (int)((until_ns - now_ns) / CLOCK_MS_NS) + 1))
            return stream_local_receive(connection, byte, 1) == 1;
    return false;
}

// Reads an answer to its end, which is the first line without a blank before it. Returns whether that is "done".
static bool is_done(int connection, uint64_t until_ns)
{
    char line[8] = "", byte;
    size_t length = 0;
    while (read_byte(connection, &byte, until_ns)) {
        if (byte == '\n' && line[0] != ' ')
            return length == strlen("done") && memcmp(line, "done", length) == 0;
        if (byte == '\n')
            length = 0;
        else if (length < sizeof line)
            line[length++] = byte;
    }
    return false;
}

bool line_socket_ask(const char *path, const char *line, int32_t patience_ms)
{
    char bytes[LINE_SOCKET_BYTES + 1];
    int length = snprintf(bytes, sizeof bytes, "%s\n", line), connection = stream_local_connect(path);
    if (connection < 0)
        return false;
    bool done = length < (int)sizeof bytes && stream_local_send(connection, bytes, (size_t)length) == length &&
                is_done(connection, clock_now_ns() + (uint64_t)patience_ms * CLOCK_MS_NS);
    stream_local_hang_up(connection);
    return done;
}
