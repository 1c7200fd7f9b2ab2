// SPDX-License-Identifier: MIT
//
// The only component that knows ENet: a host with its peers, without a socket. The shared library calls
// enet_socket_send, enet_socket_receive and enet_time_get through the dynamic linker, so the functions of this
// component replace its own, and lead to those that the host was opened with. Where ENet is built in, it has no others.
//
// ENet knows a session as an address, and shakes hands with nobody: both sides of a session know what it would ask and
// answer. So each of them lets its ENet ask, and gives it the answer. On the wire every peer has the number 0, because
// the session says which it is. Only enet_transport.c and enet_peers.c use this.
#ifndef NET_ENET_ADAPTER_H
#define NET_ENET_ADAPTER_H

#include "base/error.h"
#include "enet_filter.h"
#include "net/datagram.h"
#include "net/transport.h"

struct enet_adapter;

/// What takes the place of ENet's socket.
struct enet_adapter_socket {
    /// Takes the next datagram for ENet, of a peer; there is room for DATAGRAM_BYTES_MAX. Returns its bytes, 0 if none
    /// came.
    size_t (*receive)(void *context, uint32_t *peer, uint8_t *bytes);
    void (*send)(void *context, struct session_id to, const uint8_t *bytes, size_t byte_count);
    void *context;
};

/// How far a peer is.
enum enet_adapter_state {
    ENET_ADAPTER_FREE,       ///< there is none
    ENET_ADAPTER_CONNECTING, ///< the answer waits for the next pass
    ENET_ADAPTER_CONNECTED,
    ENET_ADAPTER_LEAVING, ///< disconnecting
    ENET_ADAPTER_ENDED,   ///< its NET_DISCONNECTED is still to come
};

/// Channels that number their commands: two with messages, and the peer's own.
#define ENET_ADAPTER_CHANNELS (ENET_FILTER_CHANNELS + 1)

/// For each channel, the oldest reliable command that was sent and is not acknowledged.
struct enet_adapter_oldest {
    bool waits[ENET_ADAPTER_CHANNELS]; ///< false: all are acknowledged
    uint16_t number[ENET_ADAPTER_CHANNELS];
};

struct enet_adapter_peer {
    enum enet_adapter_state state;
    struct session_id session;
    uint32_t rtt_ms; ///< smoothed
};

/// Opens a host; that of a server keeps memory for all that each peer may send before its turn. Null with an error (out
/// of memory, or ENet does not call the functions here).
struct enet_adapter *enet_adapter_open(uint32_t peer_capacity, bool is_server, const struct enet_adapter_socket *socket,
                                       struct error *error);
/// Disconnects all peers and frees the host.
void enet_adapter_close(struct enet_adapter *enet);

/// Bytes of the answer to a peer that asks.
#define ENET_ADAPTER_ANSWER_BYTES 54
/// Makes a peer for a session that is open, and writes the answer that ENet has to receive in the next pass; then comes
/// NET_CONNECTED. `rtt_ms` is the round trip as the handshake took it. False if out of memory or peers.
bool enet_adapter_connect(struct enet_adapter *enet, struct session_id session, uint32_t rtt_ms, uint32_t *peer,
                          uint8_t answer[ENET_ADAPTER_ANSWER_BYTES]);
/// Takes an event: NET_CONNECTED (without a client), NET_DISCONNECTED or NET_MESSAGE. False if there is none.
bool enet_adapter_poll(struct enet_adapter *enet, struct net_event *event);
/// Receives up to 256 datagrams and sends what is due. False if a single odd datagram has ended it early.
bool enet_adapter_serve(struct enet_adapter *enet);
/// Sends what is queued.
void enet_adapter_flush(struct enet_adapter *enet);

/// Queues a reliable message for a peer. False if the peer is not connected or memory is short.
bool enet_adapter_send(struct enet_adapter *enet, uint32_t peer, enum net_channel channel, const uint8_t *bytes,
                       size_t byte_count);
/// Disconnects a peer: `now` without sending what is queued and without an event.
void enet_adapter_disconnect(struct enet_adapter *enet, uint32_t peer, uint32_t reason, bool now);
/// Forgets a peer without a datagram or an event.
void enet_adapter_reset(struct enet_adapter *enet, uint32_t peer);

/// Returns what is known of a peer; ENET_ADAPTER_FREE beyond those of the host.
struct enet_adapter_peer enet_adapter_peer(const struct enet_adapter *enet, uint32_t peer);
/// Fills in what the filter has to know of a peer.
void enet_adapter_describe(const struct enet_adapter *enet, uint32_t peer, struct enet_filter_peer *filter);
/// Returns the oldest commands that a peer has not acknowledged.
struct enet_adapter_oldest enet_adapter_oldest(const struct enet_adapter *enet, uint32_t peer);
/// Notes a command that waits, if it is older than what is noted of its channel. Numbers wrap.
void enet_adapter_note(struct enet_adapter_oldest *oldest, uint32_t channel, uint16_t number);
/// Bounds how long ENet waits before it sends again.
void enet_adapter_bound_retries(struct enet_adapter *enet, uint32_t peer, uint32_t now_ms);

#endif
