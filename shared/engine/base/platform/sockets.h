// SPDX-License-Identifier: MIT
//
// Inside the platform's room only: sockets as both families have them. The names are the same, the headers are not.
#ifndef PLATFORM_SOCKETS_H
#define PLATFORM_SOCKETS_H

#ifdef _WIN32
#include <stdbool.h>

#include <winsock2.h>
#include <ws2tcpip.h>

/// Makes sockets usable, and waits exact to 1 ms. Call it before the first socket of a program; again is allowed.
void sockets_begin(void);
/// Opens a socket of a type, SOCK_DGRAM or SOCK_STREAM, that no child gets. Returns its number, or -1 with errno.
int sockets_open(bool is_ipv6, int type);
#else
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

/// Nothing has to be done before the first socket.
static inline void sockets_begin(void)
{
}
#endif

#endif
