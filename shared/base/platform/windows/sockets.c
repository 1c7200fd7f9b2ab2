// SPDX-License-Identifier: MIT
#include "../sockets.h"

#include <pthread.h>
#include <timeapi.h>

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
