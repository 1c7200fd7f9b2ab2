// SPDX-License-Identifier: MIT
#include "enet_transport.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "enet_peers.h"

#define JOIN_NS_MAX 5000000000u                 // then there is no server
#define OPEN_NS_MAX (UINT64_C(3) * JOIN_NS_MAX) // that the channel of a page may take to open, on top of that

// A round of polling receives at most so many datagrams, in at most so many passes; then the tick goes on.
#define ROUND_DATAGRAMS 4096
#define ROUND_PASSES    16
// Datagrams that wait for ENet at most, of one pass.
#define WAITING_MAX 64u

// The handshake took longer than a round trip if something of it was lost; ENet's first attempts need not wait for
// that.
#define FIRST_RTT_MS_MAX 300u

// Who joins or asks sends the next datagram a round trip after an answer. Up to this one, it need not wait for a tick.
#define ANSWERED_NS (300 * CLOCK_MS_NS)

// What a small datagram takes of the receive buffer in the kernel, which doubles the bytes that it grants. If a round
// of polling finds a quarter of what fits, the next one comes soon.
#define DATAGRAM_KERNEL_BYTES 2048u
#define FILL_SHARE            4u

// A datagram that has arrived and is decrypted.
struct arrival {
    uint64_t arrived_ns; // of clock_now_ns()
    struct session_id from;
    bool is_answer; // of our own, to ENet's handshake
    size_t byte_count;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
};

struct enet_transport {
    struct transport transport;
    struct enet_adapter *enet;
    struct enet_peers peers;
    uint8_t message[1 + NET_MESSAGE_BYTES_MAX]; // the one that is being sent beside ENet
    struct secure_socket socket;
    unsigned passes;                         // of this round of polling
    bool receives;                           // this pass does, before it serves ENet
    bool emptied;                            // the sockets, in this round
    struct arrival waiting[WAITING_MAX + 2]; // for ENet, then room for the newest message and an answer
    unsigned waiting_count, waiting_taken;   // how many wait; how many of them ENet has
    uint64_t round_ns;                       // when this round began
    uint64_t packets_in;                     // at the end of the last round
    uint64_t packets_of_round;               // of the last round
    uint64_t rejected;
    struct net_client client; // of the last event
    // Of a client.
    struct enet_trips trips;
    uint64_t give_up_ns, open_until_ns;
    bool connecting; // the session is open
    bool refusal_reported;
};

static const struct session_id SERVER = {0, 1}; // as a client numbers its only session

static struct enet_transport *from(struct transport *transport)
{
    return (struct enet_transport *)transport;
}

static const struct enet_transport *from_const(const struct transport *transport)
{
    return (const struct enet_transport *)transport;
}

// Lets ENet connect a session that is open. Its answer waits in front of what is received next. False if out of memory.
static bool connect_enet(struct enet_transport *self, struct session_id session, uint64_t round_trip_ns)
{
    struct arrival *answer = &self->waiting[self->waiting_count];
    uint64_t rtt_ms = round_trip_ns / CLOCK_MS_NS;
    rtt_ms = rtt_ms < FIRST_RTT_MS_MAX ? rtt_ms : FIRST_RTT_MS_MAX;
    *answer = (struct arrival){.from = session, .is_answer = true, .byte_count = ENET_ADAPTER_ANSWER_BYTES};
    bool good = enet_peers_connect(&self->peers, session, (uint32_t)rtt_ms, answer->bytes);
    self->waiting_count += good;
    return good;
}

// Returns whether ENet may have a datagram, as its peers are now.
static bool may_pass(struct enet_transport *self, struct arrival *arrival, uint32_t *number)
{
    enum enet_adapter_state state = enet_peers_find(&self->peers, arrival->from, number);
    if (state == ENET_ADAPTER_FREE || state == ENET_ADAPTER_ENDED)
        return false; // it is late, which is no fault
    if (arrival->is_answer)
        return true;
    struct enet_filter_peer peer = {.side = self->socket.is_server ? ENET_FILTER_OF_CLIENT : ENET_FILTER_OF_SERVER};
    enet_adapter_describe(self->enet, *number, &peer);
    if (!enet_filter_accepts(&peer, arrival->bytes, &arrival->byte_count)) {
        secure_socket_report_violation(&self->socket, arrival->from);
        return false;
    }
    uint16_t sent_ms;
    enet_peers_hear(&self->peers, *number);
    if (!self->socket.is_server && enet_filter_acknowledged_ms(arrival->bytes, arrival->byte_count, &sent_ms))
        enet_peers_acknowledged(&self->trips, sent_ms, arrival->arrived_ns);
    return arrival->byte_count > 0;
}

// ENet's socket: gives it the next datagram that waits.
static size_t next_for_enet(void *context, uint32_t *peer, uint8_t *bytes)
{
    struct enet_transport *self = context;
    while (self->waiting_taken < self->waiting_count) {
        struct arrival *arrival = &self->waiting[self->waiting_taken++];
        if (!may_pass(self, arrival, peer))
            continue;
        memcpy(bytes, arrival->bytes, arrival->byte_count);
        return arrival->byte_count;
    }
    self->waiting_taken = self->waiting_count = 0;
    return 0;
}

static void send_of_enet(void *context, struct session_id to, const uint8_t *bytes, size_t byte_count)
{
    struct enet_transport *self = context;
    uint16_t sent_ms;
    if (!self->socket.is_server && enet_filter_sent_ms(bytes, byte_count, &sent_ms))
        enet_peers_sent(&self->trips, sent_ms, clock_now_ns());
    secure_socket_send(&self->socket, to, bytes, byte_count);
}

static bool take_connected(struct enet_transport *self, struct net_event *event)
{
    struct session_id session = enet_adapter_peer(self->enet, event->peer).session;
    enet_peers_hear(&self->peers, event->peer);
    if (!self->socket.is_server)
        return true;
    event->client = &self->client;
    if (session_table_client(&self->socket.sessions, session, &self->client))
        return true;
    enet_adapter_reset(self->enet, event->peer); // its session has ended meanwhile
    return false;
}

// Takes a message that has come beside ENet. False if its peer is not connected, or no longer.
static bool take_message(struct enet_transport *self, const struct arrival *arrival, struct net_event *event)
{
    size_t byte_count = arrival->byte_count - 1;
    if (byte_count == 0 || byte_count > NET_MESSAGE_BYTES_MAX) {
        secure_socket_report_violation(&self->socket, arrival->from);
        return false;
    }
    uint64_t age_ns = self->round_ns > arrival->arrived_ns ? self->round_ns - arrival->arrived_ns : 0;
    *event = (struct net_event){
        .kind = NET_MESSAGE, .bytes = arrival->bytes + 1, .byte_count = byte_count, .age_us = age_ns / 1000};
    if (enet_peers_find(&self->peers, arrival->from, &event->peer) != ENET_ADAPTER_CONNECTED)
        return false;
    enet_peers_hear(&self->peers, event->peer);
    return true;
}

// The first datagram of a session proves that its client has the keys: then ENet gets a peer for it.
static void connect_when_proven(struct enet_transport *self, const struct arrival *arrival)
{
    uint64_t round_trip_ns;
    if (!session_table_connect(&self->socket.sessions, arrival->from, arrival->arrived_ns, &round_trip_ns))
        return;
    struct arrival first = *arrival;
    connect_enet(self, first.from, round_trip_ns);
    self->waiting[self->waiting_count] = first;
}

// Receives until a message has come. False if there is none: the sockets are empty, or ENet has enough to do.
static bool receive(struct enet_transport *self, struct net_event *event)
{
    while (self->waiting_count < WAITING_MAX) {
        struct arrival *arrival = &self->waiting[self->waiting_count];
        arrival->byte_count = secure_socket_receive(&self->socket, &arrival->from, arrival->bytes);
        if (arrival->byte_count == 0) {
            self->emptied = true;
            return false;
        }
        arrival->arrived_ns = self->socket.datagrams.arrived_ns;
        arrival->is_answer = false;
        connect_when_proven(self, arrival);
        arrival = &self->waiting[self->waiting_count];
        if (arrival->bytes[0] != DATAGRAM_MESSAGE)
            self->waiting_count++;
        else if (take_message(self, arrival, event))
            return true;
    }
    return false;
}

// Takes an event of ENet. False if it is none for the caller.
static bool take(struct enet_transport *self, struct net_event *event)
{
    switch (event->kind) {
    case NET_NOTHING:
        return false;
    case NET_CONNECTED:
        return take_connected(self, event);
    case NET_DISCONNECTED:
        secure_socket_end(&self->socket, enet_adapter_peer(self->enet, event->peer).session);
        return true;
    case NET_MESSAGE:
        if (event->byte_count > 0 && event->byte_count <= NET_MESSAGE_BYTES_MAX)
            return true;
        self->rejected++;
        return false;
    }
    return false;
}

// Returns whether no server has answered in time. On a bad line a page's channel takes seconds to open; until then no
// server has been asked.
static bool is_too_late(struct enet_transport *self)
{
    uint64_t now_ns = clock_now_ns();
    if (now_ns < self->open_until_ns && udp_socket_is_opening(&self->socket.datagrams))
        self->give_up_ns = now_ns + JOIN_NS_MAX;
    return now_ns >= self->give_up_ns;
}

// Reports once that a client was not admitted.
static bool report_refusal(struct enet_transport *self, struct net_event *event)
{
    if (self->socket.is_server || self->connecting || self->refusal_reported ||
        (self->socket.session.state != CLIENT_SESSION_REFUSED && !is_too_late(self)))
        return false;
    self->refusal_reported = true;
    *event = (struct net_event){.kind = NET_DISCONNECTED};
    return true;
}

// Reports once that the server knows nothing of the session any more.
static bool report_reset(struct enet_transport *self, struct net_event *event)
{
    if (self->socket.is_server || self->refusal_reported || self->socket.session.state != CLIENT_SESSION_RESET)
        return false;
    self->refusal_reported = true;
    enet_adapter_reset(self->enet, 0);
    *event = (struct net_event){.kind = NET_DISCONNECTED, .reason = NET_REASON_RESET};
    return true;
}

// Begins a pass of input and output. Answers leave together when the round ends.
static void begin_pass(struct enet_transport *self)
{
    bool is_first = self->passes++ == 0;
    if (is_first)
        self->round_ns = clock_now_ns();
    udp_socket_cork(&self->socket.datagrams);
    secure_socket_begin(&self->socket, is_first ? ROUND_DATAGRAMS : self->socket.budget);
    self->receives = true;
}

// Ends a pass: ENet gets what waits for it. If it stops early, at an event or a fault, the next pass goes on.
static void end_pass(struct enet_transport *self)
{
    self->receives = false;
    if (!self->socket.is_server && !self->connecting && self->socket.session.state == CLIENT_SESSION_OPEN)
        self->connecting = connect_enet(self, SERVER, self->socket.session.round_trip_ns);
    self->rejected += enet_adapter_serve(self->enet) == ENET_ADAPTER_FAULT;
    self->emptied &= self->waiting_count == 0;
}

static void end_round(struct enet_transport *self)
{
    udp_socket_flush(&self->socket.datagrams, clock_now_ns());
    uint64_t packets_in = self->socket.datagrams.packets_in;
    self->packets_of_round = packets_in - self->packets_in;
    self->packets_in = packets_in;
    self->passes = 0;
    self->emptied = false;
}

// Our own messages go up as they are received; what is ENet's comes out of ENet.
static bool enet_poll(struct transport *transport, struct net_event *event)
{
    struct enet_transport *self = from(transport);
    for (;;) {
        if (self->receives) {
            if (receive(self, event))
                return true;
            end_pass(self);
        } else if (enet_adapter_poll(self->enet, event)) {
            self->emptied = false; // the caller may answer at once
            if (take(self, event))
                return true;
        } else if (self->emptied || self->passes == ROUND_PASSES || (self->passes > 0 && self->socket.budget == 0)) {
            end_round(self);
            return report_refusal(self, event) || report_reset(self, event) || enet_peers_check(&self->peers, event);
        } else {
            begin_pass(self);
        }
    }
}

// Encrypts a message as it is: a lost one is not repeated and none waits for it, so it needs nothing of ENet.
static void send_beside_enet(struct enet_transport *self, struct session_id to, const uint8_t *bytes, size_t byte_count)
{
    self->message[0] = DATAGRAM_MESSAGE;
    memcpy(self->message + 1, bytes, byte_count);
    udp_socket_cork(&self->socket.datagrams);
    secure_socket_send(&self->socket, to, self->message, 1 + byte_count);
}

static bool enet_send(struct transport *transport, uint32_t peer, enum net_channel channel, const uint8_t *bytes,
                      size_t byte_count)
{
    struct enet_transport *self = from(transport);
    struct enet_adapter_peer to = enet_adapter_peer(self->enet, peer);
    if (to.state != ENET_ADAPTER_CONNECTED)
        return false;
    if (channel == NET_UNSEQUENCED) {
        send_beside_enet(self, to.session, bytes, byte_count);
        return true;
    }
    bool good = enet_adapter_send(self->enet, peer, channel, bytes, byte_count);
    self->rejected += !good;
    return good;
}

static void enet_flush(struct transport *transport)
{
    struct enet_transport *self = from(transport);
    udp_socket_cork(&self->socket.datagrams);
    enet_adapter_flush(self->enet);
    udp_socket_flush(&self->socket.datagrams, clock_now_ns());
}

static void enet_disconnect(struct transport *transport, uint32_t peer, uint32_t reason, bool now)
{
    struct enet_transport *self = from(transport);
    if (peer >= self->peers.capacity)
        return;
    enet_adapter_disconnect(self->enet, peer, reason, now);
    if (now) {
        secure_socket_end(&self->socket, enet_adapter_peer(self->enet, peer).session);
        udp_socket_flush(&self->socket.datagrams, clock_now_ns());
    }
}

static void enet_wait(struct transport *transport, uint64_t deadline_ns)
{
    udp_socket_wait(&from(transport)->socket.datagrams, deadline_ns);
}

static void enet_totals(const struct transport *transport, struct net_totals *totals)
{
    const struct enet_transport *self = from_const(transport);
    const struct udp_socket *datagrams = &self->socket.datagrams;
    *totals = (struct net_totals){.bytes_in = datagrams->bytes_in,
                                  .bytes_out = datagrams->bytes_out,
                                  .packets_in = datagrams->packets_in,
                                  .packets_out = datagrams->packets_out,
                                  .queries = self->socket.query.answered,
                                  .rejected = self->rejected + self->socket.rejected + datagrams->oversized,
                                  .round_trips = self->trips.count,
                                  .round_trip_us = self->trips.newest_us,
                                  .receive_buffer_bytes = datagrams->receive_buffer_bytes};
    secure_socket_admissions(&self->socket, &totals->sessions, &totals->refusals);
}

static const char *enet_error(const struct transport *transport)
{
    return from_const(transport)->socket.session.error.text;
}

static enum denial enet_denial(const struct transport *transport)
{
    return from_const(transport)->socket.session.denial;
}

static const char *enet_silence(const struct transport *transport)
{
    return punch_client_failure(&from_const(transport)->socket.asks);
}

static void enet_punch(struct transport *transport, const struct punch_host_directory *directories, uint32_t count)
{
    punch_host_set(&from(transport)->socket.expects, directories, count, clock_now_ns());
}

static void enet_reply(struct transport *transport, const struct net_replies *replies)
{
    from(transport)->socket.query.replies = *replies;
}

static void enet_password(struct transport *transport, const char *password)
{
    handshake_server_password(&from(transport)->socket.sessions.handshake, password);
}

static void enet_limit(struct transport *transport, const struct household_rules *rules)
{
    from(transport)->socket.sessions.rules = *rules;
}

static void enet_keep(struct transport *transport, uint32_t peer)
{
    struct enet_transport *self = from(transport);
    if (peer < self->peers.capacity)
        session_table_keep(&self->socket.sessions, enet_adapter_peer(self->enet, peer).session);
}

static uint32_t enet_rtt_ms(const struct transport *transport, uint32_t peer)
{
    return enet_adapter_peer(from_const(transport)->enet, peer).rtt_ms;
}

static bool is_recent(uint64_t time_ns)
{
    return time_ns != 0 && clock_now_ns() - time_ns < ANSWERED_NS;
}

static bool enet_is_busy(const struct transport *transport)
{
    const struct secure_socket *socket = &from_const(transport)->socket;
    uint64_t fits = socket->datagrams.receive_buffer_bytes * UINT64_C(2) / DATAGRAM_KERNEL_BYTES;
    return from_const(transport)->packets_of_round * FILL_SHARE > fits || is_recent(socket->answered_ns);
}

static bool enet_await_relay(const struct transport *transport, uint64_t deadline_ns)
{
    const struct udp_socket *datagrams = &from_const(transport)->socket.datagrams;
    if (!datagrams->webrtc || !is_recent(datagrams->webrtc->heard_ns))
        return false;
    udp_socket_await_webrtc(datagrams, deadline_ns);
    return true;
}

static void enet_close(struct transport *transport)
{
    struct enet_transport *self = from(transport);
    enet_adapter_close(self->enet);
    udp_socket_flush(&self->socket.datagrams, clock_now_ns());
    secure_socket_close(&self->socket);
    enet_peers_close(&self->peers);
    free(self);
}

static const struct transport_table enet_table = {
    .poll = enet_poll,
    .send = enet_send,
    .flush = enet_flush,
    .disconnect = enet_disconnect,
    .wait = enet_wait,
    .totals = enet_totals,
    .rtt_ms = enet_rtt_ms,
    .error_text = enet_error,
    .denial = enet_denial,
    .reply = enet_reply,
    .password = enet_password,
    .limit = enet_limit,
    .keep = enet_keep,
    .is_busy = enet_is_busy,
    .await_relay = enet_await_relay,
    .silence = enet_silence,
    .punch = enet_punch,
    .close = enet_close,
};

static struct enet_transport *new_transport(uint32_t peer_capacity, struct error *error)
{
    if (sodium_init() < 0) {
        error_set(error, "libsodium cannot start");
        return NULL;
    }
    struct enet_transport *self = calloc(1, sizeof *self);
    if (self && enet_peers_open(&self->peers, peer_capacity)) {
        self->transport.table = &enet_table;
        self->peers.socket = &self->socket;
        return self;
    }
    error_set(error, "out of memory for %u peers", peer_capacity);
    if (self)
        enet_peers_close(&self->peers);
    free(self);
    return NULL;
}

// The last step of opening a server or a client.
static struct transport *finish(struct enet_transport *self, bool is_open, struct error *error)
{
    struct enet_adapter_socket socket = {next_for_enet, send_of_enet, self};
    if (is_open && (self->enet = self->peers.enet = enet_adapter_open(self->peers.capacity, &socket, error)))
        return &self->transport;
    if (is_open)
        secure_socket_close(&self->socket);
    enet_peers_close(&self->peers);
    free(self);
    return NULL;
}

struct transport *enet_transport_open_server(const struct net_server_config *config, struct net_endpoint *endpoint,
                                             struct error *error)
{
    struct enet_transport *self = new_transport(config->peer_capacity, error);
    return self ? finish(self, secure_socket_listen(&self->socket, config, endpoint, error), error) : NULL;
}

void enet_transport_sockets(const struct transport *transport, int sockets[2])
{
    memcpy(sockets, from_const(transport)->socket.datagrams.sockets, 2 * sizeof *sockets);
}

void enet_transport_set_webrtc(struct transport *transport, struct webrtc_link *link)
{
    from(transport)->socket.datagrams.webrtc = link;
}

struct transport *enet_transport_open_client(const struct net_client_config *config, struct error *error)
{
    struct enet_transport *self = new_transport(1, error);
    if (!self)
        return NULL;
    self->give_up_ns = clock_now_ns() + JOIN_NS_MAX;
    self->open_until_ns = clock_now_ns() + OPEN_NS_MAX;
    return finish(self, secure_socket_connect(&self->socket, config, error), error);
}
