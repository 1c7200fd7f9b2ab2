// SPDX-License-Identifier: MIT
#include "udp_socket.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define FILLS_MAX         64  // batches without a usable datagram, before the program goes on
#define WEBRTC_FRAMES_MAX 256 // that are read before the sockets

static bool is_ipv6(const struct net_address *address)
{
    return address->byte_count != ADDRESS_BYTES_IPV4;
}

static uint16_t port_of(const struct net_address *address)
{
    const uint8_t *port = address->bytes + (is_ipv6(address) ? 16 : 4);
    return (uint16_t)(port[0] << 8 | port[1]);
}

static bool bind_socket(struct udp_socket *udp, const struct net_address *place, uint16_t *port)
{
    struct net_address address = net_address_with_port(place, *port);
    int file = udp_open(is_ipv6(&address), &udp->receive_buffer_bytes);
    if (file < 0)
        return false;
    if (!udp_bind(file, &address) || !udp_own_address(file, &address)) {
        udp_close(file);
        return false;
    }
    udp->sockets[is_ipv6(&address)] = file;
    *port = port_of(&address);
    return true;
}

// Where a server listens.
struct place {
    const char *text;
    struct net_address address;
    bool is_everywhere; // over IPv6 as well
};

static const struct net_address EVERYWHERE_IPV6 = {.byte_count = ADDRESS_BYTES_MAX};

static bool read_place(const char *bind_address, struct place *place)
{
    static const uint8_t ANY[4] = {0};
    *place = (struct place){.text = bind_address ? bind_address : "0.0.0.0"};
    size_t byte_count = ip_address_read_number(place->text, place->address.bytes);
    place->address.byte_count = byte_count == 4 ? ADDRESS_BYTES_IPV4 : ADDRESS_BYTES_MAX;
    place->is_everywhere = byte_count == 4 && memcmp(place->address.bytes, ANY, sizeof ANY) == 0;
    return byte_count > 0;
}

bool udp_socket_listen(struct udp_socket *udp, const char *bind_address, uint16_t *port, struct error *error)
{
    *udp = (struct udp_socket){.sockets = {-1, -1}};
    struct place place;
    bool is_given = *port != 0;
    if (!read_place(bind_address, &place))
        return error_set(error, "%.64s is no IPv4 or IPv6 address to bind to", place.text);
    if (!bind_socket(udp, &place.address, port))
        return error_set(error, "cannot open UDP port %u on %.64s: %s", *port, place.text, strerror(errno));
    // A machine without IPv6 does without. Where another program has the port, its players would come to that.
    if (!place.is_everywhere || bind_socket(udp, &EVERYWHERE_IPV6, port) || errno != EADDRINUSE || !is_given)
        return true;
    error_set(error, "cannot open UDP port %u on ::, for IPv6: %s", *port, strerror(errno));
    udp_socket_close(udp);
    return false;
}

static uint16_t port_of_socket(int file)
{
    struct net_address own;
    return udp_own_address(file, &own) ? port_of(&own) : 0;
}

// Takes the first socket that is bound to an address, at a port other than 0.
static void adopt(struct udp_socket *udp, const int *files, uint32_t count, const struct net_address *address,
                  uint16_t port)
{
    int *socket = &udp->sockets[is_ipv6(address)];
    for (uint32_t i = 0; i < count && *socket < 0; i++) {
        struct net_address own, wanted = net_address_with_port(address, port ? port : port_of_socket(files[i]));
        if (port_of(&wanted) != 0 && udp_own_address(files[i], &own) && net_address_equals(&own, &wanted) &&
            udp_adopt(files[i], &udp->receive_buffer_bytes))
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
        int first = udp->sockets[is_ipv6(&place.address)];
        *port = first >= 0 ? port_of_socket(first) : *port;
        if (first >= 0 && place.is_everywhere)
            adopt(udp, files, count, &EVERYWHERE_IPV6, *port);
    }
    for (uint32_t i = 0; i < count; i++)
        if (files[i] != udp->sockets[0] && files[i] != udp->sockets[1])
            udp_close(files[i]);
    return udp->sockets[0] >= 0 || udp->sockets[1] >= 0;
}

bool udp_socket_connect(struct udp_socket *udp, const char *host, uint16_t port, const char *certificate,
                        struct net_address *server, struct error *error)
{
    *udp = (struct udp_socket){.sockets = {-1, -1}};
    if (!ip_address_find(server, host, port, IP_ADDRESS_ANY))
        return error_set(error, "no address is known for the host %.64s", host);
    int *socket = &udp->sockets[is_ipv6(server)];
    *socket = udp_open(is_ipv6(server), &udp->receive_buffer_bytes);
    if (*socket < 0)
        return error_set(error, "cannot open a UDP socket: %s", strerror(errno));
    if (!udp_certify(*socket, server, certificate)) {
        udp_socket_close(udp);
        return error_set(error, "This server takes no browsers, or the link lacks the certificate for them.");
    }
    return true;
}

bool udp_socket_is_opening(const struct udp_socket *udp)
{
    for (int i = 0; i < 2; i++)
        if (udp->sockets[i] >= 0 && udp_is_opening(udp->sockets[i]))
            return true;
    return false;
}

bool udp_socket_open_query(struct udp_socket *udp, struct error *error)
{
    *udp = (struct udp_socket){.sockets = {-1, -1}};
    udp->sockets[0] = udp_open(false, &udp->receive_buffer_bytes);
    udp->sockets[1] = udp_open(true, &udp->receive_buffer_bytes); // a machine without IPv6 does without
    if (udp->sockets[0] >= 0 && udp_allow_broadcasts(udp->sockets[0]))
        return true;
    error_set(error, "cannot open a UDP socket for broadcasts: %s", strerror(errno));
    udp_socket_close(udp);
    return false;
}

static struct impairment_line *new_line(const struct impairment *impairment, uint64_t seed)
{
    struct impairment_line *line = calloc(1, sizeof *line);
    if (line) {
        line->impairment = *impairment;
        line->random = seed;
    }
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
            udp_close(udp->sockets[i]);
    free(udp->in);
    free(udp->out);
    *udp = (struct udp_socket){.sockets = {-1, -1}};
}

// Reads a batch from a socket, and finds when each datagram arrived. The system says it on the wall clock, if at all.
// False if the socket is empty now.
static bool fill_batch(struct udp_socket *udp, int file)
{
    struct udp_socket_batch *batch = &udp->batch;
    batch->taken = batch->count = 0;
    if (file < 0)
        return false;
    for (size_t i = 0; i < UDP_BATCH; i++)
        batch->datagrams[i].bytes = batch->bytes[i];
    int count = udp_receive_many(file, batch->datagrams, UDP_BATCH, WEBRTC_PAYLOAD_BYTES_MAX);
    if (count < 0) // after an error that the network reports there may be more
        return errno != EAGAIN && errno != EWOULDBLOCK;
    uint64_t unix_ns = clock_unix_ns();
    uint64_t now_ns = clock_now_ns(); // after the other, so that no datagram is taken for older than it is
    batch->count = (unsigned)count;
    for (unsigned i = 0; i < batch->count; i++) {
        uint64_t stamp_ns = batch->datagrams[i].arrived_unix_ns;
        uint64_t age_ns = stamp_ns && unix_ns > stamp_ns ? unix_ns - stamp_ns : 0;
        batch->arrived_ns[i] = age_ns < now_ns ? now_ns - age_ns : now_ns;
        udp->packets_in++;
        udp->bytes_in += batch->datagrams[i].byte_count;
    }
    return count == UDP_BATCH;
}

static void count_sent(struct udp_socket *udp, size_t byte_count)
{
    udp->packets_out++;
    udp->bytes_out += byte_count;
}

// Datagrams that the system does not take are lost.
static void empty_outbox(struct udp_socket *udp)
{
    struct udp_socket_outbox *outbox = &udp->outbox;
    for (unsigned done = 0; done < outbox->count;) {
        unsigned sent = udp_send_many(outbox->socket, outbox->datagrams + done, outbox->count - done);
        for (unsigned i = 0; i < sent; i++)
            count_sent(udp, outbox->datagrams[done + i].byte_count);
        done += sent > 0 ? sent : 1;
    }
    outbox->count = 0;
}

static void put_into_outbox(struct udp_socket *udp, const struct net_address *to, const uint8_t *bytes,
                            size_t byte_count)
{
    struct udp_socket_outbox *outbox = &udp->outbox;
    int file = udp->sockets[is_ipv6(to)];
    if (outbox->count == UDP_BATCH || outbox->socket != file)
        empty_outbox(udp);
    outbox->socket = file;
    uint8_t *copy = outbox->bytes[outbox->count];
    memcpy(copy, bytes, byte_count);
    outbox->datagrams[outbox->count++] =
        (struct udp_datagram){.address = *to, .byte_count = (uint32_t)byte_count, .bytes = copy};
}

static void write_socket(struct udp_socket *udp, const struct net_address *to, const uint8_t *bytes, size_t byte_count)
{
    if (udp->outbox.open && byte_count <= DATAGRAM_BYTES_MAX)
        put_into_outbox(udp, to, bytes, byte_count);
    else if (udp_send(udp->sockets[is_ipv6(to)], to, bytes, byte_count))
        count_sent(udp, byte_count);
}

// Sends what the WebRTC process has for browsers, until it has a message of one. Returns its bytes; 0 if there is none.
static size_t read_webrtc(struct udp_socket *udp, uint64_t now_ns, struct net_address *from, uint8_t *bytes)
{
    struct webrtc_frame frame;
    for (unsigned frames = 0; frames < WEBRTC_FRAMES_MAX && webrtc_link_receive(udp->webrtc, &frame); frames++) {
        if (frame.byte_count > DATAGRAM_BYTES_MAX)
            continue;
        struct datagram packet = {.now_ns = now_ns, .bytes = frame.payload, .byte_count = frame.byte_count};
        if (frame.kind == WEBRTC_PACKET && webrtc_filter_lets_out(udp->filter, &packet, &frame.address))
            put_into_outbox(udp, &frame.address, frame.payload, frame.byte_count);
        if (frame.kind == WEBRTC_OPEN)
            webrtc_filter_open(udp->filter, &frame.address, now_ns);
        if (frame.kind == WEBRTC_FORGET)
            webrtc_filter_forget(udp->filter, &frame.address, now_ns);
        if (frame.kind != WEBRTC_MESSAGE || !webrtc_filter_lets_in(udp->filter, &frame.address, now_ns))
            continue;
        uint64_t read_ns = clock_now_ns();
        *from = frame.address;
        from->bytes[ADDRESS_CHANNEL] = 1;
        udp->arrived_ns = frame.arrived_ns < read_ns ? frame.arrived_ns : read_ns;
        memcpy(bytes, frame.payload, frame.byte_count);
        return frame.byte_count;
    }
    udp->webrtc_was_empty = true;
    if (!udp->outbox.open)
        empty_outbox(udp);
    return 0;
}

// Answers a datagram of a browser, or gives it to the WebRTC process.
static void take_of_browser(struct udp_socket *udp, uint64_t now_ns, const struct udp_datagram *datagram,
                            uint64_t arrived_ns)
{
    uint8_t answer[DATAGRAM_BYTES_MAX];
    struct datagram_output output = {.bytes = answer};
    struct datagram taken = {datagram->address, now_ns, datagram->bytes, datagram->byte_count};
    enum datagram_outcome outcome = webrtc_filter_take(udp->filter, &taken, &output);
    if (outcome == DATAGRAM_ANSWERED)
        write_socket(udp, &datagram->address, output.bytes, output.byte_count);
    if (outcome != DATAGRAM_DELIVERED)
        return;
    if (udp->filter->left.byte_count > 0)
        webrtc_link_forget(udp->webrtc, &udp->filter->left);
    webrtc_link_forward(udp->webrtc, &datagram->address, arrived_ns, datagram->bytes, datagram->byte_count);
}

// Takes a datagram out of the batch. Returns its bytes; 0 if it is not for the caller: empty, too large, or of a
// browser.
static size_t take_from_batch(struct udp_socket *udp, uint64_t now_ns, struct net_address *from, uint8_t *bytes)
{
    unsigned i = udp->batch.taken++;
    const struct udp_datagram *datagram = &udp->batch.datagrams[i];
    size_t byte_count = datagram->byte_count;
    if (byte_count == 0)
        return 0;
    if (udp->webrtc && byte_count <= WEBRTC_PAYLOAD_BYTES_MAX && webrtc_frame_claims(datagram->bytes, byte_count)) {
        take_of_browser(udp, now_ns, datagram, udp->batch.arrived_ns[i]);
        return 0;
    }
    if (byte_count > DATAGRAM_BYTES_MAX) {
        udp->oversized++;
        return 0;
    }
    *from = datagram->address;
    udp->arrived_ns = udp->batch.arrived_ns[i];
    memcpy(bytes, datagram->bytes, byte_count);
    return byte_count;
}

// Reads the WebRTC process until it has nothing more, then one socket until it is empty, then the other, and gives the
// process what they have for it.
static size_t read_any(struct udp_socket *udp, uint64_t now_ns, struct net_address *from, uint8_t *bytes)
{
    struct udp_socket_batch *batch = &udp->batch;
    udp->webrtc_was_empty = udp->in_round && udp->webrtc_was_empty;
    size_t of_webrtc = udp->webrtc && !udp->webrtc_was_empty ? read_webrtc(udp, now_ns, from, bytes) : 0;
    if (of_webrtc > 0)
        return of_webrtc;
    udp->empty = udp->in_round ? udp->empty : 0;
    for (unsigned fills = 0;; fills++) {
        while (batch->taken < batch->count) {
            size_t count = take_from_batch(udp, now_ns, from, bytes);
            if (count > 0)
                return count;
        }
        if (udp->empty == 2 || fills == FILLS_MAX)
            break;
        if (!fill_batch(udp, udp->sockets[udp->turn & 1])) {
            udp->empty++;
            udp->turn++;
        }
    }
    if (udp->webrtc)
        webrtc_link_flush(udp->webrtc);
    return 0;
}

void udp_socket_begin_round(struct udp_socket *udp)
{
    udp->in_round = true;
    udp->webrtc_was_empty = false;
    udp->empty = 0;
}

size_t udp_socket_receive(struct udp_socket *udp, uint64_t now_ns, struct net_address *from,
                          uint8_t bytes[DATAGRAM_BYTES_MAX])
{
    if (!udp->in)
        return read_any(udp, now_ns, from, bytes);
    for (size_t count; (count = read_any(udp, now_ns, from, bytes)) > 0;)
        impairment_line_push(udp->in, now_ns, from, bytes, count);
    size_t count = impairment_line_pop(udp->in, now_ns, from, bytes);
    udp->arrived_ns = udp->in->arrived_ns;
    return count;
}

void udp_socket_cork(struct udp_socket *udp)
{
    udp->outbox.open = true;
}

void udp_socket_send(struct udp_socket *udp, uint64_t now_ns, const struct net_address *to, const uint8_t *bytes,
                     size_t byte_count)
{
    if (net_address_has_channel(to))
        webrtc_link_send(udp->webrtc, to, bytes, byte_count);
    else if (udp->out)
        impairment_line_push(udp->out, now_ns, to, bytes, byte_count);
    else
        write_socket(udp, to, bytes, byte_count);
}

void udp_socket_flush(struct udp_socket *udp, uint64_t now_ns)
{
    if (udp->out) {
        struct net_address to;
        uint8_t bytes[DATAGRAM_BYTES_MAX];
        for (size_t count; (count = impairment_line_pop(udp->out, now_ns, &to, bytes)) > 0;)
            write_socket(udp, &to, bytes, count);
    }
    if (udp->webrtc)
        webrtc_link_flush(udp->webrtc);
    empty_outbox(udp);
    udp->outbox.open = false;
}

void udp_socket_wait(const struct udp_socket *udp, uint64_t deadline_ns)
{
    uint64_t now_ns = clock_now_ns();
    for (size_t i = 0; i < 2; i++) {
        const struct impairment_line *line = i ? udp->out : udp->in;
        uint64_t due_ns = line ? impairment_line_due_ns(line) : UINT64_MAX;
        deadline_ns = due_ns < deadline_ns ? due_ns : deadline_ns;
    }
    if (now_ns >= deadline_ns || udp->batch.taken < udp->batch.count)
        return;
    int files[] = {udp->sockets[0], udp->sockets[1], udp->webrtc ? udp->webrtc->file : -1};
    udp_wait(files, sizeof files / sizeof *files, deadline_ns - now_ns);
}

void udp_socket_await_webrtc(const struct udp_socket *udp, uint64_t deadline_ns)
{
    uint64_t now_ns = clock_now_ns();
    if (now_ns < deadline_ns)
        udp_wait(&udp->webrtc->file, 1, deadline_ns - now_ns);
}
