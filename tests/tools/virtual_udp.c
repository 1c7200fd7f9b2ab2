// SPDX-License-Identifier: MIT
#include "virtual_udp.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "net/impairment.h"

#define SECOND_NS       UINT64_C(1000000000)
#define UNIX_S          1800000000  // the wall clock when the other one began
#define CLIENTS_NETWORK 0x0a000000u // 10.0.0.0/24: a client's address gives its socket
#define CLIENT_PORT     40000

#define STRANGERS_NETWORK 0x0b000000u // 11.0.0.0/8: nobody's socket
#define MAILBOX_MAILS     1024

// A client's socket and its lines.
struct wire {
    int file;
    bool is_dead;
    struct sockaddr_in server; // as the client calls it
    struct impairment_line to_server, to_client;
};

// What has been sent to or by strangers: a perfect line.
struct mailbox {
    uint32_t read, written;
    struct mail {
        struct net_address address;
        size_t byte_count;
        uint8_t bytes[DATAGRAM_BYTES_MAX];
    } mails[MAILBOX_MAILS];
};
static struct mailbox from_strangers, to_strangers;

static struct {
    bool runs, server_is_dead;
    virtual_udp_listener *listener;
    uint64_t now_ns, seed, sent, arrived_ns;
    in_port_t client_port;
    struct impairment impairment[2]; // to the clients, to the server
    uint32_t count;
    struct wire *wires[VIRTUAL_UDP_CLIENTS]; // kept for the next network, since they are large
} net;

void virtual_udp_begin(uint64_t seed, const struct impairment *impairment, uint64_t now_ns)
{
    virtual_udp_end();
    net.runs = true;
    net.seed = seed;
    net.now_ns = now_ns;
    net.sent = 0;
    net.server_is_dead = false;
    net.listener = NULL;
    net.client_port = CLIENT_PORT;
    net.impairment[false] = net.impairment[true] = *impairment;
}

void virtual_udp_end(void)
{
    net.count = 0;
    net.runs = false;
    from_strangers.read = from_strangers.written = to_strangers.read = to_strangers.written = 0;
}

void virtual_udp_impair(bool to_server, const struct impairment *impairment)
{
    net.impairment[to_server] = *impairment;
    for (uint32_t i = 0; i < net.count; i++)
        *(to_server ? &net.wires[i]->to_server.impairment : &net.wires[i]->to_client.impairment) = *impairment;
}

void virtual_udp_move(void)
{
    net.client_port++;
}

void virtual_udp_advance(uint64_t ns)
{
    net.now_ns += ns;
}

uint64_t virtual_udp_now_ns(void)
{
    return net.now_ns;
}

uint64_t virtual_udp_sent(void)
{
    return net.sent;
}

static struct wire *wire_of(int file)
{
    for (uint32_t i = 0; i < net.count; i++)
        if (net.wires[i]->file == file)
            return net.wires[i];
    return NULL;
}

// Begins an empty line.
static void begin_line(struct impairment_line *line, bool to_server)
{
    struct net_address ignored;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    while (impairment_line_pop(line, UINT64_MAX, &ignored, bytes) > 0)
        continue;
    line->impairment = net.impairment[to_server];
    line->random = net.seed + 2 * net.count + !to_server;
    line->order = line->busy_until_ns = 0;
}

static struct wire *new_wire(int file, const struct sockaddr_in *server)
{
    assert(net.count < VIRTUAL_UDP_CLIENTS && file < 256);
    struct wire *wire = net.wires[net.count] ? net.wires[net.count] : calloc(1, sizeof *wire);
    assert(wire);
    wire->file = file;
    wire->is_dead = false;
    wire->server = *server;
    begin_line(&wire->to_server, true);
    begin_line(&wire->to_client, false);
    return net.wires[net.count++] = wire;
}

static bool is_stranger(uint32_t host)
{
    return (host & 0xff000000u) == STRANGERS_NETWORK;
}

static struct net_address address_of(uint32_t host, uint16_t port)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(host)};
    struct sockaddr_storage kernel = {0};
    memcpy(&kernel, &place, sizeof place);
    return ip_address_of_socket(&kernel);
}

struct net_address virtual_udp_stranger(uint32_t household, uint16_t port)
{
    return address_of(STRANGERS_NETWORK | household, port);
}

// A test that loses mail would count too little.
static void put(struct mailbox *box, const struct net_address *address, const uint8_t *bytes, size_t byte_count)
{
    struct mail *mail = &box->mails[box->written++ % MAILBOX_MAILS];
    assert(box->written - box->read <= MAILBOX_MAILS && byte_count <= sizeof mail->bytes);
    mail->address = *address;
    mail->byte_count = byte_count;
    memcpy(mail->bytes, bytes, byte_count);
}

static size_t take(struct mailbox *box, struct net_address *address, uint8_t bytes[DATAGRAM_BYTES_MAX])
{
    if (box->read == box->written)
        return 0;
    const struct mail *mail = &box->mails[box->read++ % MAILBOX_MAILS];
    *address = mail->address;
    memcpy(bytes, mail->bytes, mail->byte_count);
    return mail->byte_count;
}

void virtual_udp_listen(virtual_udp_listener *listener)
{
    net.listener = listener;
}

static void hear(bool to_server, const struct sockaddr_in *address, const uint8_t *bytes, size_t byte_count)
{
    struct net_address heard = address_of(ntohl(address->sin_addr.s_addr), ntohs(address->sin_port));
    if (net.listener)
        net.listener(to_server, &heard, bytes, byte_count);
}

struct net_address virtual_udp_client(int file)
{
    return address_of(CLIENTS_NETWORK | (uint32_t)file, net.client_port);
}

void virtual_udp_send_as(const struct net_address *from, const uint8_t *bytes, size_t byte_count)
{
    if (!net.server_is_dead)
        put(&from_strangers, from, bytes, byte_count);
}

size_t virtual_udp_take(struct net_address *to, uint8_t bytes[DATAGRAM_BYTES_MAX])
{
    return take(&to_strangers, to, bytes);
}

static void post(int file, const struct sockaddr_in *to, const uint8_t *bytes, size_t byte_count)
{
    static const struct net_address nowhere = {.byte_count = ADDRESS_BYTES_IPV4};
    uint32_t host = ntohl(to->sin_addr.s_addr);
    bool to_client = (host & 0xffffff00u) == CLIENTS_NETWORK;
    bool by_server = to_client || is_stranger(host);
    net.sent++;
    if (by_server && net.server_is_dead)
        return;
    if (by_server)
        hear(false, to, bytes, byte_count);
    if (is_stranger(host)) {
        struct net_address stranger = address_of(host, ntohs(to->sin_port));
        put(&to_strangers, &stranger, bytes, byte_count);
        return;
    }
    struct wire *wire = wire_of(to_client ? (int)(host & 0xff) : file);
    if (!wire && !to_client)
        wire = new_wire(file, to);
    if (wire && !wire->is_dead && (!to_client || to->sin_port == htons(net.client_port)))
        impairment_line_push(to_client ? &wire->to_client : &wire->to_server, net.now_ns, &nowhere, bytes, byte_count);
}

// What has arrived at the server.
static size_t fetch_at_server(struct sockaddr_in *from, uint8_t bytes[DATAGRAM_BYTES_MAX])
{
    struct net_address ignored;
    *from = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(net.client_port)};
    for (uint32_t i = 0; i < net.count; i++) {
        size_t size = impairment_line_pop(&net.wires[i]->to_server, net.now_ns, &ignored, bytes);
        net.arrived_ns = net.wires[i]->to_server.arrived_ns;
        from->sin_addr.s_addr = htonl(CLIENTS_NETWORK | (uint32_t)net.wires[i]->file);
        if (size > 0)
            return size;
    }
    struct net_address stranger;
    net.arrived_ns = net.now_ns;
    size_t size = take(&from_strangers, &stranger, bytes);
    if (size > 0) {
        struct sockaddr_storage kernel;
        ip_address_to_socket(&stranger, &kernel);
        memcpy(from, &kernel, sizeof *from);
    }
    return size;
}

// What has arrived at a socket: of a client, or of the server, which is every other.
static size_t fetch(int file, struct sockaddr_in *from, uint8_t bytes[DATAGRAM_BYTES_MAX])
{
    struct net_address ignored;
    struct wire *own = wire_of(file);
    if (own) {
        *from = own->server;
        size_t count = impairment_line_pop(&own->to_client, net.now_ns, &ignored, bytes);
        net.arrived_ns = own->to_client.arrived_ns;
        return count;
    }
    size_t size = net.server_is_dead ? 0 : fetch_at_server(from, bytes);
    if (size > 0)
        hear(true, from, bytes, size);
    return size;
}

void virtual_udp_kill_client(int file)
{
    wire_of(file)->is_dead = true;
}

void virtual_udp_kill_server(void)
{
    net.server_is_dead = true;
}

void virtual_udp_start_server(void)
{
    struct sockaddr_in ignored;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    while (net.server_is_dead && fetch_at_server(&ignored, bytes) > 0)
        continue;
    net.server_is_dead = false;
}

void virtual_udp_send_to(const struct net_address *client, const uint8_t *bytes, size_t byte_count)
{
    static const struct impairment perfect = {0};
    struct sockaddr_storage kernel;
    struct sockaddr_in place;
    ip_address_to_socket(client, &kernel);
    memcpy(&place, &kernel, sizeof place);
    struct wire *wire = wire_of((int)(ntohl(place.sin_addr.s_addr) & 0xff));
    if (!wire || place.sin_port != htons(net.client_port))
        return;
    struct impairment before = wire->to_client.impairment;
    wire->to_client.impairment = perfect;
    impairment_line_push(&wire->to_client, net.now_ns, client, bytes, byte_count);
    wire->to_client.impairment = before;
}

static struct timespec time_of(bool is_wall, uint64_t ns)
{
    return (struct timespec){(time_t)(ns / SECOND_NS) + (is_wall ? UNIX_S : 0), (long)(ns % SECOND_NS)};
}

static void write_stamp(struct msghdr *message)
{
    struct cmsghdr *part = CMSG_FIRSTHDR(message);
    struct timespec stamp = time_of(true, net.arrived_ns);
    if (!part)
        return;
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_TIMESTAMPNS;
    part->cmsg_len = CMSG_LEN(sizeof stamp);
    memcpy(CMSG_DATA(part), &stamp, sizeof stamp);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (!net.runs || (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME))
        return (int)syscall(SYS_clock_gettime, clock, now);
    *now = time_of(clock == CLOCK_REALTIME, net.now_ns);
    return 0;
}

ssize_t sendto(int file, const void *bytes, size_t byte_count, int flags, __CONST_SOCKADDR_ARG to, socklen_t to_bytes)
{
    struct sockaddr_in place;
    if (!net.runs)
        return syscall(SYS_sendto, file, bytes, byte_count, flags, to, to_bytes);
    memcpy(&place, (const void *)(uintptr_t)to.__sockaddr__, sizeof place);
    post(file, &place, bytes, byte_count);
    return (ssize_t)byte_count;
}

int sendmmsg(int file, struct mmsghdr *messages, unsigned count, int flags)
{
    if (!net.runs)
        return (int)syscall(SYS_sendmmsg, file, messages, count, flags);
    for (unsigned i = 0; i < count; i++) {
        const struct msghdr *head = &messages[i].msg_hdr;
        struct sockaddr_in place;
        uint8_t bytes[DATAGRAM_BYTES_MAX];
        size_t size = 0;
        memcpy(&place, head->msg_name, sizeof place);
        for (size_t j = 0; j < head->msg_iovlen; j++) {
            assert(size + head->msg_iov[j].iov_len <= sizeof bytes);
            memcpy(bytes + size, head->msg_iov[j].iov_base, head->msg_iov[j].iov_len);
            size += head->msg_iov[j].iov_len;
        }
        post(file, &place, bytes, size);
        messages[i].msg_len = (unsigned)size;
    }
    return (int)count;
}

int recvmmsg(int file, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout)
{
    unsigned taken = 0;
    if (!net.runs)
        return (int)syscall(SYS_recvmmsg, file, messages, count, flags, timeout);
    for (; taken < count; taken++) {
        struct msghdr *head = &messages[taken].msg_hdr;
        struct sockaddr_in from;
        uint8_t bytes[DATAGRAM_BYTES_MAX];
        size_t size = fetch(file, &from, bytes);
        if (size == 0)
            break;
        assert(head->msg_iovlen == 1 && head->msg_iov->iov_len >= size);
        memcpy(head->msg_iov->iov_base, bytes, size);
        memcpy(head->msg_name, &from, sizeof from);
        messages[taken].msg_len = (unsigned)size;
        write_stamp(head);
    }
    errno = EAGAIN;
    return taken ? (int)taken : -1;
}
