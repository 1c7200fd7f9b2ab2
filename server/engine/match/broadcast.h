// SPDX-License-Identifier: MIT
//
// What a match sends its clients each tick. Those that load the map get parts of it, those that play a snapshot. Beside
// the world they learn the hats of players, which change nothing in the game, so that recording and journal get them,
// too; and the tags (net/crypto/identity.h) by which a client recognises somebody it has muted, other ones for each
// client. Bots have no tag, and neither does anybody without an account.
#ifndef MATCH_BROADCAST_H
#define MATCH_BROADCAST_H

#include "match_state.h"

/// Sends the next few parts of the map to each client that lacks some.
void broadcast_map_parts(struct match *match);

/// Sends the tick's snapshot to each playing client: the inputs of as many ticks as the client asks for, or since the
/// newest world that it holds, encoded once for all clients with the same baseline; or a full one, reliably, to clients
/// that hold no world.
void broadcast_snapshots(struct match *match);

/// Sends all clients what has changed since the last call. Call once a tick.
void broadcast_marks(struct match *match);

/// Sends a client that was just welcomed the hats that the others already have.
void broadcast_hats_to(struct match *match, uint32_t peer);

/// Sends a client that has just joined the tags of those who are here already.
void broadcast_tags_to(struct match *match, uint32_t peer);

#endif
