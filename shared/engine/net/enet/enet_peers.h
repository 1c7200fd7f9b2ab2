// SPDX-License-Identifier: MIT
//
// The peers of ENet with their sessions: which peer belongs to which session, when it is lost, and how long its round
// trips take. ENet forgets peers by itself; a session ends with its peer. Only enet_transport.c uses this.
//
// By itself, ENet gives a peer up when an answer is overdue: after two seconds on a fast line, which an outage of three
// seconds exceeds; any acknowledgement makes it wait again. So its timeout is out of reach, and the limits here decide.
// It counts in milliseconds, and stamps each datagram that wants an acknowledgement with the one in which it was sent.
// Here each of these has the time at which its datagram really left, and a round trip ends when the kernel gets the
// acknowledgement, so it does not depend on how often a program looks.
#ifndef NET_ENET_PEERS_H
#define NET_ENET_PEERS_H

#include "enet_adapter.h"
#include "net/secure_socket.h"

/// A peer from which nothing at all has come for so long is gone, ms.
#define ENET_PEERS_SILENCE_MS 3500u
/// So is one that has not acknowledged a command for so long, ms.
#define ENET_PEERS_AGE_MS 7000u
/// Datagrams of which the times are kept: two seconds of a busy connection.
#define ENET_PEERS_TRIPS 32u

/// What is known of a peer beside ENet's own state. Times are milliseconds that wrap.
struct enet_peer {
    struct session_id session; ///< generation 0: none
    uint32_t heard_ms;         ///< when something last came from the peer
    struct enet_adapter_oldest oldest;
    uint32_t oldest_ms[ENET_ADAPTER_CHANNELS]; ///< since when it has been the oldest
};

/// The round trips to a server. Zero-initialise.
struct enet_trips {
    uint64_t count;     ///< measured so far
    uint32_t newest_us; ///< the newest of them
    uint32_t next;      ///< place of the next in `sent`
    struct enet_trip {
        uint16_t ms;    ///< of ENet's clock, modulo 2^16
        uint64_t at_ns; ///< 0: none
    } sent[ENET_PEERS_TRIPS];
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
/// Returns whether a peer is gone. To be asked all the time, with the oldest commands as they are now.
bool enet_peers_is_gone(struct enet_peer *peer, const struct enet_adapter_oldest *oldest, uint32_t now_ms);
/// Looks after all peers. True with NET_DISCONNECTED if the caller has lost one; call it again then.
bool enet_peers_check(struct enet_peers *peers, struct net_event *event);

/// Notes that a datagram with this time stamp leaves. If several have the same, the first counts.
void enet_peers_sent(struct enet_trips *trips, uint16_t ms, uint64_t now_ns);
/// Takes an acknowledgement of a datagram with this time stamp; the first one counts.
void enet_peers_acknowledged(struct enet_trips *trips, uint16_t ms, uint64_t arrived_ns);

#endif
