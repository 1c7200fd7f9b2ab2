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
    bool end_reported;
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

// ENet's socket: gives it the next datagram that waits, if it may have it, as its peers are now.
static size_t next_for_enet(void *context, uint32_t *peer, uint8_t *bytes)
{
    struct enet_transport *self = context;
    while (self->waiting_taken < self->waiting_count) {
        struct arrival *arrival = &self->waiting[self->waiting_taken++];
        enum enet_adapter_state state = enet_peers_find(&self->peers, arrival->from, peer);
        if (state == ENET_ADAPTER_FREE || state == ENET_ADAPTER_ENDED)
            continue; // it is late, which is no fault
        if (!arrival->is_answer) {
            struct enet_filter_peer filter = {.side = self->socket.is_server ? ENET_FILTER_OF_CLIENT
                                                                             : ENET_FILTER_OF_SERVER};
            uint16_t sent_ms;
            enet_adapter_describe(self->enet, *peer, &filter);
            if (!enet_filter_accepts(&filter, arrival->bytes, &arrival->byte_count)) {
                secure_socket_report_violation(&self->socket, arrival->from);
                continue;
            }
            enet_peers_hear(&self->peers, *peer);
            if (!self->socket.is_server && enet_filter_acknowledged_ms(arrival->bytes, arrival->byte_count, &sent_ms))
                enet_peers_acknowledged(&self->trips, sent_ms, arrival->arrived_ns);
            if (arrival->byte_count == 0)
                continue;
        }
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

// Receives until a message has come. False if there is none: the sockets are empty, or ENet has enough to do.
static bool receive(struct enet_transport *self, struct net_event *event)
{
    while (self->waiting_count < WAITING_MAX) {
        struct arrival *arrival = &self->waiting[self->waiting_count];
        uint64_t round_trip_ns;
        arrival->byte_count = secure_socket_receive(&self->socket, &arrival->from, arrival->bytes);
        if (arrival->byte_count == 0) {
            self->emptied = true;
            return false;
        }
        arrival->arrived_ns = self->socket.datagrams.arrived_ns;
        arrival->is_answer = false;
        // The first datagram of a session proves that its client has the keys: then ENet gets a peer for it.
        if (session_table_connect(&self->socket.sessions, arrival->from, arrival->arrived_ns, &round_trip_ns)) {
            struct arrival first = *arrival;
            connect_enet(self, first.from, round_trip_ns);
            arrival = &self->waiting[self->waiting_count];
            *arrival = first;
        }
        if (arrival->bytes[0] != DATAGRAM_MESSAGE)
            self->waiting_count++;
        else if (take_message(self, arrival, event))
            return true;
    }
    return false;
}

// Takes an event of ENet. False if it is none for the caller.
static bool take_event(struct enet_transport *self, struct net_event *event)
{
    switch (event->kind) {
    case NET_NOTHING:
        return false;
    case NET_CONNECTED:
        enet_peers_hear(&self->peers, event->peer);
        if (!self->socket.is_server)
            return true;
        event->client = &self->client;
        if (session_table_client(&self->socket.sessions, enet_adapter_peer(self->enet, event->peer).session,
                                 &self->client))
            return true;
        enet_adapter_reset(self->enet, event->peer); // its session has ended meanwhile
        return false;
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

// Reports once that a client was not admitted, or that the server knows nothing of its session any more.
static bool report_end(struct enet_transport *self, struct net_event *event)
{
    enum client_session_state state = self->socket.session.state;
    if (self->socket.is_server || self->end_reported || (self->connecting && state != CLIENT_SESSION_RESET))
        return false;
    bool is_refused = state == CLIENT_SESSION_REFUSED;
    if (!self->connecting && !is_refused) {
        uint64_t now_ns = clock_now_ns();
        // On a bad line a page's channel takes seconds to open; until then no server has been asked.
        if (now_ns < self->open_until_ns && udp_socket_is_opening(&self->socket.datagrams))
            self->give_up_ns = now_ns + JOIN_NS_MAX;
        is_refused = now_ns >= self->give_up_ns;
    }
    if (!is_refused && state != CLIENT_SESSION_RESET)
        return false;
    self->end_reported = true;
    if (!is_refused)
        enet_adapter_reset(self->enet, 0);
    *event = (struct net_event){.kind = NET_DISCONNECTED, .reason = is_refused ? 0 : NET_REASON_RESET};
    return true;
}

// A round of polling has passes. In each, our own messages go up as they are received; then ENet gets what waits for
// it, and what is ENet's comes out of ENet. If ENet stops early, at an event or a fault, the next pass goes on.
static bool poll_event(struct transport *transport, struct net_event *event)
{
    struct enet_transport *self = from(transport);
    struct udp_socket *datagrams = &self->socket.datagrams;
    for (;;) {
        if (self->receives) {
            if (receive(self, event))
                return true;
            self->receives = false;
            if (!self->socket.is_server && !self->connecting && self->socket.session.state == CLIENT_SESSION_OPEN)
                self->connecting = connect_enet(self, SERVER, self->socket.session.round_trip_ns);
            self->rejected += !enet_adapter_serve(self->enet);
            self->emptied &= self->waiting_count == 0;
        } else if (enet_adapter_poll(self->enet, event)) {
            self->emptied = false; // the caller may answer at once
            if (take_event(self, event))
                return true;
        } else if (self->emptied || self->passes == ROUND_PASSES || (self->passes > 0 && self->socket.budget == 0)) {
            udp_socket_flush(datagrams, clock_now_ns());
            self->packets_of_round = datagrams->packets_in - self->packets_in;
            self->packets_in = datagrams->packets_in;
            self->passes = 0;
            self->emptied = false;
            return report_end(self, event) || enet_peers_check(&self->peers, event);
        } else {
            bool is_first = self->passes++ == 0;
            if (is_first)
                self->round_ns = clock_now_ns();
            udp_socket_cork(datagrams); // answers leave together when the round ends
            secure_socket_begin(&self->socket, is_first ? ROUND_DATAGRAMS : self->socket.budget);
            self->receives = true;
        }
    }
}

static bool send_message(struct transport *transport, uint32_t peer, enum net_channel channel, const uint8_t *bytes,
                         size_t byte_count)
{
    struct enet_transport *self = from(transport);
    struct enet_adapter_peer to = enet_adapter_peer(self->enet, peer);
    if (to.state != ENET_ADAPTER_CONNECTED)
        return false;
    if (channel != NET_UNSEQUENCED) {
        bool good = enet_adapter_send(self->enet, peer, channel, bytes, byte_count);
        self->rejected += !good;
        return good;
    }
    // Beside ENet: a lost one is not repeated and none waits for it, so it needs nothing of ENet.
    self->message[0] = DATAGRAM_MESSAGE;
    memcpy(self->message + 1, bytes, byte_count);
    udp_socket_cork(&self->socket.datagrams);
    secure_socket_send(&self->socket, to.session, self->message, 1 + byte_count);
    return true;
}

static void flush_queues(struct transport *transport)
{
    struct enet_transport *self = from(transport);
    udp_socket_cork(&self->socket.datagrams);
    enet_adapter_flush(self->enet);
    udp_socket_flush(&self->socket.datagrams, clock_now_ns());
}

static void end_peer(struct transport *transport, uint32_t peer, uint32_t reason, bool now)
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

static void wait_for_datagrams(struct transport *transport, uint64_t deadline_ns)
{
    udp_socket_wait(&from(transport)->socket.datagrams, deadline_ns);
}

static void get_totals(const struct transport *transport, struct net_totals *totals)
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

static const char *get_error(const struct transport *transport)
{
    return from_const(transport)->socket.session.error.text;
}

static enum denial get_denial(const struct transport *transport)
{
    return from_const(transport)->socket.session.denial;
}

static const char *get_silence(const struct transport *transport)
{
    return punch_client_failure(&from_const(transport)->socket.asks);
}

static void set_directories(struct transport *transport, const struct punch_host_directory *directories, uint32_t count)
{
    punch_host_set(&from(transport)->socket.expects, directories, count, clock_now_ns());
}

static void set_replies(struct transport *transport, const struct net_replies *replies)
{
    from(transport)->socket.query.replies = *replies;
}

static void set_password(struct transport *transport, const char *password)
{
    session_table_password(&from(transport)->socket.sessions, password);
}

static void set_limits(struct transport *transport, const struct household_rules *rules)
{
    from(transport)->socket.sessions.rules = *rules;
}

static void keep_peer(struct transport *transport, uint32_t peer)
{
    struct enet_transport *self = from(transport);
    if (peer < self->peers.capacity)
        session_table_keep(&self->socket.sessions, enet_adapter_peer(self->enet, peer).session);
}

static uint32_t get_rtt_ms(const struct transport *transport, uint32_t peer)
{
    return enet_adapter_peer(from_const(transport)->enet, peer).rtt_ms;
}

static bool is_recent(uint64_t time_ns)
{
    return time_ns != 0 && clock_now_ns() - time_ns < ANSWERED_NS;
}

static bool is_busy(const struct transport *transport)
{
    const struct secure_socket *socket = &from_const(transport)->socket;
    uint64_t fits = socket->datagrams.receive_buffer_bytes * UINT64_C(2) / DATAGRAM_KERNEL_BYTES;
    return from_const(transport)->packets_of_round * FILL_SHARE > fits || is_recent(socket->answered_ns);
}

static bool await_relay(const struct transport *transport, uint64_t deadline_ns)
{
    const struct udp_socket *datagrams = &from_const(transport)->socket.datagrams;
    if (!datagrams->webrtc || !is_recent(datagrams->webrtc->heard_ns))
        return false;
    udp_socket_await_webrtc(datagrams, deadline_ns);
    return true;
}

static void close_transport(struct transport *transport)
{
    struct enet_transport *self = from(transport);
    enet_adapter_close(self->enet);
    udp_socket_flush(&self->socket.datagrams, clock_now_ns());
    secure_socket_close(&self->socket);
    enet_peers_close(&self->peers);
    free(self);
}

static const struct transport_table table = {
    .poll = poll_event,
    .send = send_message,
    .flush = flush_queues,
    .disconnect = end_peer,
    .wait = wait_for_datagrams,
    .totals = get_totals,
    .rtt_ms = get_rtt_ms,
    .error_text = get_error,
    .denial = get_denial,
    .reply = set_replies,
    .password = set_password,
    .limit = set_limits,
    .keep = keep_peer,
    .is_busy = is_busy,
    .await_relay = await_relay,
    .silence = get_silence,
    .punch = set_directories,
    .close = close_transport,
};

static struct enet_transport *new_transport(uint32_t peer_capacity, struct error *error)
{
    if (sodium_init() < 0) {
        error_set(error, "libsodium cannot start");
        return NULL;
    }
    struct enet_transport *self = calloc(1, sizeof *self);
    if (self && enet_peers_open(&self->peers, peer_capacity)) {
        self->transport.table = &table;
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
static struct transport *open_enet(struct enet_transport *self, bool is_open, struct error *error)
{
    struct enet_adapter_socket socket = {next_for_enet, send_of_enet, self};
    if (is_open && (self->enet = self->peers.enet =
                        enet_adapter_open(self->peers.capacity, self->socket.is_server, &socket, error)))
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
    return self ? open_enet(self, secure_socket_listen(&self->socket, config, endpoint, error), error) : NULL;
}

void enet_transport_sockets(const struct transport *transport, int sockets[2])
{
    memcpy(sockets, from_const(transport)->socket.datagrams.sockets, 2 * sizeof *sockets);
}

void enet_transport_set_webrtc(struct transport *transport, struct webrtc_link *link, struct webrtc_filter *filter)
{
    from(transport)->socket.datagrams.webrtc = link;
    from(transport)->socket.datagrams.filter = filter;
}

struct transport *enet_transport_open_client(const struct net_client_config *config, struct error *error)
{
    struct enet_transport *self = new_transport(1, error);
    if (!self)
        return NULL;
    self->give_up_ns = clock_now_ns() + JOIN_NS_MAX;
    self->open_until_ns = clock_now_ns() + OPEN_NS_MAX;
    return open_enet(self, secure_socket_connect(&self->socket, config, error), error);
}
