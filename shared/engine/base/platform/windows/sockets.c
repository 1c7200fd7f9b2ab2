// SPDX-License-Identifier: MIT
#include "../sockets.h"

#include <pthread.h>
#include <timeapi.h>

#include "system.h"

#define WINSOCK_MAJOR 2
#define WINSOCK_MINOR 2

static void begin(void)
{
    WSADATA facts;
    WSAStartup(MAKEWORD(WINSOCK_MAJOR, WINSOCK_MINOR), &facts);
    timeBeginPeriod(1);
}

void sockets_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin);
}

int sockets_open(bool is_ipv6, int type)
{
    sockets_begin();
    SOCKET opened =
        WSASocketW(is_ipv6 ? AF_INET6 : AF_INET, type, 0, NULL, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
    if (opened == INVALID_SOCKET) {
        windows_system_take_socket_error();
        return -1;
    }
    return (int)opened; // a handle has 32 bits that count
}
