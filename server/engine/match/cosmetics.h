// SPDX-License-Identifier: MIT
//
// Sends the hats of all players to clients, recording and journal. They are kept in the roster, not in the world,
// because they change nothing in the game.
#ifndef MATCH_COSMETICS_H
#define MATCH_COSMETICS_H

#include "match_state.h"

/// Sends what has changed since the last call to all clients, the recording and the journal. Call once a tick.
void cosmetics_broadcast(struct match *match);

/// Sends to a client that was just welcomed what the others already have.
void cosmetics_send_all(struct match *match, uint32_t peer);

#endif
