// SPDX-License-Identifier: MIT
//
// Inside the platform's room only: sockets as both families have them. The names are the same, the headers are not.
#ifndef PLATFORM_SOCKETS_H
#define PLATFORM_SOCKETS_H

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>

/// Makes sockets usable, and waits exact to 1 ms. Call it before the first socket of a program; again is allowed.
void sockets_begin(void);
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
