// SPDX-License-Identifier: MIT
//
// Asks an HTTP server through a socket of this process. The server, of libmicrohttpd, has no threads and no port, but
// its own callbacks and limits: MHD_start_daemon() and MHD_get_daemon_info() are wrapped. For one fuzzer each.
#ifndef FUZZ_HTTP_SOCKET_H
#define FUZZ_HTTP_SOCKET_H

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "require.h"

enum { HTTP_ANSWER_BYTES = 16384, HTTP_ROUNDS_MAX = 1000 };

/// What the server answered last, ended with 0.
static char http_answer[HTTP_ANSWER_BYTES + 1];

static struct MHD_Daemon *http_daemon;

struct MHD_Daemon *__wrap_MHD_start_daemon(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback accept_policy,
                                           void *accept_context, MHD_AccessHandlerCallback handler, void *context, ...);
struct MHD_Daemon *__real_MHD_start_daemon(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback accept_policy,
                                           void *accept_context, MHD_AccessHandlerCallback handler, void *context, ...);
const union MHD_DaemonInfo *__wrap_MHD_get_daemon_info(struct MHD_Daemon *asked, enum MHD_DaemonInfoType type, ...);

struct MHD_Daemon *__wrap_MHD_start_daemon(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback accept_policy,
                                           void *accept_context, MHD_AccessHandlerCallback handler, void *context, ...)
{
    va_list options;
    MHD_RequestCompletedCallback completed = NULL;
    MHD_NotifyConnectionCallback notify = NULL;
    void *completed_context = NULL, *notify_context = NULL;
    size_t memory = 0;
    unsigned capacity = 0;
    (void)flags;
    va_start(options, context);
    for (int option; (option = va_arg(options, int)) != MHD_OPTION_END;) {
        if (option == MHD_OPTION_SOCK_ADDR) {
            va_arg(options, void *);
        } else if (option == MHD_OPTION_CONNECTION_LIMIT) {
            capacity = va_arg(options, unsigned);
        } else if (option == MHD_OPTION_CONNECTION_MEMORY_LIMIT) {
            memory = va_arg(options, size_t);
        } else if (option == MHD_OPTION_THREAD_STACK_SIZE) {
            va_arg(options, size_t);
        } else if (option == MHD_OPTION_NOTIFY_COMPLETED) {
            completed = va_arg(options, MHD_RequestCompletedCallback);
            completed_context = va_arg(options, void *);
        } else if (option == MHD_OPTION_NOTIFY_CONNECTION) {
            notify = va_arg(options, MHD_NotifyConnectionCallback);
            notify_context = va_arg(options, void *);
        } else {
            require(option == MHD_OPTION_CONNECTION_TIMEOUT || option == MHD_OPTION_LISTEN_BACKLOG_SIZE ||
                    option == MHD_OPTION_LISTENING_ADDRESS_REUSE);
            va_arg(options, unsigned);
        }
    }
    va_end(options);
    http_daemon = __real_MHD_start_daemon(
        MHD_USE_NO_LISTEN_SOCKET, port, accept_policy, accept_context, handler, context, MHD_OPTION_CONNECTION_LIMIT,
        capacity < FD_SETSIZE / 2 ? capacity : FD_SETSIZE / 2, MHD_OPTION_NOTIFY_CONNECTION, notify, notify_context,
        MHD_OPTION_NOTIFY_COMPLETED, completed, completed_context,
        memory ? MHD_OPTION_CONNECTION_MEMORY_LIMIT : MHD_OPTION_END, memory, MHD_OPTION_END);
    return http_daemon;
}

// Only the port is asked for.
const union MHD_DaemonInfo *__wrap_MHD_get_daemon_info(struct MHD_Daemon *asked, enum MHD_DaemonInfoType type, ...)
{
    static const union MHD_DaemonInfo info = {.port = 1};
    (void)asked, (void)type;
    return &info;
}

enum { HTTP_WORD_BYTES = 128 };

/// Copies a word of the input: up to a blank or anything that ends a line. Returns what is behind it.
static inline size_t http_take_word(char word[HTTP_WORD_BYTES], const uint8_t *data, size_t size)
{
    size_t length = 0;
    for (; length < size && length < HTTP_WORD_BYTES - 1 && data[length] > ' ' && data[length] < 0x7F; length++)
        word[length] = (char)data[length];
    word[length] = 0;
    return length < size ? length + 1 : length;
}

static inline int http_connect(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int ends[2];
    require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
    require(MHD_add_connection(http_daemon, ends[1], (const struct sockaddr *)&address, sizeof address) == MHD_YES);
    return ends[0];
}

/// Sends requests and reads the answers, of a stream its first frame. Returns the first status; 0 without an answer.
static inline int http_ask(const void *bytes, size_t byte_count)
{
    int file = http_connect(), status = 0, rounds = 0;
    size_t count = 0;
    ssize_t got = -1;
    require(send(file, bytes, byte_count, MSG_NOSIGNAL) == (ssize_t)byte_count);
    shutdown(file, SHUT_WR);
    http_answer[0] = 0;
    while (got != 0 && count < HTTP_ANSWER_BYTES && !strstr(http_answer, "\n\ndata: ")) {
        MHD_run(http_daemon);
        got = recv(file, http_answer + count, HTTP_ANSWER_BYTES - count, 0);
        count += got > 0 ? (size_t)got : 0;
        http_answer[count] = 0;
        require(++rounds < HTTP_ROUNDS_MAX); // and not that it takes too long
    }
    close(file);
    MHD_run(http_daemon);
    require(count == 0 || sscanf(http_answer, "HTTP/1.%*1[01] %3d ", &status) == 1);
    return status;
}

#endif
