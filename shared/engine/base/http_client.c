// SPDX-License-Identifier: MIT
#include "http_client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_port.h"
#include "platform/stream.h"

#define HEAD_END       "\r\n\r\n"
#define LENGTH_HEADER  "\r\nContent-Length:"
#define CHUNKED_HEADER "\r\nTransfer-Encoding:"

static void end(struct http_client *client, enum http_client_state state)
{
    if (client->state == HTTP_CLIENT_WAITING)
        stream_close(client->file);
    client->state = state;
}

static bool fail(struct http_client *client, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(struct http_client *client, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error_set_list(&client->error, 0, format, arguments);
    va_end(arguments);
    end(client, HTTP_CLIENT_FAILED);
    return false;
}

void http_client_close(struct http_client *client)
{
    end(client, HTTP_CLIENT_IDLE);
}

static bool connect_to(struct http_client *client, const char *server, const char *from)
{
    struct net_address address, own;
    if (!host_port_parse_numeric(server, &address))
        return fail(client, "\"%.64s\" is no ADDR:PORT in numbers", server);
    client->file = stream_open(address.byte_count != ADDRESS_BYTES_IPV4);
    if (client->file < 0)
        return fail(client, "no socket: %s", strerror(errno));
    client->state = HTTP_CLIENT_WAITING;
    if (from && (!host_port_parse_numeric(from, &own) || !stream_bind(client->file, &own)))
        return fail(client, "no connection from %.64s: %s", from, strerror(errno));
    if (!stream_connect(client->file, &address))
        return fail(client, "no connection: %s", strerror(errno));
    return true;
}

bool http_client_begin(struct http_client *client, const struct http_request *request)
{
    http_client_close(client);
    client->status = 0;
    client->is_sent = false;
    client->deadline_ns = request->deadline_ns;
    client->byte_count = client->line_bytes = client->missing_bytes = 0;
    const char *body = request->body ? request->body : "";
    int length =
        snprintf(client->request, sizeof client->request,
                 "%s %s HTTP/1.0\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                 request->method, request->path, request->host ? request->host : request->server, strlen(body), body);
    if (length >= (int)sizeof client->request)
        return fail(client, "the request is longer than %zu bytes", sizeof client->request - 1);
    return connect_to(client, request->server, request->from);
}

// Reads the head once it is there, and leaves only the beginning of the body.
static void read_head(struct http_client *client)
{
    char *head_end = memmem(client->body, client->byte_count, HEAD_END, strlen(HEAD_END));
    int status = 0;
    if (!head_end)
        return;
    *head_end = 0;
    if (sscanf(client->body, "HTTP/1.%*1[01] %3d", &status) != 1 || status < 100) {
        fail(client, "the answer is not HTTP/1.0 or HTTP/1.1");
        return;
    }
    if (strcasestr(client->body, CHUNKED_HEADER)) {
        fail(client, "the answer comes in chunks, which HTTP/1.0 does not have");
        return;
    }
    const char *header = strcasestr(client->body, LENGTH_HEADER);
    size_t promised = header ? strtoul(header + strlen(LENGTH_HEADER), NULL, 10) : 0;
    const char *rest = head_end + strlen(HEAD_END);
    client->status = status;
    client->byte_count -= (size_t)(rest - client->body);
    client->missing_bytes = promised > client->byte_count ? promised - client->byte_count : 0;
    memmove(client->body, rest, client->byte_count);
}

static void receive(struct http_client *client)
{
    client->byte_count -= client->line_bytes; // those that were taken
    memmove(client->body, client->body + client->line_bytes, client->byte_count);
    client->line_bytes = 0;
    if (client->byte_count == sizeof client->body)
        fail(client, "the answer is longer than %zu bytes", sizeof client->body - 1);
    while (client->state == HTTP_CLIENT_WAITING && client->byte_count < sizeof client->body) {
        char *target = client->body + client->byte_count;
        int64_t count = stream_receive(client->file, target, sizeof client->body - client->byte_count);
        if (count < 0 && errno != EAGAIN)
            fail(client, "the answer breaks off: %s", strerror(errno));
        if (count == 0 && (client->status == 0 || client->missing_bytes > 0)) {
            fail(client, "the answer breaks off");
        } else if (count == 0) {
            client->body[client->byte_count] = 0;
            end(client, HTTP_CLIENT_ANSWERED);
        }
        if (count <= 0)
            return;
        client->byte_count += (size_t)count;
        client->missing_bytes -= (size_t)count < client->missing_bytes ? (size_t)count : client->missing_bytes;
        if (client->status == 0)
            read_head(client);
    }
}

enum http_client_state http_client_step(struct http_client *client, uint64_t now_ns)
{
    if (client->state == HTTP_CLIENT_WAITING && !client->is_sent) {
        // A request is shorter than any socket's buffer: it goes whole, or the connection is not there yet.
        client->is_sent = stream_send(client->file, client->request, strlen(client->request)) >= 0;
        if (!client->is_sent && errno != EAGAIN)
            fail(client, "no connection: %s", strerror(errno));
    }
    if (client->state == HTTP_CLIENT_WAITING && client->is_sent)
        receive(client);
    if (client->state == HTTP_CLIENT_WAITING && now_ns >= client->deadline_ns)
        fail(client, "no whole answer in time");
    return client->state;
}

const char *http_client_line(struct http_client *client)
{
    char *line = client->body + client->line_bytes;
    char *line_end = client->status ? memchr(line, '\n', client->byte_count - client->line_bytes) : NULL;
    if (!line_end)
        return NULL;
    *line_end = 0;
    client->line_bytes += (size_t)(line_end - line) + 1;
    return line;
}

void http_client_wait(const struct http_client *client, int timeout_ms)
{
    if (client->state == HTTP_CLIENT_WAITING)
        stream_wait(client->file, !client->is_sent, timeout_ms);
}
