// SPDX-License-Identifier: MIT
//
// One network connection of a match, from the first datagram to the last: it begins, ends, is dropped, and is sent
// messages. peer_messages.h handles what the client sends.
#ifndef MATCH_PEER_H
#define MATCH_PEER_H

#include "match_state.h"

/// Longest waits for a client, us: to send JOIN, to load the map, and between two acknowledgements.
#define PEER_JOIN_US_MAX   5000000u
#define PEER_LOAD_US_MAX   30000000u
#define PEER_SILENT_US_MAX 7000000u

/// Returns true if the client has a seat: it is loading or playing.
bool peer_has_seat(const struct peer *peer);

/// Returns the peer whose client has the seat of this slot; MATCH_PEER_CAPACITY: none.
uint32_t peer_at_slot(const struct match *match, uint32_t slot);

/// Counts the other households with seats of a household's site, among the peers before `end`; HOUSEHOLD_SITE_MAX at
/// most, 0 of IPv4.
uint32_t peer_count_neighbours(const struct match *match, uint32_t end, uint64_t household);

/// Moves a peer to another state and restarts its timeout.
void peer_enter(struct peer *peer, enum peer_state state, uint64_t now_us);

/// Begins a connection.
void peer_connected(struct match *match, uint32_t peer, const struct net_client *client, uint64_t now_us);

/// Ends a connection that the transport reports as closed; a seat becomes free.
void peer_disconnected(struct match *match, uint32_t peer);

/// Logs what happened to a client: adds `name` and `slot` if it has a seat, `key` and `address`, to at most
/// FIELD_CAPACITY - 4 values.
void peer_log(const struct match *match, uint32_t index, const struct fields *fields);
/// Sends a message reliably. Returns false, and counts it as unsent, if the transport does not take it.
bool peer_send(struct match *match, uint32_t peer, const struct message *message);

/// Ends a client's connection: sends the reason and frees the seat at once.
void peer_drop(struct match *match, uint32_t peer, enum deny_reason reason);

/// Drops a client that has been silent for too long.
void peer_expire(struct match *match, uint32_t peer, uint64_t now_us);

#endif
