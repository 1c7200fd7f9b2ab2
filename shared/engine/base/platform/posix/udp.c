// SPDX-License-Identifier: MIT
#include "../udp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <net/route.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SOCKET_BUFFER_BYTES 4194304
#define SECOND_NS           UINT64_C(1000000000)

// What a system call gets and gives. Not on the stack, where each call would clear it.
static _Thread_local struct {
    struct mmsghdr messages[UDP_BATCH];
    struct iovec pieces[UDP_BATCH];
    struct sockaddr_storage addresses[UDP_BATCH];
    union {
        struct cmsghdr head; // aligns it
        char bytes[CMSG_SPACE(sizeof(struct timespec))];
    } stamps[UDP_BATCH];
} call;

// A burst that comes while the program is busy waits in the kernel; the usual 208 KiB hold only about 500 datagrams.
// The kernel notes when each arrives, so that a program need not look at once. A datagram fits through every line (RFC
// 9000, section 14), and as it is never to be cut, the kernel need not draw a number for its pieces.
static void prepare(int file, uint32_t *receive_buffer_bytes)
{
    int wanted = SOCKET_BUFFER_BYTES, on = 1, whole = IP_PMTUDISC_PROBE;
    int granted;
    socklen_t size = sizeof granted;
    setsockopt(file, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof wanted);
    setsockopt(file, SOL_SOCKET, SO_SNDBUF, &wanted, sizeof wanted);
    setsockopt(file, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    setsockopt(file, IPPROTO_IP, IP_MTU_DISCOVER, &whole, sizeof whole);
    if (getsockopt(file, SOL_SOCKET, SO_RCVBUF, &granted, &size) == 0)
        *receive_buffer_bytes = (uint32_t)granted / 2; // the kernel reports twice what it was asked for
}

int udp_open(bool is_ipv6, uint32_t *receive_buffer_bytes)
{
    int on = 1;
    int file = socket(is_ipv6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0)
        return -1;
    if (is_ipv6)
        setsockopt(file, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    prepare(file, receive_buffer_bytes);
    return file;
}

bool udp_adopt(int socket, uint32_t *receive_buffer_bytes)
{
    if (fcntl(socket, F_SETFL, O_NONBLOCK) != 0)
        return false;
    prepare(socket, receive_buffer_bytes);
    return true;
}

bool udp_is_of_page(void)
{
    return false;
}

bool udp_bind(int socket, const struct net_address *address)
{
    struct sockaddr_storage system;
    socklen_t size = ip_address_to_socket(address, &system);
    return bind(socket, (const struct sockaddr *)&system, size) == 0;
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
    int on = 1;
    return setsockopt(socket, SOL_SOCKET, SO_BROADCAST, &on, sizeof on) == 0;
}

bool udp_own_address(int socket, struct net_address *own)
{
    struct sockaddr_storage bound = {0};
    int type = 0;
    socklen_t size = sizeof bound, type_size = sizeof type;
    if (getsockname(socket, (struct sockaddr *)&bound, &size) != 0 ||
        getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &type_size) != 0 || type != SOCK_DGRAM ||
        (bound.ss_family != AF_INET && bound.ss_family != AF_INET6))
        return false;
    *own = ip_address_of_socket(&bound);
    return true;
}

bool udp_connect(int socket, const struct net_address *peer)
{
    struct sockaddr_storage system;
    socklen_t size = ip_address_to_socket(peer, &system);
    return connect(socket, (const struct sockaddr *)&system, size) == 0;
}

// The kernel's table has a line for each route: an interface, then numbers. Addresses are hexadecimal, in the order
// that they have in memory.
bool udp_find_router(struct net_address *router)
{
    FILE *table = fopen("/proc/net/route", "re");
    char line[256];
    unsigned best = UINT_MAX;
    while (table && fgets(line, sizeof line, table)) {
        unsigned target, gateway, flags, metric, mask;
        if (sscanf(line, "%*s %x %x %x %*u %*u %u %x", &target, &gateway, &flags, &metric, &mask) != 5 ||
            !(flags & RTF_GATEWAY) || target != 0 || mask != 0 || metric >= best)
            continue;
        best = metric;
        *router = (struct net_address){.byte_count = ADDRESS_BYTES_IPV4};
        memcpy(router->bytes, &gateway, sizeof gateway);
    }
    if (table)
        fclose(table);
    return best != UINT_MAX;
}

// To connect sends nothing.
bool udp_find_route(const struct net_address *to, struct net_address *own)
{
    struct sockaddr_storage system;
    socklen_t size = ip_address_to_socket(to, &system);
    int file = socket(system.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (file < 0)
        return false;
    bool found = connect(file, (const struct sockaddr *)&system, size) == 0 && udp_own_address(file, own);
    udp_close(file);
    return found;
}

void udp_close(int socket)
{
    int reason = errno;
    close(socket);
    errno = reason;
}

static uint64_t arrived_unix_ns(struct msghdr *message)
{
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
        struct timespec stamp;
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS)
            continue;
        memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
        return (uint64_t)stamp.tv_sec * SECOND_NS + (uint64_t)stamp.tv_nsec;
    }
    return 0;
}

int udp_receive_many(int socket, struct udp_datagram *datagrams, unsigned capacity, uint32_t room)
{
    for (unsigned i = 0; i < capacity; i++) {
        call.pieces[i] = (struct iovec){datagrams[i].bytes, room};
        call.messages[i].msg_hdr = (struct msghdr){.msg_name = &call.addresses[i],
                                                   .msg_namelen = sizeof call.addresses[i],
                                                   .msg_iov = &call.pieces[i],
                                                   .msg_iovlen = 1,
                                                   .msg_control = &call.stamps[i],
                                                   .msg_controllen = sizeof call.stamps[i]};
    }
    int count = recvmmsg(socket, call.messages, capacity, MSG_DONTWAIT | MSG_TRUNC, NULL);
    for (int i = 0; i < count; i++) {
        datagrams[i].byte_count = call.messages[i].msg_len;
        datagrams[i].address = ip_address_of_socket(&call.addresses[i]);
        datagrams[i].arrived_unix_ns = arrived_unix_ns(&call.messages[i].msg_hdr);
    }
    return count;
}

bool udp_send(int socket, const struct net_address *to, const void *bytes, size_t byte_count)
{
    struct sockaddr_storage address;
    socklen_t size = ip_address_to_socket(to, &address);
    return sendto(socket, bytes, byte_count, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr *)&address, size) >= 0;
}

unsigned udp_send_many(int socket, const struct udp_datagram *datagrams, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        call.pieces[i] = (struct iovec){datagrams[i].bytes, datagrams[i].byte_count};
        call.messages[i].msg_hdr =
            (struct msghdr){.msg_name = &call.addresses[i],
                            .msg_namelen = ip_address_to_socket(&datagrams[i].address, &call.addresses[i]),
                            .msg_iov = &call.pieces[i],
                            .msg_iovlen = 1};
    }
    int sent = sendmmsg(socket, call.messages, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent > 0 ? (unsigned)sent : 0;
}

void udp_wait(const int *sockets, unsigned count, uint64_t timeout_ns)
{
    struct timespec timeout = {(time_t)(timeout_ns / SECOND_NS), (long)(timeout_ns % SECOND_NS)};
    struct pollfd readable[UDP_WAIT_FILES];
    for (unsigned i = 0; i < count; i++)
        readable[i] = (struct pollfd){.fd = sockets[i], .events = POLLIN};
    ppoll(readable, count, &timeout, NULL);
}
