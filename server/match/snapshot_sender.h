// SPDX-License-Identifier: MIT
//
// What the clients are fed with after each tick: parts of the map to those who load it, snapshots to those who play.
#ifndef MATCH_SNAPSHOT_SENDER_H
#define MATCH_SNAPSHOT_SENDER_H

struct match;

/// Sends the next few parts of the map to each client that lacks them.
void snapshot_sender_send_map_parts(struct match *match);

/// Sends the tick's snapshot to each client that plays: what came in since the newest world it holds, encoded once
/// for all who hold the same; a full one, reliably, to those who hold none.
void snapshot_sender_send(struct match *match);

#endif
