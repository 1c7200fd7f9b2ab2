// SPDX-License-Identifier: MIT
//
// The only file that knows ENet. Each setting below answers a measured fault of ENet 1.3.17's defaults; the
// reasons stand beside them. Datagrams leave and arrive through enet_socket_send and enet_socket_receive, which the
// sealing layer can take over without a change here.
#include "transport.h"

#include <enet/enet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "block_pool.h"

#define CHANNELS            2
#define MTU_BYTES           1200
#define WAITING_BYTES_MAX   262144u
#define SOCKET_BUFFER_BYTES 4194304
#define PING_INTERVAL_MS    250

// A service pass reads at most 256 datagrams: 4,096 in one round of polling, then the tick has its turn.
#define POLL_PASSES 16

// Blocks that a host may use: messages in flight, and a command and a packet for each, with their acknowledgements.
#define LARGE_BLOCKS_PER_HOST 128u
#define LARGE_BLOCKS_PER_PEER 32u
#define SMALL_PER_LARGE       4u

// ENet's allocator callbacks carry no context, so the pool they use must be known to the file.
static struct block_pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct enet_transport {
    struct transport transport;
    ENetHost *host;
    ENetPacket *held; // whose bytes the last event lent out
    unsigned passes;  // of this round of polling
    uint32_t receive_buffer_bytes;
    struct net_totals totals;
};

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

// ENet's own aborts the program; every caller in ENet and here takes a null for an answer.
static void ENET_CALLBACK no_memory(void)
{
}

// The host's own counters are 32 bits wide.
static void harvest(struct enet_transport *self)
{
    ENetHost *host = self->host;
    self->totals.bytes_in += host->totalReceivedData;
    self->totals.packets_in += host->totalReceivedPackets;
    self->totals.bytes_out += host->totalSentData;
    self->totals.packets_out += host->totalSentPackets;
    host->totalReceivedData = host->totalReceivedPackets = host->totalSentData = host->totalSentPackets = 0;
}

// The default throttle cut snapshots from 60 to 2 a second for 20 s after a step of 80 ms in the round trip.
static void settle_peer(ENetPeer *peer)
{
    if (peer->mtu > MTU_BYTES)
        peer->mtu = MTU_BYTES;
    enet_peer_throttle_configure(peer, 1000, ENET_PEER_PACKET_THROTTLE_SCALE, 0);
    enet_peer_timeout(peer, 8, 2000, 4000);
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
        event->kind = NET_CONNECTED;
        return true;
    case ENET_EVENT_TYPE_DISCONNECT:
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
        self->totals.rejected++;
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

// One pass of input and output. False when nothing came, or the round is at its end.
static bool serve(struct enet_transport *self, ENetEvent *event)
{
    harvest(self);
    if (self->passes++ == POLL_PASSES)
        return false;
    // Never without an event: that delays the first reliable message of a new peer by 500 ms.
    int found = enet_host_service(self->host, event, 0);
    // A single odd datagram can cause this; the pass ends early and the next goes on.
    if (found < 0)
        self->totals.rejected++;
    return found > 0 || self->host->totalReceivedPackets > 0;
}

static bool enet_poll(struct transport *transport, struct net_event *event)
{
    struct enet_transport *self = from(transport);
    for (;;) {
        release_held(self);
        ENetEvent found = {.type = ENET_EVENT_TYPE_NONE};
        if (enet_host_check_events(self->host, &found) <= 0 && !serve(self, &found)) {
            self->passes = 0;
            return false;
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
        bytes, byte_count, channel == NET_RELIABLE ? ENET_PACKET_FLAG_RELIABLE : ENET_PACKET_FLAG_UNSEQUENCED);
    if (packet && enet_peer_send(&self->host->peers[peer], channel == NET_RELIABLE ? 0 : 1, packet) == 0)
        return true;
    if (packet && packet->referenceCount == 0)
        enet_packet_destroy(packet);
    self->totals.rejected++;
    return false;
}

static void enet_flush(struct transport *transport)
{
    enet_host_flush(from(transport)->host);
    harvest(from(transport));
}

static void enet_disconnect(struct transport *transport, uint32_t peer, uint32_t reason, bool now)
{
    struct enet_transport *self = from(transport);
    if (peer >= self->host->peerCount)
        return;
    if (now)
        enet_peer_disconnect_now(&self->host->peers[peer], reason);
    else
        enet_peer_disconnect_later(&self->host->peers[peer], reason);
}

static void enet_wait(struct transport *transport, uint64_t deadline_ns)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t now_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    if (now_ns >= deadline_ns)
        return;
    uint64_t rest_ns = deadline_ns - now_ns;
    struct timespec rest = {(time_t)(rest_ns / 1000000000u), (long)(rest_ns % 1000000000u)};
    struct pollfd readable = {.fd = from(transport)->host->socket, .events = POLLIN};
    ppoll(&readable, 1, &rest, NULL);
}

static void enet_totals(const struct transport *transport, struct net_totals *totals)
{
    const struct enet_transport *self = from_const(transport);
    *totals = self->totals;
    totals->bytes_in += self->host->totalReceivedData;
    totals->packets_in += self->host->totalReceivedPackets;
    totals->bytes_out += self->host->totalSentData;
    totals->packets_out += self->host->totalSentPackets;
    totals->receive_buffer_bytes = self->receive_buffer_bytes;
}

static uint32_t enet_rtt_ms(const struct transport *transport, uint32_t peer)
{
    const ENetHost *host = from_const(transport)->host;
    return peer < host->peerCount ? host->peers[peer].roundTripTime : 0;
}

static void enet_close(struct transport *transport)
{
    struct enet_transport *self = from(transport);
    release_held(self);
    for (size_t i = 0; i < self->host->peerCount; i++)
        enet_peer_disconnect_now(&self->host->peers[i], 0);
    enet_host_destroy(self->host);
    enet_deinitialize();
    block_pool_close(&pool);
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
    .close = enet_close,
};

// A burst that comes while the program is busy waits in the kernel: ENet's 256 KiB hold only some 600 small datagrams.
static void widen_socket(struct enet_transport *self)
{
    enet_socket_set_option(self->host->socket, ENET_SOCKOPT_RCVBUF, SOCKET_BUFFER_BYTES);
    enet_socket_set_option(self->host->socket, ENET_SOCKOPT_SNDBUF, SOCKET_BUFFER_BYTES);
    int granted = 0;
    socklen_t size = sizeof granted;
    if (getsockopt(self->host->socket, SOL_SOCKET, SO_RCVBUF, &granted, &size) == 0 && granted > 0)
        self->receive_buffer_bytes = (uint32_t)granted / 2; // the kernel tells twice what it was asked for
}

static struct enet_transport *open_host(const ENetAddress *address, uint32_t peer_capacity)
{
    struct enet_transport *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->transport.table = &enet_table;
    // Bandwidth 0/0: any other value throttles the reliable window.
    self->host = enet_host_create(address, peer_capacity, CHANNELS, 0, 0);
    if (!self->host) {
        int reason = errno;
        free(self);
        errno = reason;
        return NULL;
    }
    self->host->maximumPacketSize = NET_MESSAGE_BYTES_MAX;
    self->host->maximumWaitingData = WAITING_BYTES_MAX;
    self->host->mtu = MTU_BYTES;
    for (uint32_t i = 0; i < peer_capacity; i++)
        self->host->peers[i].mtu = MTU_BYTES;
    return self;
}

static struct enet_transport *open_transport(const ENetAddress *address, uint32_t peer_capacity)
{
    const ENetCallbacks callbacks = {pool_malloc, pool_free, no_memory};
    size_t large = LARGE_BLOCKS_PER_HOST + (size_t)LARGE_BLOCKS_PER_PEER * peer_capacity;
    if (!block_pool_open(&pool, SMALL_PER_LARGE * large, large)) {
        errno = ENOMEM;
        return NULL;
    }
    errno = 0;
    struct enet_transport *self =
        enet_initialize_with_callbacks(ENET_VERSION, &callbacks) == 0 ? open_host(address, peer_capacity) : NULL;
    block_pool_opened(&pool);
    if (!self) {
        int reason = errno;
        block_pool_close(&pool);
        errno = reason;
    }
    return self;
}

struct transport *enet_server_open(const char *bind_address, uint16_t *port, uint32_t peer_capacity,
                                   struct net_error *error)
{
    ENetAddress address = {.host = ENET_HOST_ANY, .port = *port};
    if (bind_address && enet_address_set_host_ip(&address, bind_address) < 0) {
        snprintf(error->text, sizeof error->text, "%.64s is not an IPv4 address to bind to", bind_address);
        return NULL;
    }
    struct enet_transport *self = open_transport(&address, peer_capacity);
    if (!self) {
        snprintf(error->text, sizeof error->text, "cannot open UDP port %u on %.64s: %s", *port,
                 bind_address ? bind_address : "0.0.0.0", errno ? strerror(errno) : "out of memory");
        return NULL;
    }
    widen_socket(self);
    if (enet_socket_get_address(self->host->socket, &address) == 0)
        *port = address.port;
    return &self->transport;
}

struct transport *enet_client_open(const char *host, uint16_t port, struct net_error *error)
{
    ENetAddress address = {.port = port};
    if (enet_address_set_host(&address, host) < 0) {
        snprintf(error->text, sizeof error->text, "no address is known for the host %.64s", host);
        return NULL;
    }
    struct enet_transport *self = open_transport(NULL, 1);
    if (!self) {
        snprintf(error->text, sizeof error->text, "cannot open a UDP socket: %s", strerror(errno ? errno : ENOMEM));
        return NULL;
    }
    ENetPeer *peer = enet_host_connect(self->host, &address, CHANNELS, 0);
    if (!peer) {
        snprintf(error->text, sizeof error->text, "out of memory while connecting to %.64s", host);
        enet_close(&self->transport);
        return NULL;
    }
    enet_peer_timeout(peer, 8, 2000, 4000);
    return &self->transport;
}
