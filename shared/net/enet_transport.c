// SPDX-License-Identifier: MIT
//
// The only file that knows ENet. Each setting below answers a measured fault of ENet 1.3.17's defaults, with the reason
// beside it. ENet has no socket here: the library calls enet_socket_send, enet_socket_receive and enet_time_get through
// the dynamic linker, so the functions below replace its own and lead to the secure socket.
#include "enet_transport.h"

#include <dlfcn.h>
#include <enet/enet.h>
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "block_pool.h"
#include "enet_filter.h"
#include "secure_socket.h"

#define CHANNELS          2 // one for NET_RELIABLE, and one for the others
#define WAITING_BYTES_MAX 262144u
#define PING_INTERVAL_MS  250
#define RETRY_MS_MAX      250 // and a round trip
#define QUIET_MS          500 // and a round trip, without an acknowledgement
#define PROBE_MS          150 // and a round trip, between two attempts meanwhile
#define SILENCE_MS_MAX    3500u
#define AGE_MS_MAX        7000u       // of a command that is not acknowledged
#define JOIN_NS_MAX       5000000000u // then there is no server
#define MS_NS             1000000u
#define FIRST_RTT_MS      100 // before one is measured; with the 500 ms of ENet, each loss in its handshake costs that

// A service pass reads at most 256 datagrams, so a round of polling reads at most 4,096; then the tick goes on.
#define POLL_PASSES 16

// Blocks that a host may use: messages in flight, each with a command, a packet and their acknowledgements.
#define LARGE_BLOCKS_PER_HOST 128u
#define LARGE_BLOCKS_PER_PEER 32u
#define SMALL_PER_LARGE       4u

// ENet's allocator callbacks have no context, so they share one pool.
static struct block_pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

// What is known of a peer beside ENet's own state.
struct liveness {
    struct session_id session; // generation 0: none
    uint32_t heard_ms;
    struct oldest {
        bool waits;
        uint16_t number;
        uint32_t since_ms;  // it has been the oldest
    } oldest[CHANNELS + 1]; // in flight, by channel; the last is beside the channels
};

struct enet_transport {
    struct transport transport;
    ENetHost *host;
    struct liveness *liveness; // of each peer
    struct secure_socket socket;
    ENetPacket *held;              // of the last event, whose bytes the caller may still read
    unsigned passes;               // of this round of polling
    struct session_id new_session; // asked to connect, so ENet may have made a peer; generation 0: none
    uint64_t rejected;
    struct net_client client; // of the last event
    // Of a client.
    uint64_t give_up_ns;
    bool connecting; // the session is open, and ENet connects
    bool refusal_reported;
};

// ENet passes no context to its socket functions. This is the transport that calls ENet in this thread.
static _Thread_local struct enet_transport *current;

static struct enet_transport *from(struct transport *transport)
{
    return (struct enet_transport *)transport;
}

static const struct enet_transport *from_const(const struct transport *transport)
{
    return (const struct enet_transport *)transport;
}

static void *ENET_CALLBACK pool_malloc(size_t byte_count)
{
    return block_pool_take(&pool, byte_count);
}

static void ENET_CALLBACK pool_free(void *bytes)
{
    block_pool_give(&pool, bytes);
}

// ENet's default aborts the program; every caller in ENet and here handles null.
static void ENET_CALLBACK no_memory(void)
{
}

static struct session_id session_of(const ENetAddress *address)
{
    return (struct session_id){(uint16_t)(address->host - 1), address->port};
}

#define HOOK __attribute__((visibility("default")))

// The clock of ENet, defined below.
HOOK enet_uint32 ENET_CALLBACK enet_time_get(void);

// A datagram for a peer that ENet has forgotten may be late, so it is dropped without being counted as a violation.
static bool is_for_its_peer(const ENetHost *host, const ENetAddress *from, uint16_t peer)
{
    return peer == ENET_FILTER_NO_PEER ||
           (peer < host->peerCount && host->peers[peer].address.host == from->host &&
            host->peers[peer].address.port == from->port && host->peers[peer].state != ENET_PEER_STATE_DISCONNECTED &&
            host->peers[peer].state != ENET_PEER_STATE_ZOMBIE);
}

static const ENetOutgoingCommand *find_command(const ENetList *list, uint8_t channel, uint16_t number)
{
    for (const ENetListNode *at = enet_list_begin(list); at != enet_list_end(list); at = enet_list_next(at)) {
        const ENetOutgoingCommand *command = (const ENetOutgoingCommand *)(const void *)at;
        if (command->reliableSequenceNumber == number && command->command.header.channelID == channel &&
            (command->command.header.command & ENET_PROTOCOL_COMMAND_FLAG_ACKNOWLEDGE))
            return command;
    }
    return NULL;
}

static enum enet_filter_sent sent_to(const void *context, uint8_t channel, uint16_t number)
{
    const ENetPeer *peer = context;
    if (!peer)
        return ENET_FILTER_NEVER_SENT;
    if (find_command(&peer->sentReliableCommands, channel, number))
        return ENET_FILTER_IN_FLIGHT;
    const ENetOutgoingCommand *queued = find_command(&peer->outgoingCommands, channel, number); // maybe to be resent
    if (queued)
        return queued->sendAttempts > 0 ? ENET_FILTER_IN_FLIGHT : ENET_FILTER_NEVER_SENT;
    uint16_t newest = channel < peer->channelCount ? peer->channels[channel].outgoingReliableSequenceNumber
                                                   : peer->outgoingReliableSequenceNumber;
    return (int16_t)(uint16_t)(number - newest) > 0 ? ENET_FILTER_NEVER_SENT : ENET_FILTER_ACKNOWLEDGED;
}

static bool may_pass(struct enet_transport *self, const ENetAddress *from, uint8_t *bytes, size_t *byte_count)
{
    uint16_t number;
    if (!enet_filter_peer(bytes, *byte_count, &number) || !is_for_its_peer(self->host, from, number))
        return false;
    const ENetPeer *known = number == ENET_FILTER_NO_PEER ? NULL : &self->host->peers[number];
    struct enet_filter_peer peer = {.side = self->socket.is_server ? ENET_FILTER_OF_CLIENT : ENET_FILTER_OF_SERVER,
                                    .sent = sent_to,
                                    .context = known};
    for (size_t i = 0; known && i < ENET_FILTER_CHANNELS && i < known->channelCount; i++)
        peer.received[i] = known->channels[i].incomingReliableSequenceNumber;
    if (!enet_filter_accepts(&peer, bytes, byte_count)) {
        secure_socket_report_violation(&self->socket, session_of(from));
        return false;
    }
    if (known) {
        self->liveness[number].heard_ms = enet_time_get();
        return *byte_count > 0;
    }
    bool may_connect = session_table_connect(&self->socket.sessions, session_of(from),
                                             enet_filter_connect_id(bytes, *byte_count), clock_now_ns());
    if (may_connect)
        self->new_session = session_of(from);
    return may_connect;
}

// ENet has no peer of this number any more, so its session ends.
static void end_of_peer(struct enet_transport *self, size_t index)
{
    if (self->liveness[index].session.generation != 0)
        secure_socket_end(&self->socket, self->liveness[index].session);
    self->liveness[index].session.generation = 0;
}

// Finds the peer that ENet has made, before the answer to its first datagram is sent, so that its timeout follows from
// it. A session without a peer, because ENet has no memory, ends.
static void adopt_new_peer(struct enet_transport *self)
{
    struct session_id id = self->new_session;
    self->new_session = (struct session_id){0, 0};
    for (size_t i = 0; id.generation != 0 && i < self->host->peerCount; i++) {
        ENetPeer *peer = &self->host->peers[i];
        if (peer->state != ENET_PEER_STATE_ACKNOWLEDGING_CONNECT || peer->address.host != id.index + 1u ||
            peer->address.port != id.generation)
            continue;
        peer->roundTripTime = FIRST_RTT_MS;
        end_of_peer(self, i);
        self->liveness[i] = (struct liveness){.session = id, .heard_ms = enet_time_get()};
        return;
    }
    if (id.generation != 0)
        secure_socket_end(&self->socket, id);
}

HOOK int ENET_CALLBACK enet_socket_receive(ENetSocket socket, ENetAddress *address, ENetBuffer *buffers, size_t count)
{
    (void)socket;
    struct session_id from;
    if (!current || count != 1 || buffers[0].dataLength < DATAGRAM_BYTES_MAX)
        return 0;
    adopt_new_peer(current);
    for (size_t size; (size = secure_socket_receive(&current->socket, &from, buffers[0].data)) > 0;) {
        *address = (ENetAddress){.host = from.index + 1u, .port = from.generation};
        if (may_pass(current, address, buffers[0].data, &size))
            return (int)size;
    }
    return 0;
}

// Always reports success to ENet: an error would end its round for the other peers.
HOOK int ENET_CALLBACK enet_socket_send(ENetSocket socket, const ENetAddress *address, const ENetBuffer *buffers,
                                        size_t count)
{
    (void)socket;
    uint8_t bytes[ENET_FILTER_MTU];
    size_t size = 0, total = 0;
    for (size_t i = 0; i < count; i++) {
        total += buffers[i].dataLength;
        if (buffers[i].dataLength > sizeof bytes - size)
            continue;
        memcpy(bytes + size, buffers[i].data, buffers[i].dataLength);
        size += buffers[i].dataLength;
    }
    if (current && size == total)
        secure_socket_send(&current->socket, session_of(address), bytes, size);
    return (int)total;
}

// ENet's default is the wall clock, which may jump.
HOOK enet_uint32 ENET_CALLBACK enet_time_get(void)
{
    return (enet_uint32)(clock_now_ns() / MS_NS);
}

// With hidden symbols or a statically linked ENet everything would be sent in the clear, and nobody would notice.
static bool hooks_are_in_place(void)
{
    return dlsym(RTLD_DEFAULT, "enet_socket_send") == (void *)(uintptr_t)enet_socket_send &&
           dlsym(RTLD_DEFAULT, "enet_socket_receive") == (void *)(uintptr_t)enet_socket_receive &&
           dlsym(RTLD_DEFAULT, "enet_time_get") == (void *)(uintptr_t)enet_time_get;
}

// The default throttle cut snapshots from 60 to 2 a second for 20 s when the round trip grew by 80 ms.
static void settle_peer(ENetPeer *peer)
{
    enet_peer_throttle_configure(peer, 1000, ENET_PEER_PACKET_THROTTLE_SCALE, 0);
    enet_peer_timeout(peer, 8, 2 * SILENCE_MS_MAX, 2 * SILENCE_MS_MAX);
    enet_peer_ping_interval(peer, PING_INTERVAL_MS);
}

static bool translate(struct enet_transport *self, const ENetEvent *from_enet, struct net_event *event)
{
    *event = (struct net_event){.peer = (uint32_t)(from_enet->peer - self->host->peers)};
    switch (from_enet->type) {
    case ENET_EVENT_TYPE_NONE:
        return false;
    case ENET_EVENT_TYPE_CONNECT:
        settle_peer(from_enet->peer);
        self->liveness[event->peer].heard_ms = enet_time_get();
        event->kind = NET_CONNECTED;
        if (!self->socket.is_server)
            return true;
        event->client = &self->client;
        if (session_table_client(&self->socket.sessions, session_of(&from_enet->peer->address), &self->client))
            return true;
        enet_peer_reset(from_enet->peer); // its session has ended meanwhile
        return false;
    case ENET_EVENT_TYPE_DISCONNECT:
        secure_socket_end(&self->socket, session_of(&from_enet->peer->address));
        event->kind = NET_DISCONNECTED;
        event->reason = from_enet->data;
        return true;
    case ENET_EVENT_TYPE_RECEIVE:
        self->held = from_enet->packet;
        event->kind = NET_MESSAGE;
        event->bytes = from_enet->packet->data;
        event->byte_count = from_enet->packet->dataLength;
        if (event->byte_count > 0 && event->byte_count <= NET_MESSAGE_BYTES_MAX)
            return true;
        self->rejected++;
        return false;
    }
    return false;
}

static void release_held(struct enet_transport *self)
{
    if (self->held)
        enet_packet_destroy(self->held);
    self->held = NULL;
}

// ENet connects once the session is open, so that its first datagrams are not lost.
static void connect_when_admitted(struct enet_transport *self)
{
    if (self->socket.is_server || self->connecting || self->socket.handshake.state != CLIENT_HANDSHAKE_OPEN)
        return;
    ENetAddress server = {.host = 1, .port = 1};
    ENetPeer *peer = enet_host_connect(self->host, &server, CHANNELS, 0);
    self->connecting = peer != NULL;
    if (!peer)
        return;
    enet_peer_timeout(peer, 8, 2000, 4000);
    peer->roundTripTime = FIRST_RTT_MS;
    enet_host_flush(self->host);
}

// Reports once that a client was not admitted.
static bool report_refusal(struct enet_transport *self, struct net_event *event)
{
    if (self->socket.is_server || self->connecting || self->refusal_reported ||
        (self->socket.handshake.state != CLIENT_HANDSHAKE_REFUSED && clock_now_ns() < self->give_up_ns))
        return false;
    self->refusal_reported = true;
    *event = (struct net_event){.kind = NET_DISCONNECTED};
    return true;
}

// Runs one pass of input and output. False if nothing came or the round is over.
static bool serve(struct enet_transport *self, ENetEvent *event)
{
    if (self->passes++ == POLL_PASSES)
        return false;
    self->host->totalReceivedPackets = 0;
    secure_socket_begin(&self->socket);
    // Never without an event: that delays the first reliable message of a new peer by 500 ms.
    int found = enet_host_service(self->host, event, 0);
    connect_when_admitted(self);
    // A single odd datagram can cause this; the pass ends early and the next goes on.
    if (found < 0)
        self->rejected++;
    return found > 0 || self->host->totalReceivedPackets > 0 || self->socket.budget == 0;
}

static ENetOutgoingCommand *command_of(ENetListIterator at)
{
    return (ENetOutgoingCommand *)(void *)at;
}

// ENet doubles its wait each time that it sends again, so after an outage of three seconds it would be silent for three
// more, and the snapshot that ends the outage would be late. But a peer that answers nothing is sent one command at a
// time, until it acknowledges one.
static void bound_retries(ENetPeer *peer, uint32_t now_ms)
{
    ENetList *sent = &peer->sentReliableCommands;
    if (peer->state != ENET_PEER_STATE_CONNECTED || enet_list_empty(sent))
        return;
    bool quiet = now_ms - peer->lastReceiveTime > QUIET_MS + peer->roundTripTime;
    uint32_t most_ms = quiet ? AGE_MS_MAX + SILENCE_MS_MAX : RETRY_MS_MAX + peer->roundTripTime;
    for (ENetListIterator at = enet_list_begin(sent); at != enet_list_end(sent); at = enet_list_next(at))
        if (quiet || command_of(at)->roundTripTimeout > most_ms)
            command_of(at)->roundTripTimeout = most_ms;
    ENetOutgoingCommand *first = command_of(enet_list_front(sent)), *last = command_of(enet_list_back(sent));
    uint32_t due_ms = first->sentTime + first->roundTripTimeout;
    if (quiet) { // a while after the one before
        due_ms = last->sentTime + PROBE_MS + peer->roundTripTime;
        first->roundTripTimeout = due_ms - first->sentTime;
    }
    if (quiet || (int32_t)(peer->nextTimeout - due_ms) > 0)
        peer->nextTimeout = due_ms;
}

// Notes the oldest commands of a list that a peer has not acknowledged.
static void note_oldest(const ENetList *list, struct oldest *oldest)
{
    for (const ENetListNode *at = enet_list_begin(list); at != enet_list_end(list); at = enet_list_next(at)) {
        const ENetOutgoingCommand *command = (const ENetOutgoingCommand *)(const void *)at;
        uint8_t channel = command->command.header.channelID;
        struct oldest *row = &oldest[channel < CHANNELS ? channel : CHANNELS];
        uint16_t number = command->reliableSequenceNumber;
        if (command->sendAttempts > 0 && (!row->waits || (int16_t)(uint16_t)(number - row->number) < 0))
            *row = (struct oldest){.waits = true, .number = number};
    }
}

// ENet's own timeout starts again with any acknowledgement, so this one looks at the oldest command of each channel.
static bool waits_too_long(const ENetPeer *peer, struct liveness *liveness, uint32_t now_ms)
{
    struct oldest oldest[CHANNELS + 1] = {{.waits = false}};
    bool too_long = false;
    note_oldest(&peer->sentReliableCommands, oldest);
    note_oldest(&peer->outgoingCommands, oldest);
    for (size_t i = 0; i <= CHANNELS; i++) {
        bool same = liveness->oldest[i].waits && oldest[i].waits && liveness->oldest[i].number == oldest[i].number;
        oldest[i].since_ms = same ? liveness->oldest[i].since_ms : now_ms;
        too_long |= now_ms - oldest[i].since_ms >= AGE_MS_MAX;
        liveness->oldest[i] = oldest[i];
    }
    return too_long;
}

// ENet gives up when an answer to a reliable command is overdue: after two seconds on a fast line, and while an outage
// of three seconds lasts. So its timeout is out of reach, and here a peer is gone when nothing at all has come from it,
// when it does not acknowledge, or when it has no session any more.
static bool is_lost(struct enet_transport *self, size_t index, uint64_t now_ns)
{
    uint32_t now_ms = (uint32_t)(now_ns / MS_NS);
    const ENetPeer *peer = &self->host->peers[index];
    struct liveness *liveness = &self->liveness[index];
    return now_ms - liveness->heard_ms >= SILENCE_MS_MAX || waits_too_long(peer, liveness, now_ms) ||
           (self->socket.is_server && !session_table_has(&self->socket.sessions, session_of(&peer->address), now_ns));
}

// Looks after one peer. True with an event if the caller has lost it.
static bool check_peer(struct enet_transport *self, size_t index, uint64_t now_ns, struct net_event *event)
{
    ENetPeer *peer = &self->host->peers[index];
    if (peer->state == ENET_PEER_STATE_DISCONNECTED) {
        end_of_peer(self, index);
        return false;
    }
    bound_retries(peer, (uint32_t)(now_ns / MS_NS));
    if (peer->state == ENET_PEER_STATE_CONNECTING || peer->state == ENET_PEER_STATE_ZOMBIE ||
        !is_lost(self, index, now_ns))
        return false;
    bool was_connected = peer->state >= ENET_PEER_STATE_CONNECTED;
    enet_peer_reset(peer);
    end_of_peer(self, index);
    *event = (struct net_event){.kind = NET_DISCONNECTED, .peer = (uint32_t)index};
    return was_connected;
}

static bool check_peers(struct enet_transport *self, struct net_event *event)
{
    uint64_t now_ns = clock_now_ns();
    adopt_new_peer(self);
    for (size_t i = 0; i < self->host->peerCount; i++)
        if (check_peer(self, i, now_ns, event))
            return true;
    return false;
}

static bool enet_poll(struct transport *transport, struct net_event *event)
{
    struct enet_transport *self = from(transport);
    current = self;
    for (;;) {
        release_held(self);
        ENetEvent found = {.type = ENET_EVENT_TYPE_NONE};
        if (enet_host_check_events(self->host, &found) <= 0 && !serve(self, &found)) {
            self->passes = 0;
            return report_refusal(self, event) || check_peers(self, event);
        }
        if (translate(self, &found, event))
            return true;
    }
}

static bool enet_send(struct transport *transport, uint32_t peer, enum net_channel channel, const uint8_t *bytes,
                      size_t byte_count)
{
    struct enet_transport *self = from(transport);
    if (peer >= self->host->peerCount || self->host->peers[peer].state != ENET_PEER_STATE_CONNECTED)
        return false;
    ENetPacket *packet = enet_packet_create(
        bytes, byte_count, channel == NET_UNSEQUENCED ? ENET_PACKET_FLAG_UNSEQUENCED : ENET_PACKET_FLAG_RELIABLE);
    if (packet && enet_peer_send(&self->host->peers[peer], channel == NET_RELIABLE ? 0 : 1, packet) == 0)
        return true;
    if (packet && packet->referenceCount == 0)
        enet_packet_destroy(packet);
    self->rejected++;
    return false;
}

static void enet_flush(struct transport *transport)
{
    current = from(transport);
    udp_socket_cork(&current->socket.datagrams);
    enet_host_flush(current->host);
    udp_socket_flush(&current->socket.datagrams, clock_now_ns());
}

static void enet_disconnect(struct transport *transport, uint32_t peer, uint32_t reason, bool now)
{
    struct enet_transport *self = from(transport);
    if (peer >= self->host->peerCount)
        return;
    current = self;
    if (!now) {
        enet_peer_disconnect_later(&self->host->peers[peer], reason);
        return;
    }
    enet_peer_disconnect_now(&self->host->peers[peer], reason);
    secure_socket_end(&self->socket, session_of(&self->host->peers[peer].address));
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
                                  .receive_buffer_bytes = datagrams->receive_buffer_bytes};
    secure_socket_admissions(&self->socket, &totals->sessions, &totals->refusals);
}

static const char *enet_error(const struct transport *transport)
{
    return from_const(transport)->socket.handshake.error.text;
}

static enum denial enet_denial(const struct transport *transport)
{
    return from_const(transport)->socket.handshake.denial;
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
    if (peer < self->host->peerCount)
        session_table_keep(&self->socket.sessions, session_of(&self->host->peers[peer].address));
}

static uint32_t enet_rtt_ms(const struct transport *transport, uint32_t peer)
{
    const ENetHost *host = from_const(transport)->host;
    return peer < host->peerCount ? host->peers[peer].roundTripTime : 0;
}

static void enet_close(struct transport *transport)
{
    struct enet_transport *self = from(transport);
    current = self;
    release_held(self);
    for (size_t i = 0; i < self->host->peerCount; i++)
        enet_peer_disconnect_now(&self->host->peers[i], 0);
    enet_host_destroy(self->host);
    enet_deinitialize();
    block_pool_close(&pool);
    secure_socket_close(&self->socket);
    current = NULL;
    free(self->liveness);
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
    .close = enet_close,
};

static ENetHost *create_host(uint32_t peer_capacity)
{
    // Bandwidth 0/0: any other value throttles the reliable window.
    ENetHost *host = enet_host_create(NULL, peer_capacity, CHANNELS, 0, 0);
    if (!host)
        return NULL;
    enet_socket_destroy(host->socket); // it is never used
    host->socket = ENET_SOCKET_NULL;
    host->maximumPacketSize = NET_MESSAGE_BYTES_MAX;
    host->maximumWaitingData = WAITING_BYTES_MAX;
    host->mtu = ENET_FILTER_MTU;
    host->duplicatePeers = 1;
    for (uint32_t i = 0; i < peer_capacity; i++)
        host->peers[i].mtu = ENET_FILTER_MTU;
    return host;
}

static bool open_host(struct enet_transport *self, uint32_t peer_capacity)
{
    ENetCallbacks callbacks = {pool_malloc, pool_free, no_memory};
    size_t large = LARGE_BLOCKS_PER_HOST + (size_t)LARGE_BLOCKS_PER_PEER * peer_capacity;
    self->liveness = calloc(peer_capacity, sizeof *self->liveness);
    if (!self->liveness || !block_pool_open(&pool, SMALL_PER_LARGE * large, large))
        return false;
    if (enet_initialize_with_callbacks(ENET_VERSION, &callbacks) == 0)
        self->host = create_host(peer_capacity);
    block_pool_opened(&pool);
    if (!self->host)
        block_pool_close(&pool);
    return self->host != NULL;
}

static struct enet_transport *new_transport(struct error *error)
{
    struct enet_transport *self = NULL;
    if (!hooks_are_in_place())
        error_set(
            error,
            "ENet would send in the clear: link libenet dynamically, and keep the symbols of this program visible");
    else if (sodium_init() < 0)
        error_set(error, "libsodium cannot start");
    else if (!(self = calloc(1, sizeof *self)))
        error_set(error, "out of memory");
    else
        self->transport.table = &enet_table;
    return self;
}

// The last step of opening a server or a client.
static struct transport *finish(struct enet_transport *self, uint32_t peer_capacity, struct error *error)
{
    if (open_host(self, peer_capacity))
        return &self->transport;
    error_set(error, "out of memory for %u peers", peer_capacity);
    secure_socket_close(&self->socket);
    free(self->liveness);
    free(self);
    return NULL;
}

struct transport *enet_transport_open_server(const struct net_server_config *config, struct net_endpoint *endpoint,
                                             struct error *error)
{
    struct enet_transport *self = new_transport(error);
    if (!self)
        return NULL;
    if (secure_socket_listen(&self->socket, config, endpoint, error))
        return finish(self, config->peer_capacity, error);
    free(self);
    return NULL;
}

struct transport *enet_transport_open_client(const struct net_client_config *config, struct error *error)
{
    struct enet_transport *self = new_transport(error);
    if (!self)
        return NULL;
    self->give_up_ns = clock_now_ns() + JOIN_NS_MAX;
    if (secure_socket_connect(&self->socket, config, error))
        return finish(self, 1, error);
    free(self);
    return NULL;
}
