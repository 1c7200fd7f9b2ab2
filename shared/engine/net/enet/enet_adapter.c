// SPDX-License-Identifier: MIT
//
// Each setting below answers a measured fault of ENet 1.3.17's defaults, with the reason beside it.
#include "enet_adapter.h"

#ifndef DEADFALL_ENET_BUILT_IN
#include <dlfcn.h>
#endif
#include <enet/enet.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "block_pool.h"

#define WAITING_BYTES_MAX 262144u
#define PING_INTERVAL_MS  495 // just under 30 ticks: over a short line a ping arrives before the server looks, not after
#define RETRY_MS_MAX      250   // and a round trip
#define QUIET_MS          500   // and a round trip, without an acknowledgement
#define PROBE_MS          150   // and a round trip, between two attempts meanwhile
#define TIMEOUT_MS        7000  // out of reach: enet_peers.h decides who is lost
#define NEVER_MS          10500 // no peer lives so long without an acknowledgement (enet_peers.h)
#define WINDOW_BYTES      65536u

// Blocks that a host may use: messages in flight, each with a command, a packet and their acknowledgements.
#define LARGE_BLOCKS_PER_HOST 128u
#define LARGE_BLOCKS_PER_PEER 32u
#define SMALL_PER_LARGE       4u
// A server has these for each peer besides: all that it can send before its turn. So a peer that hoards takes nothing
// from others.
#define LARGE_BLOCKS_AHEAD ((size_t)ENET_FILTER_CHANNELS * ENET_FILTER_RELIABLE_AHEAD_MAX)

// ENet's allocator callbacks have no context, so they share one pool.
static struct block_pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct enet_adapter {
    struct enet_adapter_socket socket;
    ENetHost *host;
    ENetEvent event;  // of the last pass
    ENetPacket *held; // of the last message; the caller may still read its bytes
};

// ENet passes no context to its socket functions. This is the host that calls ENet in this thread.
static _Thread_local struct enet_adapter *current;

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

// ENet knows a session as an address.
static struct session_id session_of(const ENetAddress *address)
{
    return (struct session_id){(uint16_t)(address->host - 1), address->port};
}

#define HOOK __attribute__((visibility("default")))

HOOK int ENET_CALLBACK enet_socket_receive(ENetSocket socket, ENetAddress *address, ENetBuffer *buffers, size_t count)
{
    (void)socket;
    uint32_t peer;
    uint8_t *bytes = buffers[0].data;
    if (!current || count != 1 || buffers[0].dataLength < DATAGRAM_BYTES_MAX)
        return 0;
    size_t size = current->socket.receive(current->socket.context, &peer, bytes);
    if (size == 0)
        return 0;
    *address = current->host->peers[peer].address;
    bytes[0] |= (uint8_t)(peer >> 8);
    bytes[1] = (uint8_t)peer;
    return (int)size;
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
    // What a peer asks of one that it does not know yet; its answer is ours.
    bool is_handshake = size >= 2 && (bytes[0] & 0x0f) == 0x0f && bytes[1] == 0xff;
    if (current && size == total && !is_handshake)
        current->socket.send(current->socket.context, session_of(address), bytes, size);
    return (int)total;
}

// ENet's default is the wall clock, which may jump.
HOOK enet_uint32 ENET_CALLBACK enet_time_get(void)
{
    return (enet_uint32)(clock_now_ns() / CLOCK_MS_NS);
}

#ifdef DEADFALL_ENET_BUILT_IN
// ENet's own unix.c is not linked, so these are all that ENet knows of a system: it has no socket, and cannot get one.
int enet_initialize(void)
{
    return 0;
}

void enet_deinitialize(void)
{
}

enet_uint32 enet_host_random_seed(void)
{
    return randombytes_random();
}

ENetSocket enet_socket_create(ENetSocketType type)
{
    (void)type;
    return ENET_SOCKET_NULL + 1;
}

void enet_socket_destroy(ENetSocket socket)
{
    (void)socket;
}

int enet_socket_set_option(ENetSocket socket, ENetSocketOption option, int value)
{
    (void)socket, (void)option, (void)value;
    return 0;
}

int enet_socket_bind(ENetSocket socket, const ENetAddress *address)
{
    (void)socket, (void)address;
    return -1;
}

int enet_socket_get_address(ENetSocket socket, ENetAddress *address)
{
    (void)socket, (void)address;
    return -1;
}

int enet_socket_wait(ENetSocket socket, enet_uint32 *condition, enet_uint32 timeout)
{
    (void)socket, (void)condition, (void)timeout;
    return -1;
}

static bool hooks_are_in_place(void)
{
    return true; // or the program would not have been linked
}
#else
// With hidden symbols or a statically linked ENet everything would be sent in the clear, and nobody would notice.
static bool hooks_are_in_place(void)
{
    return dlsym(RTLD_DEFAULT, "enet_socket_send") == (void *)(uintptr_t)enet_socket_send &&
           dlsym(RTLD_DEFAULT, "enet_socket_receive") == (void *)(uintptr_t)enet_socket_receive &&
           dlsym(RTLD_DEFAULT, "enet_time_get") == (void *)(uintptr_t)enet_time_get;
}
#endif

static ENetHost *open_host(uint32_t peer_capacity, bool is_server)
{
    ENetCallbacks callbacks = {pool_malloc, pool_free, no_memory};
    size_t large =
        LARGE_BLOCKS_PER_HOST + (LARGE_BLOCKS_PER_PEER + (is_server ? LARGE_BLOCKS_AHEAD : 0)) * peer_capacity;
    ENetHost *host = NULL;
    if (!block_pool_open(&pool, SMALL_PER_LARGE * large, large))
        return NULL;
    if (enet_initialize_with_callbacks(ENET_VERSION, &callbacks) == 0)
        host = enet_host_create(NULL, peer_capacity, ENET_FILTER_CHANNELS, 0, 0); // more throttles the reliable window
    block_pool_opened(&pool);
    if (!host) {
        block_pool_close(&pool);
        return NULL;
    }
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

struct enet_adapter *enet_adapter_open(uint32_t peer_capacity, bool is_server, const struct enet_adapter_socket *socket,
                                       struct error *error)
{
    if (!hooks_are_in_place()) {
        error_set(
            error,
            "ENet would send in the clear: link libenet dynamically, and keep the symbols of this program visible");
        return NULL;
    }
    struct enet_adapter *enet = calloc(1, sizeof *enet);
    if (enet && (enet->host = open_host(peer_capacity, is_server))) {
        enet->socket = *socket;
        return enet;
    }
    error_set(error, "out of memory for %u peers", peer_capacity);
    free(enet);
    return NULL;
}

static void release_held(struct enet_adapter *enet)
{
    if (enet->held)
        enet_packet_destroy(enet->held);
    enet->held = NULL;
}

void enet_adapter_close(struct enet_adapter *enet)
{
    current = enet;
    release_held(enet);
    for (size_t i = 0; i < enet->host->peerCount; i++)
        enet_peer_disconnect_now(&enet->host->peers[i], 0);
    enet_host_destroy(enet->host);
    enet_deinitialize();
    block_pool_close(&pool);
    current = NULL;
    free(enet);
}

// What the other side would send: it acknowledges the question, and agrees. That wants no acknowledgement itself, so
// nothing of the handshake is sent.
static void write_answer(const ENetPeer *peer, uint32_t rtt_ms, uint8_t bytes[ENET_ADAPTER_ANSWER_BYTES])
{
    static const uint8_t head[2] = {0, 0};
    ENetProtocolAcknowledge acknowledge = {
        .header = {ENET_PROTOCOL_COMMAND_ACKNOWLEDGE, 0xff, ENET_HOST_TO_NET_16(1)},
        .receivedReliableSequenceNumber = ENET_HOST_TO_NET_16(1),
        .receivedSentTime = ENET_HOST_TO_NET_16((uint16_t)(enet_time_get() - rtt_ms)),
    };
    ENetProtocolVerifyConnect verify = {
        .header = {ENET_PROTOCOL_COMMAND_VERIFY_CONNECT, 0xff, ENET_HOST_TO_NET_16(1)},
        .mtu = ENET_HOST_TO_NET_32(ENET_FILTER_MTU),
        .windowSize = ENET_HOST_TO_NET_32(WINDOW_BYTES),
        .channelCount = ENET_HOST_TO_NET_32(ENET_FILTER_CHANNELS),
        .packetThrottleInterval = ENET_HOST_TO_NET_32(peer->packetThrottleInterval),
        .packetThrottleAcceleration = ENET_HOST_TO_NET_32(peer->packetThrottleAcceleration),
        .packetThrottleDeceleration = ENET_HOST_TO_NET_32(peer->packetThrottleDeceleration),
        .connectID = peer->connectID,
    };
    memcpy(bytes, head, sizeof head);
    memcpy(bytes + sizeof head, &acknowledge, sizeof acknowledge);
    memcpy(bytes + sizeof head + sizeof acknowledge, &verify, sizeof verify);
}

bool enet_adapter_connect(struct enet_adapter *enet, struct session_id session, uint32_t rtt_ms, uint32_t *peer,
                          uint8_t answer[ENET_ADAPTER_ANSWER_BYTES])
{
    ENetAddress address = {.host = session.index + 1u, .port = session.generation}; // see session_of()
    ENetPeer *made = enet_host_connect(enet->host, &address, ENET_FILTER_CHANNELS, 0);
    if (!made)
        return false;
    enet_adapter_flush(enet); // only what was asked can be answered
    write_answer(made, rtt_ms, answer);
    *peer = (uint32_t)(made - enet->host->peers);
    return true;
}

bool enet_adapter_poll(struct enet_adapter *enet, struct net_event *event)
{
    ENetEvent found = enet->event;
    enet->event = (ENetEvent){.type = ENET_EVENT_TYPE_NONE};
    release_held(enet);
    if (found.type == ENET_EVENT_TYPE_NONE && enet_host_check_events(enet->host, &found) <= 0)
        return false;
    *event = (struct net_event){.peer = (uint32_t)(found.peer - enet->host->peers)};
    switch (found.type) {
    case ENET_EVENT_TYPE_NONE:
        return false;
    case ENET_EVENT_TYPE_CONNECT:
        // The default throttle cut snapshots from 60 to 2 a second for 20 s when the round trip grew by 80 ms.
        enet_peer_throttle_configure(found.peer, 1000, ENET_PEER_PACKET_THROTTLE_SCALE, 0);
        enet_peer_timeout(found.peer, 8, TIMEOUT_MS, TIMEOUT_MS);
        enet_peer_ping_interval(found.peer, PING_INTERVAL_MS);
        event->kind = NET_CONNECTED;
        return true;
    case ENET_EVENT_TYPE_DISCONNECT:
        event->kind = NET_DISCONNECTED;
        event->reason = found.data;
        return true;
    case ENET_EVENT_TYPE_RECEIVE:
        enet->held = found.packet;
        event->kind = NET_MESSAGE;
        event->bytes = found.packet->data;
        event->byte_count = found.packet->dataLength;
        return true;
    }
    return false;
}

bool enet_adapter_serve(struct enet_adapter *enet)
{
    current = enet;
    // Never without an event: that delays the first reliable message of a new peer by 500 ms.
    return enet_host_service(enet->host, &enet->event, 0) >= 0;
}

void enet_adapter_flush(struct enet_adapter *enet)
{
    current = enet;
    enet_host_flush(enet->host);
}

bool enet_adapter_send(struct enet_adapter *enet, uint32_t peer, enum net_channel channel, const uint8_t *bytes,
                       size_t byte_count)
{
    if (peer >= enet->host->peerCount || enet->host->peers[peer].state != ENET_PEER_STATE_CONNECTED)
        return false;
    ENetPacket *packet = enet_packet_create(bytes, byte_count, ENET_PACKET_FLAG_RELIABLE);
    if (packet && enet_peer_send(&enet->host->peers[peer], channel == NET_RELIABLE ? 0 : 1, packet) == 0)
        return true;
    if (packet && packet->referenceCount == 0)
        enet_packet_destroy(packet);
    return false;
}

void enet_adapter_disconnect(struct enet_adapter *enet, uint32_t peer, uint32_t reason, bool now)
{
    current = enet;
    if (now)
        enet_peer_disconnect_now(&enet->host->peers[peer], reason);
    else
        enet_peer_disconnect_later(&enet->host->peers[peer], reason);
}

void enet_adapter_reset(struct enet_adapter *enet, uint32_t peer)
{
    enet_peer_reset(&enet->host->peers[peer]);
}

struct enet_adapter_peer enet_adapter_peer(const struct enet_adapter *enet, uint32_t peer)
{
    if (peer >= enet->host->peerCount)
        return (struct enet_adapter_peer){.state = ENET_ADAPTER_FREE};
    const ENetPeer *of = &enet->host->peers[peer];
    struct enet_adapter_peer found = {ENET_ADAPTER_FREE, session_of(&of->address), of->roundTripTime};
    switch (of->state) {
    case ENET_PEER_STATE_DISCONNECTED:
        break;
    case ENET_PEER_STATE_CONNECTING:
    case ENET_PEER_STATE_ACKNOWLEDGING_CONNECT:
    case ENET_PEER_STATE_CONNECTION_PENDING:
    case ENET_PEER_STATE_CONNECTION_SUCCEEDED:
        found.state = ENET_ADAPTER_CONNECTING;
        break;
    case ENET_PEER_STATE_CONNECTED:
        found.state = ENET_ADAPTER_CONNECTED;
        break;
    case ENET_PEER_STATE_DISCONNECT_LATER:
    case ENET_PEER_STATE_DISCONNECTING:
    case ENET_PEER_STATE_ACKNOWLEDGING_DISCONNECT:
        found.state = ENET_ADAPTER_LEAVING;
        break;
    case ENET_PEER_STATE_ZOMBIE:
        found.state = ENET_ADAPTER_ENDED;
        break;
    }
    return found;
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
    if (find_command(&peer->sentReliableCommands, channel, number))
        return ENET_FILTER_IN_FLIGHT;
    const ENetOutgoingCommand *queued = find_command(&peer->outgoingCommands, channel, number); // maybe to be resent
    if (queued)
        return queued->sendAttempts > 0 ? ENET_FILTER_IN_FLIGHT : ENET_FILTER_NEVER_SENT;
    uint16_t newest = channel < peer->channelCount ? peer->channels[channel].outgoingReliableSequenceNumber
                                                   : peer->outgoingReliableSequenceNumber;
    return (int16_t)(uint16_t)(number - newest) > 0 ? ENET_FILTER_NEVER_SENT : ENET_FILTER_ACKNOWLEDGED;
}

void enet_adapter_describe(const struct enet_adapter *enet, uint32_t peer, struct enet_filter_peer *filter)
{
    const ENetPeer *of = &enet->host->peers[peer];
    filter->sent = sent_to;
    filter->context = of;
    for (size_t i = 0; i < ENET_FILTER_CHANNELS && i < of->channelCount; i++)
        filter->received[i] = of->channels[i].incomingReliableSequenceNumber;
}

void enet_adapter_note(struct enet_adapter_oldest *oldest, uint32_t channel, uint16_t number)
{
    if (oldest->waits[channel] && (int16_t)(uint16_t)(number - oldest->number[channel]) >= 0)
        return;
    oldest->waits[channel] = true;
    oldest->number[channel] = number;
}

struct enet_adapter_oldest enet_adapter_oldest(const struct enet_adapter *enet, uint32_t peer)
{
    struct enet_adapter_oldest oldest = {.waits = {false}};
    const ENetPeer *of = &enet->host->peers[peer];
    const ENetList *lists[] = {&of->sentReliableCommands, &of->outgoingCommands}; // there, maybe to be sent again
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (ENetListIterator at = lists[i]->sentinel.next; at != &lists[i]->sentinel; at = enet_list_next(at)) {
            const ENetOutgoingCommand *command = (const ENetOutgoingCommand *)(const void *)at;
            uint8_t channel = command->command.header.channelID;
            if (command->sendAttempts > 0)
                enet_adapter_note(&oldest, channel < ENET_FILTER_CHANNELS ? channel : ENET_FILTER_CHANNELS,
                                  command->reliableSequenceNumber);
        }
    }
    return oldest;
}

static ENetOutgoingCommand *command_of(ENetListIterator at)
{
    return (ENetOutgoingCommand *)(void *)at;
}

// ENet doubles its wait each time that it sends again, so after an outage of three seconds it would be silent for three
// more, and the snapshot that ends the outage would be late. But a peer that answers nothing is sent one command at a
// time, until it acknowledges one.
void enet_adapter_bound_retries(struct enet_adapter *enet, uint32_t index, uint32_t now_ms)
{
    ENetPeer *peer = &enet->host->peers[index];
    ENetList *sent = &peer->sentReliableCommands;
    if (peer->state != ENET_PEER_STATE_CONNECTED || enet_list_empty(sent))
        return;
    bool quiet = now_ms - peer->lastReceiveTime > QUIET_MS + peer->roundTripTime;
    uint32_t most_ms = quiet ? NEVER_MS : RETRY_MS_MAX + peer->roundTripTime;
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
