// SPDX-License-Identifier: MIT
//
// Chance: the same random numbers in every run, since they are asked for in the same order; and the same ports.
#include "stage.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#define PORT_FIRST 20000
#define PORTS      40000

static uint64_t mixed(uint64_t number) // splitmix64
{
    uint64_t z = number * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void fill(void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)bytes)[i] = (unsigned char)(mixed(stage->random++ + (stage->seed << 40)) >> 56);
}

ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    if (!acts())
        return REAL(getrandom)(bytes, size, flags);
    fill(bytes, size);
    return (ssize_t)size;
}

int getentropy(void *bytes, size_t size)
{
    if (!acts() || size > 256)
        return REAL(getentropy)(bytes, size);
    fill(bytes, size);
    return 0;
}

void arc4random_buf(void *bytes, size_t size)
{
    if (acts())
        fill(bytes, size);
    else
        REAL(arc4random_buf)(bytes, size);
}

uint32_t arc4random(void)
{
    uint32_t number;
    arc4random_buf(&number, sizeof number);
    return number;
}

static bool is_internet(const struct sockaddr *address)
{
    return address->sa_family == AF_INET || address->sa_family == AF_INET6;
}

static in_port_t *port_of(struct sockaddr_in6 *address)
{
    return address->sin6_family == AF_INET ? &((struct sockaddr_in *)(void *)address)->sin_port : &address->sin6_port;
}

int bind(int socket, const struct sockaddr *address, socklen_t length)
{
    struct sockaddr_in6 wanted;
    bool fits = length >= sizeof(struct sockaddr_in) && length <= sizeof wanted;
    if (!acts() || !fits || !is_internet(address))
        return REAL(bind)(socket, address, length);
    memcpy(&wanted, address, length);
    if (*port_of(&wanted))
        return REAL(bind)(socket, address, length);
    for (int i = 0; i < PORTS; i++) {
        *port_of(&wanted) = htons((uint16_t)(PORT_FIRST + stage->port++ % PORTS));
        if (REAL(bind)(socket, (struct sockaddr *)&wanted, length) == 0)
            return 0;
        if (errno != EADDRINUSE)
            return -1;
    }
    return -1;
}

void give_port(int socket)
{
    struct sockaddr_in6 own = {0};
    socklen_t length = sizeof own;
    int error = errno;
    if (!own_cage && getsockname(socket, (struct sockaddr *)&own, &length) == 0 &&
        is_internet((struct sockaddr *)&own) && *port_of(&own) == 0)
        bind(socket, (struct sockaddr *)&own, length);
    errno = error;
}

void send_at_once(int socket)
{
    int error = errno, on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // who is accepted has it from who listens
    errno = error;
}

int listen(int socket, int backlog)
{
    if (acts()) {
        give_port(socket);
        send_at_once(socket);
    }
    return REAL(listen)(socket, backlog);
}
