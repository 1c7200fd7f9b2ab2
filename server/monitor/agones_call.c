// SPDX-License-Identifier: MIT
#include "agones_call.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"

static uint64_t now_ms(void)
{
    return clock_now_ns() / CLOCK_MS_NS;
}

static bool wait_for(int file, short events, uint64_t deadline_ms)
{
    uint64_t now = now_ms();
    struct pollfd poller = {.fd = file, .events = events};
    return poll(&poller, 1, deadline_ms > now ? (int)(deadline_ms - now) : 0) == 1;
}

static int connect_to(const struct sockaddr *address, socklen_t address_bytes, uint64_t deadline_ms)
{
    int fault = 0, file = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    socklen_t fault_bytes = sizeof fault;
    if (file < 0)
        return -1;
    if (connect(file, address, address_bytes) == 0 ||
        (errno == EINPROGRESS && wait_for(file, POLLOUT, deadline_ms) &&
         getsockopt(file, SOL_SOCKET, SO_ERROR, &fault, &fault_bytes) == 0 && fault == 0))
        return file;
    close(file);
    return -1;
}

static int dial(uint16_t port, uint64_t deadline_ms)
{
    struct sockaddr_in four = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    int file = connect_to((const struct sockaddr *)&four, sizeof four, deadline_ms);
    return file >= 0 ? file : connect_to((const struct sockaddr *)&six, sizeof six, deadline_ms);
}

static bool send_all(int file, const char *text, size_t byte_count, uint64_t deadline_ms)
{
    while (byte_count > 0) {
        ssize_t sent = send(file, text, byte_count, MSG_NOSIGNAL);
        if (sent > 0) {
            text += sent;
            byte_count -= (size_t)sent;
        } else if (errno != EAGAIN || !wait_for(file, POLLOUT, deadline_ms)) {
            return false;
        }
    }
    return true;
}

static bool ask(int file, const char *method, const char *path, const char *body, uint64_t deadline_ms)
{
    char request[1024];
    int count = snprintf(request, sizeof request,
                         "%s %s HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                         "Content-Length: %zu\r\n\r\n%s",
                         method, path, body ? strlen(body) : 0, body ? body : "");
    return count > 0 && (size_t)count < sizeof request && send_all(file, request, (size_t)count, deadline_ms);
}

// Reads to the end that the other side makes. False: too long, too late.
static bool read_all(int file, char *text, uint64_t deadline_ms)
{
    size_t byte_count = 0;
    for (;;) {
        if (!wait_for(file, POLLIN, deadline_ms))
            return false;
        ssize_t count = recv(file, text + byte_count, AGONES_ANSWER_BYTES_MAX - byte_count, 0);
        if (count < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (count < 0 || byte_count + (size_t)count == AGONES_ANSWER_BYTES_MAX)
            return false;
        byte_count += (size_t)count;
        text[byte_count] = '\0';
        if (count == 0)
            return true;
    }
}

// The status, and where the body begins; 0: no whole answer.
static int take_head(char *text, const char **body)
{
    int status = 0;
    char *end = strstr(text, "\r\n\r\n");
    if (!end || sscanf(text, "HTTP/1.%*1[01] %3d", &status) != 1)
        return 0;
    *body = end + 4;
    const char *length = strcasestr(text, "\r\ncontent-length:");
    if (length && length < end && strtoul(length + 17, NULL, 10) > strlen(*body))
        return 0; // cut short
    return status;
}

bool agones_call(uint16_t port, const char *method, const char *path, const char *body, struct agones_answer *answer)
{
    uint64_t deadline_ms = now_ms() + AGONES_CALL_MS;
    int file = dial(port, deadline_ms);
    answer->status = 0;
    answer->text[0] = '\0';
    answer->body = answer->text;
    if (file < 0)
        return false;
    if (ask(file, method, path, body, deadline_ms) && read_all(file, answer->text, deadline_ms))
        answer->status = take_head(answer->text, &answer->body);
    close(file);
    return answer->status != 0;
}

bool agones_stream_open(struct agones_stream *stream, uint16_t port, const char *path)
{
    uint64_t deadline_ms = now_ms() + AGONES_CALL_MS;
    stream->begun = false;
    stream->byte_count = 0;
    stream->socket = dial(port, deadline_ms);
    if (stream->socket >= 0 && ask(stream->socket, "GET", path, NULL, deadline_ms))
        return true;
    agones_stream_close(stream);
    return false;
}

void agones_stream_close(struct agones_stream *stream)
{
    if (stream->socket >= 0)
        close(stream->socket);
    stream->socket = -1;
}

// Reads a byte at a time up to the next line's end: lines are rare and short. 1: a line; 0: not yet; -1: the end.
static int take_line(struct agones_stream *stream)
{
    for (;;) {
        char letter;
        ssize_t count = recv(stream->socket, &letter, 1, 0);
        if (count < 0 && (errno == EAGAIN || errno == EINTR))
            return 0;
        if (count <= 0 || stream->byte_count == AGONES_ANSWER_BYTES_MAX)
            return -1;
        if (letter == '\n') {
            stream->line[stream->byte_count] = '\0';
            stream->byte_count = 0;
            return 1;
        }
        stream->line[stream->byte_count++] = letter;
    }
}

int agones_stream_next(struct agones_stream *stream, int wait_ms)
{
    if (!wait_for(stream->socket, POLLIN, now_ms() + (uint64_t)wait_ms))
        return 0;
    for (;;) {
        int found = take_line(stream);
        if (found < 0)
            agones_stream_close(stream);
        if (found <= 0 || stream->begun)
            return found;
        stream->begun = stream->line[0] == '\r' || stream->line[0] == '\0'; // the head ends with an empty line
    }
}
