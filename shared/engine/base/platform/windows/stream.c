// SPDX-License-Identifier: MIT
#include "../stream.h"

#include "../sockets.h"

#include <errno.h>
#include <limits.h>

#include "error.h"

int stream_open(bool is_ipv6)
{
    u_long on = 1;
    int opened = sockets_open(is_ipv6, SOCK_STREAM);
    if (opened >= 0)
        ioctlsocket((SOCKET)opened, (long)FIONBIO, &on);
    return opened;
}

bool stream_bind(int socket, const struct net_address *own)
{
    struct sockaddr_storage address;
    int size = (int)ip_address_to_socket(own, &address);
    return bind((SOCKET)socket, (const struct sockaddr *)&address, size) == 0 || windows_error_take_socket();
}

bool stream_connect(int socket, const struct net_address *to)
{
    struct sockaddr_storage address;
    int size = (int)ip_address_to_socket(to, &address);
    return connect((SOCKET)socket, (const struct sockaddr *)&address, size) == 0 || windows_error_take_socket() ||
           errno == EAGAIN;
}

static int64_t counted(int count)
{
    if (count < 0)
        windows_error_take_socket();
    return count;
}

static int limited(size_t byte_count)
{
    return byte_count < INT_MAX ? (int)byte_count : INT_MAX;
}

int64_t stream_send(int socket, const void *bytes, size_t byte_count)
{
    return counted(send((SOCKET)socket, bytes, limited(byte_count), 0));
}

int64_t stream_receive(int socket, void *bytes, size_t capacity)
{
    return counted(recv((SOCKET)socket, bytes, limited(capacity), 0));
}

void stream_wait(int socket, bool to_send, int timeout_ms)
{
    WSAPOLLFD connection = {.fd = (SOCKET)socket, .events = to_send ? POLLOUT : POLLIN};
    WSAPoll(&connection, 1, timeout_ms);
}

void stream_end(int socket)
{
    shutdown((SOCKET)socket, SD_BOTH);
}

void stream_close(int socket)
{
    closesocket((SOCKET)socket);
}
