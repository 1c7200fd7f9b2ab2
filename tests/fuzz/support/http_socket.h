// SPDX-License-Identifier: MIT
//
// Asks an HTTP server through a socket of this process. The server, of libmicrohttpd, has no threads and no port.
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

static inline int http_connect(struct MHD_Daemon *to)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int ends[2];
    require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
    require(MHD_add_connection(to, ends[1], (const struct sockaddr *)&address, sizeof address) == MHD_YES);
    return ends[0];
}

/// Sends requests and reads the answers, of a stream its first frame. Returns the first status; 0 without an answer.
static inline int http_ask(struct MHD_Daemon *of, const void *bytes, size_t byte_count)
{
    int file = http_connect(of), status = 0, rounds = 0;
    size_t count = 0;
    ssize_t got = -1;
    require(send(file, bytes, byte_count, MSG_NOSIGNAL) == (ssize_t)byte_count);
    shutdown(file, SHUT_WR);
    http_answer[0] = 0;
    while (got != 0 && count < HTTP_ANSWER_BYTES && !strstr(http_answer, "\n\ndata: ")) {
        MHD_run(of);
        got = recv(file, http_answer + count, HTTP_ANSWER_BYTES - count, 0);
        count += got > 0 ? (size_t)got : 0;
        http_answer[count] = 0;
        require(++rounds < HTTP_ROUNDS_MAX); // and not that it takes too long
    }
    close(file);
    MHD_run(of);
    require(count == 0 || sscanf(http_answer, "HTTP/1.%*1[01] %3d ", &status) == 1);
    return status;
}

#endif
