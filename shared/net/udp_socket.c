// SPDX-License-Identifier: MIT
#include "udp_socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "impairment.h"

#define SOCKET_BUFFER_BYTES 4194304
#define FILLS_MAX           64 // batches without a usable datagram, before the program goes on

// What a system call gets and gives. Not on the stack, where each call would clear it.
static _Thread_local struct {
    struct mmsghdr messages[UDP_SOCKET_BATCH];
    struct iovec pieces[UDP_SOCKET_BATCH];
    struct sockaddr_storage addresses[UDP_SOCKET_BATCH];
    union {
        struct cmsghdr head; // aligns it
        char bytes[CMSG_SPACE(sizeof(struct timespec))];
    } stamps[UDP_SOCKET_BATCH];
} call;

// A burst that comes while the program is busy waits in the kernel; the usual 208 KiB hold only about 500 datagrams.
// The kernel notes when each arrives, so that a program need not look at once.
static void prepare(struct udp_socket *udp, int file)
{
    int wanted = SOCKET_BUFFER_BYTES, on = 1;
    int granted;
    socklen_t size = sizeof granted;
    setsockopt(file, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof wanted);
    setsockopt(file, SOL_SOCKET, SO_SNDBUF, &wanted, sizeof wanted);
    setsockopt(file, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    if (getsockopt(file, SOL_SOCKET, SO_RCVBUF, &granted, &size) == 0)
        udp->receive_buffer_bytes = (uint32_t)granted / 2; // the kernel reports twice what it was asked for
}

static int open_socket(struct udp_socket *udp, int family)
{
    int on = 1;
    int file = socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0)
        return -1;
    if (family == AF_INET6)
        setsockopt(file, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    prepare(udp, file);
    return file;
}

// Where an address of the kernel has its port, in network byte order.
static in_port_t *port_of(struct sockaddr_storage *address)
{
    return address->ss_family == AF_INET6 ? &((struct sockaddr_in6 *)address)->sin6_port
                                          : &((struct sockaddr_in *)address)->sin_port;
}

static bool bind_socket(struct udp_socket *udp, struct sockaddr_storage address, uint16_t *port)
{
    bool is_v6 = address.ss_family == AF_INET6;
    socklen_t size = is_v6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    int file = open_socket(udp, address.ss_family);
    if (file < 0)
        return false;
    *port_of(&address) = htons(*port);
    if (bind(file, (const struct sockaddr *)&address, size) != 0 ||
        getsockname(file, (struct sockaddr *)&address, &size) != 0) {
        int reason = errno;
        close(file);
        errno = reason;
        return false;
    }
    udp->sockets[is_v6] = file;
    *port = ntohs(*port_of(&address));
    return true;
}

// Where a server listens.
struct place {
    const char *text;
    struct sockaddr_storage address;
    bool is_everywhere; // over IPv6 as well
};

static bool read_place(const char *bind_address, struct place *place)
{
    *place = (struct place){.text = bind_address ? bind_address : "0.0.0.0", .address.ss_family = AF_INET};
    struct in_addr *four = &((struct sockaddr_in *)&place->address)->sin_addr;
    if (inet_pton(AF_INET, place->text, four) == 1) {
        place->is_everywhere = four->s_addr == htonl(INADDR_ANY);
        return true;
    }
    place->address.ss_family = AF_INET6;
    return inet_pton(AF_INET6, place->text, &((struct sockaddr_in6 *)&place->address)->sin6_addr) == 1;
}

bool udp_socket_listen(struct udp_socket *udp, const char *bind_address, uint16_t *port, struct error *error)
{
    *udp = (struct udp_socket){.sockets = {-1, -1}};
    struct place place;
    if (!read_place(bind_address, &place))
        return error_set(error, "%.64s is no IPv4 or IPv6 address to bind to", place.text);
    if (!bind_socket(udp, place.address, port))
        return error_set(error, "cannot open UDP port %u on %.64s: %s", *port, place.text, strerror(errno));
    if (place.is_everywhere)
        bind_socket(udp, (struct sockaddr_storage){.ss_family = AF_INET6}, port); // a machine without IPv6 does without
    return true;
}

// Returns whether a socket is bound to an address, at a port other than 0.
static bool is_bound(int file, const struct sockaddr_storage *wanted, uint16_t port)
{
    struct sockaddr_storage bound = {0};
    int type = 0;
    socklen_t size = sizeof bound, type_size = sizeof type;
    if (getsockname(file, (struct sockaddr *)&bound, &size) != 0 ||
        getsockopt(file, SOL_SOCKET, SO_TYPE, &type, &type_size) != 0 || type != SOCK_DGRAM ||
        bound.ss_family != wanted->ss_family || *port_of(&bound) != htons(port))
        return false;
    *port_of(&bound) = 0;
    return memcmp(&bound, wanted, size) == 0;
}

static uint16_t port_of_socket(int file)
{
    struct sockaddr_storage bound = {0};
    socklen_t size = sizeof bound;
    return getsockname(file, (struct sockaddr *)&bound, &size) == 0 ? ntohs(*port_of(&bound)) : 0;
}

static void adopt(struct udp_socket *udp, const int *files, uint32_t count, const struct sockaddr_storage *address,
                  uint16_t port)
{
    for (uint32_t i = 0; i < count; i++) {
        uint16_t wanted = port ? port : port_of_socket(files[i]);
        int *socket = &udp->sockets[address->ss_family == AF_INET6];
        if (*socket >= 0 || wanted == 0 || !is_bound(files[i], address, wanted) ||
            fcntl(files[i], F_SETFL, O_NONBLOCK) != 0)
            continue;
        prepare(udp, files[i]);
        *socket = files[i];
    }
}

bool udp_socket_adopt(struct udp_socket *udp, const int *files, uint32_t count, const char *bind_address,
                      uint16_t *port)
{
    *udp = (struct udp_socket){.sockets = {-1, -1}};
    struct place place;
    if (read_place(bind_address, &place)) {
        adopt(udp, files, count, &place.address, *port);
        int first = udp->sockets[place.address.ss_family == AF_INET6];
        *port = first >= 0 ? port_of_socket(first) : *port;
        if (first >= 0 && place.is_everywhere)
            adopt(udp, files, count, &(struct sockaddr_storage){.ss_family = AF_INET6}, *port);
    }
    for (uint32_t i = 0; i < count; i++)
        if (files[i] != udp->sockets[0] && files[i] != udp->sockets[1])
            close(files[i]);
    return udp->sockets[0] >= 0 || udp->sockets[1] >= 0;
}

bool udp_socket_connect(struct udp_socket *udp, const char *host, uint16_t port, struct net_address *server,
                        struct error *error)
{
    *udp = (struct udp_socket){.sockets = {-1, -1}};
    if (!net_address_find(server, host, port))
        return error_set(error, "no address is known for the host %.64s", host);
    bool is_v6 = server->byte_count != ADDRESS_BYTES_IPV4;
    udp->sockets[is_v6] = open_socket(udp, is_v6 ? AF_INET6 : AF_INET);
    if (udp->sockets[is_v6] < 0)
        return error_set(error, "cannot open a UDP socket: %s", strerror(errno));
    return true;
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

static struct network_simulator *new_line(const struct impairment *impairment, uint64_t seed)
{
    struct network_simulator *line = calloc(1, sizeof *line);
    if (!line)
        return NULL;
    line->impairment = *impairment;
    line->random = seed;
    return line;
}

bool udp_socket_impair(struct udp_socket *udp, const struct impairment *impairment, uint64_t seed)
{
    udp->in = new_line(impairment, seed);
    udp->out = new_line(impairment, seed + 1);
    return udp->in && udp->out;
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

// One moment on both clocks.
struct moment {
    uint64_t now_ns, unix_ns;
};

// Returns when the kernel got a datagram, on our clock. The kernel says it on the wall clock.
static uint64_t arrival_ns(struct msghdr *message, const struct moment *read)
{
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
        struct timespec stamp;
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS)
            continue;
        memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
        uint64_t stamp_ns = (uint64_t)stamp.tv_sec * CLOCK_SECOND_NS + (uint64_t)stamp.tv_nsec;
        uint64_t age_ns = read->unix_ns > stamp_ns ? read->unix_ns - stamp_ns : 0;
        return age_ns < read->now_ns ? read->now_ns - age_ns : read->now_ns;
    }
    return read->now_ns;
}

static void prepare_call(struct udp_socket *udp)
{
    for (size_t i = 0; i < UDP_SOCKET_BATCH; i++) {
        call.pieces[i] = (struct iovec){udp->batch.bytes[i], sizeof udp->batch.bytes[i]};
        call.messages[i].msg_hdr = (struct msghdr){.msg_name = &call.addresses[i],
                                                   .msg_namelen = sizeof call.addresses[i],
                                                   .msg_iov = &call.pieces[i],
                                                   .msg_iovlen = 1,
                                                   .msg_control = &call.stamps[i],
                                                   .msg_controllen = sizeof call.stamps[i]};
    }
}

// A system call costs more than a datagram, so one receives many. False if the socket is empty now.
static bool fill(struct udp_socket *udp, int file)
{
    struct udp_socket_batch *batch = &udp->batch;
    batch->taken = batch->count = 0;
    if (file < 0)
        return false;
    prepare_call(udp);
    int count = recvmmsg(file, call.messages, UDP_SOCKET_BATCH, MSG_DONTWAIT | MSG_TRUNC, NULL);
    if (count < 0) // after an error that the network reports there may be more
        return errno != EAGAIN && errno != EWOULDBLOCK;
    struct moment read = {.unix_ns = clock_unix_ns()};
    read.now_ns = clock_now_ns(); // after the other, so that no datagram is taken for older than it is
    batch->count = (unsigned)count;
    for (unsigned i = 0; i < batch->count; i++) {
        uint32_t byte_count = call.messages[i].msg_len;
        bool fits = byte_count <= DATAGRAM_BYTES_MAX;
        batch->byte_counts[i] = fits ? (uint16_t)byte_count : 0;
        batch->from[i] = net_address_of_socket(&call.addresses[i]);
        batch->arrived_ns[i] = arrival_ns(&call.messages[i].msg_hdr, &read);
        udp->packets_in++;
        udp->bytes_in += byte_count;
        udp->oversized += !fits;
    }
    return count == UDP_SOCKET_BATCH;
}

// Reads one socket until it is empty, then the other.
static size_t read_any(struct udp_socket *udp, struct net_address *from, uint8_t *bytes)
{
    struct udp_socket_batch *batch = &udp->batch;
    udp->empty = udp->in_round ? udp->empty : 0;
    for (unsigned fills = 0;; fills++) {
        while (batch->taken < batch->count) {
            unsigned i = batch->taken++;
            if (batch->byte_counts[i] == 0)
                continue;
            *from = batch->from[i];
            udp->arrived_ns = batch->arrived_ns[i];
            memcpy(bytes, batch->bytes[i], batch->byte_counts[i]);
            return batch->byte_counts[i];
        }
        if (udp->empty == 2 || fills == FILLS_MAX)
            return 0;
        if (!fill(udp, udp->sockets[udp->turn & 1])) {
            udp->empty++;
            udp->turn++;
        }
    }
}

void udp_socket_begin_round(struct udp_socket *udp)
{
    udp->in_round = true;
    udp->empty = 0;
}

size_t udp_socket_receive(struct udp_socket *udp, uint64_t now_ns, struct net_address *from,
                          uint8_t bytes[DATAGRAM_BYTES_MAX])
{
    if (!udp->in)
        return read_any(udp, from, bytes);
    for (size_t count; (count = read_any(udp, from, bytes)) > 0;)
        network_simulator_push(udp->in, now_ns, from, bytes, count);
    size_t count = network_simulator_pop(udp->in, now_ns, from, bytes);
    udp->arrived_ns = udp->in->arrived_ns;
    return count;
}

static void note_sent(struct udp_socket *udp, size_t byte_count)
{
    udp->packets_out++;
    udp->bytes_out += byte_count;
}

// Datagrams that the kernel does not take are lost.
static void send_outbox(struct udp_socket *udp)
{
    struct udp_socket_outbox *outbox = &udp->outbox;
    for (unsigned i = 0; i < outbox->count; i++) {
        call.pieces[i] = (struct iovec){outbox->bytes[i], outbox->byte_counts[i]};
        call.messages[i].msg_hdr =
            (struct msghdr){.msg_name = &call.addresses[i],
                            .msg_namelen = net_address_to_socket(&outbox->to[i], &call.addresses[i]),
                            .msg_iov = &call.pieces[i],
                            .msg_iovlen = 1};
    }
    for (unsigned done = 0; done != outbox->count;) {
        int sent = sendmmsg(outbox->socket, call.messages + done, outbox->count - done, MSG_DONTWAIT | MSG_NOSIGNAL);
        for (int i = 0; i < sent; i++)
            note_sent(udp, outbox->byte_counts[done + (unsigned)i]);
        done += sent > 0 ? (unsigned)sent : 1;
    }
    outbox->count = 0;
}

static void empty_outbox(struct udp_socket *udp)
{
    if (udp->outbox.count > 0)
        send_outbox(udp);
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
    struct sockaddr_storage address;
    socklen_t size = net_address_to_socket(to, &address);
    int file = udp->sockets[address.ss_family == AF_INET6];
    if (udp->outbox.open && byte_count <= DATAGRAM_BYTES_MAX)
        put_into_outbox(udp, file, to, bytes, byte_count);
    else if (sendto(file, bytes, byte_count, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr *)&address, size) >= 0)
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

static void send_due(struct udp_socket *udp, uint64_t now_ns)
{
    struct net_address to;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    for (size_t count; (count = network_simulator_pop(udp->out, now_ns, &to, bytes)) > 0;)
        write_socket(udp, &to, bytes, count);
}

void udp_socket_flush(struct udp_socket *udp, uint64_t now_ns)
{
    if (udp->out)
        send_due(udp, now_ns);
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
