// SPDX-License-Identifier: MIT
//
// The peers of ENet with their sessions: which peer belongs to which session, when it was heard last, and when it is
// lost. ENet makes and forgets peers by itself; a session ends with its peer. Only enet_transport.c uses this.
#ifndef NET_ENET_PEERS_H
#define NET_ENET_PEERS_H

#include "enet_adapter.h"
#include "net/secure_socket.h"

/// What is known of a peer beside ENet's own state.
struct enet_peer {
    struct session_id session; ///< of a server; generation 0: none
    struct peer_liveness liveness;
};

/// Fill in `enet` and `socket`, which belong to the caller, before the first call but open.
struct enet_peers {
    struct enet_adapter *enet;
    struct secure_socket *socket;
    struct enet_peer *of;    ///< by ENet's number
    uint16_t *of_session;    ///< by the session's index; ENet may have forgotten the peer since
    uint32_t capacity;       ///< peers and sessions
    struct session_id asked; ///< session that asked to connect, so ENet may have made a peer; generation 0: none
};

/// Allocates the tables. False if out of memory; close it then as well.
bool enet_peers_open(struct enet_peers *peers, uint32_t capacity);
/// Frees the tables.
void enet_peers_close(struct enet_peers *peers);

/// Returns whether a datagram of a session may go to this peer. One for a peer that ENet has forgotten may be late, so
/// it is dropped without being counted as a violation.
bool enet_peers_expect(const struct enet_peers *peers, struct session_id from, uint16_t number);
/// Notes that something came from a peer just now.
void enet_peers_hear(struct enet_peers *peers, uint32_t number);
/// Finds the peer of a session. False if ENet has not connected it, or no longer.
bool enet_peers_find(const struct enet_peers *peers, struct session_id session, uint32_t *number);
/// Finds the peer that ENet has made for `asked`, before the answer to its first datagram is sent. A session without a
/// peer, because ENet has no memory, ends.
void enet_peers_adopt(struct enet_peers *peers);
/// Looks after all peers. True with NET_DISCONNECTED if the caller has lost one; call it again then.
bool enet_peers_check(struct enet_peers *peers, struct net_event *event);

#endif
