// SPDX-License-Identifier: MIT
//
// One connection, from the first datagram to the last: what the client on it may say, and what follows from it.
// Everything that comes in is hostile until it has been checked; what an honest client never sends is counted, and too
// much of it ends the connection.
#ifndef MATCH_PEER_H
#define MATCH_PEER_H

#include <stddef.h>

#include "chat.h"
#include "input_queue.h"
#include "net/transport.h"

struct match;

/// How long a client may take, us: to say who it is, to load the map, and between two acknowledgements.
#define PEER_JOIN_US_MAX   5000000u
#define PEER_LOAD_US_MAX   30000000u
#define PEER_SILENT_US_MAX 10000000u
/// Malformed or misplaced messages that end a connection.
#define PEER_MALFORMED_MAX 16

enum peer_state {
    PEER_FREE,      ///< nobody
    PEER_CONNECTED, ///< has not said who it is
    PEER_LOADING,   ///< has a seat; welcome and map are on their way
    PEER_PLAYING,   ///< gets snapshots
    PEER_LEAVING,   ///< was told to go; only waits for the end of the connection
};

struct peer {
    enum peer_state state;
    struct net_client guest; ///< who it is
    uint64_t heard_us;       ///< when it entered its state or last acknowledged a snapshot
    uint32_t slot;           ///< its seat, while loading or playing
    uint32_t malformed;      ///< messages
    tick welcome_tick;       ///< of its last welcome
    uint32_t map_sent_bytes; ///< of the blob; all of it when the client has the map
    tick acknowledged;       ///< newest snapshot that it holds; 0: none
    tick acknowledge_after;  ///< what it acknowledges up to this tick is too old: it has asked for a full one since
    tick newest_input;       ///< newest_tick of its messages
    tick full_tick;          ///< when it was sent a full snapshot; 0: never
    bool due;                ///< while snapshots are sent: not yet sent to
    tick baseline_tick;      ///< the same: of the baseline to use
    struct chat_sender speaker;
    struct input_queue inputs;
};

/// A connection begins.
void peer_connected(struct match *match, uint32_t peer, const struct net_client *guest, uint64_t now_us);
/// A connection has ended.
void peer_disconnected(struct match *match, uint32_t peer);
/// Another match has begun: a client with a seat is welcomed again, and loads its map.
void peer_welcome_again(struct match *match, uint32_t peer, uint64_t now_us);
/// A message has arrived.
void peer_message(struct match *match, uint32_t peer, const uint8_t *bytes, size_t byte_count, uint64_t now_us);
/// Drops whoever keeps silent for too long.
void peer_expire(struct match *match, uint32_t peer, uint64_t now_us);

#endif
