// SPDX-License-Identifier: MIT
//
// What clients learn of players beside the world: their hats, which change nothing in the game, so that recording and
// journal get them, too; and the tags (net/crypto/player_tag.h) by which a client recognises somebody it has muted,
// other ones for each client. Bots have no tag, and neither does anybody without an account.
#ifndef MATCH_PLAYER_MARKS_H
#define MATCH_PLAYER_MARKS_H

#include "match_state.h"

/// Sends all clients what has changed since the last call. Call once a tick.
void player_marks_broadcast(struct match *match);

/// Sends a client that was just welcomed the hats that the others already have.
void player_marks_send_hats(struct match *match, uint32_t peer);

/// Sends a client that has just joined the tags of those who are here already.
void player_marks_send_tags(struct match *match, uint32_t peer);

#endif
