// SPDX-License-Identifier: MIT
#include "../udp.h"

#include <winsock2.h>
#include <ws2tcpip.h>

#include <errno.h>
#include <iphlpapi.h>
#include <mswsock.h>

#include "system.h"

#define SOCKET_BUFFER_BYTES 4194304
#define MS_NS               UINT64_C(1000000)
#define SOMEWHERE           "198.51.100.1" // on the internet (RFC 5737); nothing is sent there

static void prepare(SOCKET opened, uint32_t *receive_buffer_bytes)
{
    int wanted = SOCKET_BUFFER_BYTES, granted, size = sizeof granted;
    u_long on = 1;
    BOOL off = FALSE;
    DWORD written;
    setsockopt(opened, SOL_SOCKET, SO_RCVBUF, (const char *)&wanted, sizeof wanted);
    setsockopt(opened, SOL_SOCKET, SO_SNDBUF, (const char *)&wanted, sizeof wanted);
    // Or a datagram to somebody who has gone would make a later receive fail.
    WSAIoctl(opened, SIO_UDP_CONNRESET, &off, sizeof off, NULL, 0, &written, NULL, NULL);
    ioctlsocket(opened, (long)FIONBIO, &on);
    if (getsockopt(opened, SOL_SOCKET, SO_RCVBUF, (char *)&granted, &size) == 0)
        *receive_buffer_bytes = (uint32_t)granted;
}

int udp_open(bool is_ipv6, uint32_t *receive_buffer_bytes)
{
    DWORD on = 1;
    int opened = windows_system_open_socket(is_ipv6, SOCK_DGRAM);
    if (opened < 0)
        return -1;
    setsockopt((SOCKET)opened, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, (const char *)&on, sizeof on);
    if (is_ipv6)
        setsockopt((SOCKET)opened, IPPROTO_IPV6, IPV6_V6ONLY, (const char *)&on, sizeof on);
    prepare((SOCKET)opened, receive_buffer_bytes);
    return opened;
}

bool udp_adopt(int socket, uint32_t *receive_buffer_bytes)
{
    windows_system_begin_sockets();
    prepare((SOCKET)socket, receive_buffer_bytes);
    return true;
}

bool udp_is_of_page(void)
{
    return false;
}

bool udp_bind(int socket, const struct net_address *address)
{
    struct sockaddr_storage system;
    int size = (int)ip_address_to_socket(address, &system);
    return bind((SOCKET)socket, (const struct sockaddr *)&system, size) == 0 || windows_system_take_socket_error();
}

bool udp_certify(int socket, const struct net_address *peer, const char *certificate)
{
    (void)socket, (void)peer, (void)certificate;
    return true;
}

bool udp_is_opening(int socket)
{
    (void)socket;
    return false;
}

bool udp_allow_broadcasts(int socket)
{
    BOOL on = TRUE;
    return setsockopt((SOCKET)socket, SOL_SOCKET, SO_BROADCAST, (const char *)&on, sizeof on) == 0 ||
           windows_system_take_socket_error();
}

bool udp_own_address(int socket, struct net_address *own)
{
    struct sockaddr_storage bound = {0};
    int size = sizeof bound;
    if (getsockname((SOCKET)socket, (struct sockaddr *)&bound, &size) != 0)
        return windows_system_take_socket_error();
    *own = ip_address_of_socket(&bound);
    return true;
}

bool udp_connect(int socket, const struct net_address *peer)
{
    struct sockaddr_storage system;
    int size = (int)ip_address_to_socket(peer, &system);
    return connect((SOCKET)socket, (const struct sockaddr *)&system, size) == 0 || windows_system_take_socket_error();
}

bool udp_find_router(struct net_address *router)
{
    MIB_IPFORWARDROW route;
    if (GetBestRoute(inet_addr(SOMEWHERE), 0, &route) != NO_ERROR || route.dwForwardNextHop == 0 ||
        route.dwForwardType == MIB_IPROUTE_TYPE_DIRECT)
        return false;
    *router = (struct net_address){.byte_count = ADDRESS_BYTES_IPV4};
    memcpy(router->bytes, &route.dwForwardNextHop, 4);
    return true;
}

// To connect sends nothing.
bool udp_find_route(const struct net_address *to, struct net_address *own)
{
    struct sockaddr_storage system;
    int size = (int)ip_address_to_socket(to, &system);
    uint32_t buffer_bytes;
    int opened = udp_open(to->byte_count != ADDRESS_BYTES_IPV4, &buffer_bytes);
    if (opened < 0)
        return false;
    bool found = connect((SOCKET)opened, (const struct sockaddr *)&system, size) == 0 && udp_own_address(opened, own);
    udp_close(opened);
    return found;
}

void udp_close(int socket)
{
    int reason = errno;
    closesocket((SOCKET)socket);
    errno = reason;
}

// Returns whether something came; a datagram that is larger than its room has more bytes than that.
static bool receive_one(SOCKET socket, struct udp_datagram *datagram, uint32_t room)
{
    struct sockaddr_storage from;
    int size = sizeof from;
    int count = recvfrom(socket, (char *)datagram->bytes, (int)room, 0, (struct sockaddr *)&from, &size);
    bool is_cut = count < 0 && WSAGetLastError() == WSAEMSGSIZE;
    if (count < 0 && !is_cut)
        return windows_system_take_socket_error();
    datagram->byte_count = is_cut ? room + 1 : (uint32_t)count;
    datagram->address = ip_address_of_socket(&from);
    datagram->arrived_unix_ns = 0;
    return true;
}

int udp_receive_many(int socket, struct udp_datagram *datagrams, unsigned capacity, uint32_t room)
{
    unsigned count = 0;
    while (count < capacity && receive_one((SOCKET)socket, &datagrams[count], room))
        count++;
    return count > 0 ? (int)count : -1;
}

bool udp_send(int socket, const struct net_address *to, const void *bytes, size_t byte_count)
{
    struct sockaddr_storage address;
    int size = (int)ip_address_to_socket(to, &address);
    return sendto((SOCKET)socket, bytes, (int)byte_count, 0, (const struct sockaddr *)&address, size) >= 0 ||
           windows_system_take_socket_error();
}

unsigned udp_send_many(int socket, const struct udp_datagram *datagrams, unsigned count)
{
    unsigned sent = 0;
    while (sent < count &&
           udp_send(socket, &datagrams[sent].address, datagrams[sent].bytes, datagrams[sent].byte_count))
        sent++;
    return sent;
}

void udp_wait(const int *sockets, unsigned count, uint64_t timeout_ns)
{
    WSAPOLLFD readable[UDP_WAIT_FILES];
    ULONG used = 0;
    int timeout_ms = (int)((timeout_ns + MS_NS - 1) / MS_NS);
    for (unsigned i = 0; i < count; i++)
        if (sockets[i] >= 0)
            readable[used++] = (WSAPOLLFD){.fd = (SOCKET)sockets[i], .events = POLLIN};
    if (used > 0)
        WSAPoll(readable, used, timeout_ms);
    else
        Sleep((DWORD)timeout_ms);
}
