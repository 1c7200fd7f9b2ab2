// SPDX-License-Identifier: MIT
//
// The peers of ENet with their sessions: which peer belongs to which session, when it was heard last, and when it is
// lost. ENet forgets peers by itself; a session ends with its peer. Only enet_transport.c uses this.
#ifndef NET_ENET_PEERS_H
#define NET_ENET_PEERS_H

#include "enet_adapter.h"
#include "net/secure_socket.h"

/// What is known of a peer beside ENet's own state.
struct enet_peer {
    struct session_id session; ///< generation 0: none
    struct peer_liveness liveness;
};

/// Fill in `enet` and `socket`, which belong to the caller, before the first call but open.
struct enet_peers {
    struct enet_adapter *enet;
    struct secure_socket *socket;
    struct enet_peer *of; ///< by ENet's number
    uint16_t *of_session; ///< by the session's index; ENet may have forgotten the peer since
    uint32_t capacity;    ///< peers and sessions
};

/// Allocates the tables. False if out of memory; close it then as well.
bool enet_peers_open(struct enet_peers *peers, uint32_t capacity);
/// Frees the tables.
void enet_peers_close(struct enet_peers *peers);

/// Makes ENet's peer of a session that is open, with the answer that ENet has to receive (enet_adapter.h). A session
/// without a peer, because ENet has no memory, ends. False then.
bool enet_peers_connect(struct enet_peers *peers, struct session_id session, uint32_t rtt_ms,
                        uint8_t answer[ENET_ADAPTER_ANSWER_BYTES]);
/// Finds the peer of a session, and how far it is: ENET_ADAPTER_FREE if ENet has none, or no longer.
enum enet_adapter_state enet_peers_find(const struct enet_peers *peers, struct session_id session, uint32_t *number);
/// Notes that something came from a peer just now.
void enet_peers_hear(struct enet_peers *peers, uint32_t number);
/// Looks after all peers. True with NET_DISCONNECTED if the caller has lost one; call it again then.
bool enet_peers_check(struct enet_peers *peers, struct net_event *event);

#endif
