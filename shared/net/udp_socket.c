// SPDX-License-Identifier: MIT
#include "udp_socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "impairment.h"

#define SOCKET_BUFFER_BYTES 4194304
#define FILLS_MAX           64 // of datagrams that nobody can mean, before the program has its turn

// All that a socket call takes, of either family.
union socket_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_storage storage;
};

static struct net_address address_of(const union socket_address *endpoint)
{
    struct net_address address = {.byte_count = ADDRESS_BYTES_IPV4};
    if (endpoint->any.sa_family == AF_INET) {
        memcpy(address.bytes, &endpoint->v4.sin_addr, 4);
        memcpy(address.bytes + 4, &endpoint->v4.sin_port, 2);
        return address;
    }
    address.byte_count = ADDRESS_BYTES_MAX;
    memcpy(address.bytes, &endpoint->v6.sin6_addr, 16);
    memcpy(address.bytes + 16, &endpoint->v6.sin6_port, 2);
    memcpy(address.bytes + 18, &endpoint->v6.sin6_scope_id, 4);
    return address;
}

static socklen_t socket_address_of(const struct net_address *address, union socket_address *endpoint)
{
    *endpoint = (union socket_address){.storage = {.ss_family = AF_INET}};
    if (address->byte_count == ADDRESS_BYTES_IPV4) {
        memcpy(&endpoint->v4.sin_addr, address->bytes, 4);
        memcpy(&endpoint->v4.sin_port, address->bytes + 4, 2);
        return sizeof endpoint->v4;
    }
    endpoint->v6.sin6_family = AF_INET6;
    memcpy(&endpoint->v6.sin6_addr, address->bytes, 16);
    memcpy(&endpoint->v6.sin6_port, address->bytes + 16, 2);
    memcpy(&endpoint->v6.sin6_scope_id, address->bytes + 18, 4);
    return sizeof endpoint->v6;
}

// A burst that comes while the program is busy waits in the kernel: the usual 208 KiB hold only some 500 datagrams.
static void widen(struct udp_socket *udp, int file)
{
    int wanted = SOCKET_BUFFER_BYTES;
    int granted = 0;
    socklen_t size = sizeof granted;
    setsockopt(file, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof wanted);
    setsockopt(file, SOL_SOCKET, SO_SNDBUF, &wanted, sizeof wanted);
    if (getsockopt(file, SOL_SOCKET, SO_RCVBUF, &granted, &size) == 0 && granted > 0)
        udp->receive_buffer_bytes = (uint32_t)granted / 2; // the kernel tells twice what it was asked for
}

static int open_socket(struct udp_socket *udp, int family)
{
    int on = 1;
    int file = socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0)
        return -1;
    if (family == AF_INET6)
        setsockopt(file, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    widen(udp, file);
    return file;
}

static bool bind_socket(struct udp_socket *udp, const union socket_address *endpoint, uint16_t *port)
{
    union socket_address bound = *endpoint;
    bool is_v6 = endpoint->any.sa_family == AF_INET6;
    socklen_t size = is_v6 ? sizeof bound.v6 : sizeof bound.v4;
    if (is_v6)
        bound.v6.sin6_port = htons(*port);
    else
        bound.v4.sin_port = htons(*port);
    int file = open_socket(udp, endpoint->any.sa_family);
    if (file < 0)
        return false;
    if (bind(file, &bound.any, size) != 0 || getsockname(file, &bound.any, &size) != 0) {
        int reason = errno;
        close(file);
        errno = reason;
        return false;
    }
    udp->sockets[is_v6] = file;
    *port = ntohs(is_v6 ? bound.v6.sin6_port : bound.v4.sin_port);
    return true;
}

bool udp_socket_listen(struct udp_socket *udp, const char *bind_address, uint16_t *port, struct error *error)
{
    *udp = (struct udp_socket){.sockets = {-1, -1}};
    const char *text = bind_address ? bind_address : "0.0.0.0";
    union socket_address endpoint = {.storage = {.ss_family = AF_INET}};
    if (inet_pton(AF_INET, text, &endpoint.v4.sin_addr) != 1) {
        endpoint.any.sa_family = AF_INET6;
        if (inet_pton(AF_INET6, text, &endpoint.v6.sin6_addr) != 1) {
            error_set(error, "%.64s is no IPv4 or IPv6 address to bind to", text);
            return false;
        }
    }
    if (!bind_socket(udp, &endpoint, port)) {
        error_set(error, "cannot open UDP port %u on %.64s: %s", *port, text, strerror(errno));
        return false;
    }
    union socket_address everywhere = {.v6 = {.sin6_family = AF_INET6}};
    if (endpoint.any.sa_family == AF_INET && endpoint.v4.sin_addr.s_addr == htonl(INADDR_ANY))
        bind_socket(udp, &everywhere, port); // a machine without IPv6 does without
    return true;
}

static bool find_socket_address(union socket_address *endpoint, const char *host, uint16_t port)
{
    struct addrinfo wanted = {.ai_socktype = SOCK_DGRAM};
    struct addrinfo *found = NULL;
    char service[8];
    snprintf(service, sizeof service, "%u", port);
    if (getaddrinfo(host, service, &wanted, &found) != 0 || !found)
        return false;
    *endpoint = (union socket_address){.storage = {.ss_family = AF_INET}};
    memcpy(endpoint, found->ai_addr, found->ai_addrlen < sizeof *endpoint ? found->ai_addrlen : sizeof *endpoint);
    freeaddrinfo(found);
    return true;
}

bool udp_socket_find_address(struct net_address *address, const char *host, uint16_t port)
{
    union socket_address endpoint;
    if (!find_socket_address(&endpoint, host, port))
        return false;
    *address = address_of(&endpoint);
    return true;
}

bool udp_socket_connect(struct udp_socket *udp, const char *host, uint16_t port, struct net_address *server,
                        struct error *error)
{
    *udp = (struct udp_socket){.sockets = {-1, -1}};
    union socket_address endpoint;
    if (!find_socket_address(&endpoint, host, port)) {
        error_set(error, "no address is known for the host %.64s", host);
        return false;
    }
    *server = address_of(&endpoint);
    int file = open_socket(udp, endpoint.any.sa_family);
    udp->sockets[endpoint.any.sa_family == AF_INET6] = file;
    if (file < 0)
        error_set(error, "cannot open a UDP socket: %s", strerror(errno));
    return file >= 0;
}

bool udp_socket_open_query(struct udp_socket *udp, struct error *error)
{
    int on = 1;
    *udp = (struct udp_socket){.sockets = {-1, -1}};
    udp->sockets[0] = open_socket(udp, AF_INET);
    udp->sockets[1] = open_socket(udp, AF_INET6); // a machine without IPv6 does without
    if (udp->sockets[0] >= 0 && !setsockopt(udp->sockets[0], SOL_SOCKET, SO_BROADCAST, &on, sizeof on))
        return true;
    error_set(error, "cannot open a UDP socket for broadcasts: %s", strerror(errno));
    udp_socket_close(udp);
    return false;
}

bool udp_socket_impair(struct udp_socket *udp, const struct impairment *impairment, uint64_t seed)
{
    struct network_simulator **lines[] = {&udp->in, &udp->out};
    for (size_t i = 0; i < 2; i++) {
        *lines[i] = calloc(1, sizeof **lines[i]);
        if (!*lines[i])
            return false;
        (*lines[i])->impairment = *impairment;
        (*lines[i])->random = seed + i;
    }
    return true;
}

void udp_socket_close(struct udp_socket *udp)
{
    for (size_t i = 0; i < 2; i++)
        if (udp->sockets[i] >= 0)
            close(udp->sockets[i]);
    free(udp->in);
    free(udp->out);
    *udp = (struct udp_socket){.sockets = {-1, -1}};
}

// A call of the kernel costs more than what it brings, so it brings many. False: now the socket is empty.
static bool fill(struct udp_socket *udp, int file)
{
    struct udp_socket_batch *batch = &udp->batch;
    struct mmsghdr messages[UDP_SOCKET_BATCH];
    struct iovec pieces[UDP_SOCKET_BATCH];
    union socket_address addresses[UDP_SOCKET_BATCH];
    for (size_t i = 0; i < UDP_SOCKET_BATCH; i++) {
        pieces[i] = (struct iovec){batch->bytes[i], sizeof batch->bytes[i]};
        messages[i].msg_hdr = (struct msghdr){
            .msg_name = &addresses[i], .msg_namelen = sizeof addresses[i], .msg_iov = &pieces[i], .msg_iovlen = 1};
    }
    int count = file < 0 ? 0 : recvmmsg(file, messages, UDP_SOCKET_BATCH, MSG_DONTWAIT | MSG_TRUNC, NULL);
    batch->taken = 0;
    batch->count = count > 0 ? (unsigned)count : 0;
    for (unsigned i = 0; i < batch->count; i++) {
        bool fits = messages[i].msg_len <= DATAGRAM_BYTES_MAX;
        batch->byte_counts[i] = fits ? (uint16_t)messages[i].msg_len : 0;
        batch->from[i] = address_of(&addresses[i]);
        udp->packets_in++;
        udp->bytes_in += messages[i].msg_len;
        udp->oversized += !fits;
    }
    // An error that the network reports is no end.
    return count == UDP_SOCKET_BATCH || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
}

// Of the two sockets the one that gave last goes on; the other has its turn when it is empty.
static size_t read_any(struct udp_socket *udp, struct net_address *from, uint8_t *bytes)
{
    struct udp_socket_batch *batch = &udp->batch;
    for (unsigned fills = 0, empty = 0;; fills++) {
        while (batch->taken < batch->count) {
            unsigned i = batch->taken++;
            if (batch->byte_counts[i] == 0)
                continue;
            *from = batch->from[i];
            memcpy(bytes, batch->bytes[i], batch->byte_counts[i]);
            return batch->byte_counts[i];
        }
        if (empty == 2 || fills == FILLS_MAX)
            return 0;
        if (!fill(udp, udp->sockets[udp->turn & 1])) {
            empty++;
            udp->turn++;
        }
    }
}

size_t udp_socket_receive(struct udp_socket *udp, uint64_t now_ns, struct net_address *from,
                          uint8_t bytes[DATAGRAM_BYTES_MAX])
{
    if (!udp->in)
        return read_any(udp, from, bytes);
    for (size_t count; (count = read_any(udp, from, bytes)) > 0;)
        network_simulator_push(udp->in, now_ns, from, bytes, count);
    return network_simulator_pop(udp->in, now_ns, from, bytes);
}

static void note_sent(struct udp_socket *udp, size_t byte_count)
{
    udp->packets_out++;
    udp->bytes_out += byte_count;
}

// Those that the kernel does not take are lost, as the network may lose any.
static void empty_outbox(struct udp_socket *udp)
{
    struct udp_socket_outbox *outbox = &udp->outbox;
    struct mmsghdr messages[UDP_SOCKET_BATCH];
    struct iovec pieces[UDP_SOCKET_BATCH];
    union socket_address addresses[UDP_SOCKET_BATCH];
    for (unsigned i = 0; i < outbox->count; i++) {
        pieces[i] = (struct iovec){outbox->bytes[i], outbox->byte_counts[i]};
        messages[i].msg_hdr = (struct msghdr){.msg_name = &addresses[i],
                                              .msg_namelen = socket_address_of(&outbox->to[i], &addresses[i]),
                                              .msg_iov = &pieces[i],
                                              .msg_iovlen = 1};
    }
    for (unsigned done = 0; done < outbox->count;) {
        int sent = sendmmsg(outbox->socket, messages + done, outbox->count - done, MSG_DONTWAIT | MSG_NOSIGNAL);
        for (int i = 0; i < sent; i++)
            note_sent(udp, outbox->byte_counts[done + (unsigned)i]);
        done += sent > 0 ? (unsigned)sent : 1;
    }
    outbox->count = 0;
}

static void put_into_outbox(struct udp_socket *udp, int file, const struct net_address *to, const uint8_t *bytes,
                            size_t byte_count)
{
    struct udp_socket_outbox *outbox = &udp->outbox;
    if (outbox->count == UDP_SOCKET_BATCH || outbox->socket != file)
        empty_outbox(udp);
    outbox->socket = file;
    outbox->to[outbox->count] = *to;
    outbox->byte_counts[outbox->count] = (uint16_t)byte_count;
    memcpy(outbox->bytes[outbox->count++], bytes, byte_count);
}

static void write_socket(struct udp_socket *udp, const struct net_address *to, const uint8_t *bytes, size_t byte_count)
{
    union socket_address endpoint;
    socklen_t size = socket_address_of(to, &endpoint);
    int file = udp->sockets[endpoint.any.sa_family == AF_INET6];
    if (udp->outbox.open && byte_count <= DATAGRAM_BYTES_MAX)
        put_into_outbox(udp, file, to, bytes, byte_count);
    else if (sendto(file, bytes, byte_count, MSG_DONTWAIT | MSG_NOSIGNAL, &endpoint.any, size) >= 0)
        note_sent(udp, byte_count);
}

void udp_socket_cork(struct udp_socket *udp)
{
    udp->outbox.open = true;
}

void udp_socket_send(struct udp_socket *udp, uint64_t now_ns, const struct net_address *to, const uint8_t *bytes,
                     size_t byte_count)
{
    if (udp->out)
        network_simulator_push(udp->out, now_ns, to, bytes, byte_count);
    else
        write_socket(udp, to, bytes, byte_count);
}

void udp_socket_flush(struct udp_socket *udp, uint64_t now_ns)
{
    struct net_address to;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    for (size_t count; udp->out && (count = network_simulator_pop(udp->out, now_ns, &to, bytes)) > 0;)
        write_socket(udp, &to, bytes, count);
    empty_outbox(udp);
    udp->outbox.open = false;
}

void udp_socket_wait(const struct udp_socket *udp, uint64_t deadline_ns)
{
    uint64_t now_ns = clock_now_ns();
    for (size_t i = 0; i < 2; i++) {
        const struct network_simulator *line = i ? udp->out : udp->in;
        uint64_t due_ns = line ? network_simulator_due_ns(line) : UINT64_MAX;
        deadline_ns = due_ns < deadline_ns ? due_ns : deadline_ns;
    }
    if (now_ns >= deadline_ns || udp->batch.taken < udp->batch.count)
        return;
    uint64_t rest_ns = deadline_ns - now_ns;
    struct timespec rest = clock_timespec(rest_ns);
    struct pollfd readable[2] = {{.fd = udp->sockets[0], .events = POLLIN}, {.fd = udp->sockets[1], .events = POLLIN}};
    ppoll(readable, 2, &rest, NULL);
}
