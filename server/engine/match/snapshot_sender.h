// SPDX-License-Identifier: MIT
//
// Sends what clients receive after each tick: parts of the map while they load it, snapshots while they play.
#ifndef MATCH_SNAPSHOT_SENDER_H
#define MATCH_SNAPSHOT_SENDER_H

#include "match_state.h"

/// Sends the next few parts of the map to each client that lacks some.
void snapshot_sender_send_map_parts(struct match *match);

/// Sends the tick's snapshot to each playing client: the inputs of as many ticks as the client asks for, or since the
/// newest world that it holds, encoded once for all clients with the same baseline; or a full one, reliably, to clients
/// that hold no world.
void snapshot_sender_send(struct match *match);

#endif
