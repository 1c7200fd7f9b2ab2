// SPDX-License-Identifier: MIT
#include "../stream.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

int stream_open(bool is_ipv6)
{
    return socket(is_ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

bool stream_bind(int socket, const struct net_address *own)
{
    struct sockaddr_storage address;
    socklen_t size = ip_address_to_socket(own, &address);
    return bind(socket, (const struct sockaddr *)&address, size) == 0;
}

bool stream_connect(int socket, const struct net_address *to)
{
    struct sockaddr_storage address;
    socklen_t size = ip_address_to_socket(to, &address);
    return connect(socket, (const struct sockaddr *)&address, size) == 0 || errno == EINPROGRESS;
}

int64_t stream_send(int socket, const void *bytes, size_t byte_count)
{
    return send(socket, bytes, byte_count, MSG_NOSIGNAL);
}

int64_t stream_receive(int socket, void *bytes, size_t capacity)
{
    return recv(socket, bytes, capacity, 0);
}

void stream_wait(int socket, bool to_send, int timeout_ms)
{
    struct pollfd connection = {.fd = socket, .events = to_send ? POLLOUT : POLLIN};
    poll(&connection, 1, timeout_ms);
}

void stream_end(int socket)
{
    shutdown(socket, SHUT_RDWR);
}

void stream_close(int socket)
{
    close(socket);
}
