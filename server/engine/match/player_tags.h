// SPDX-License-Identifier: MIT
//
// Sends each client the tags (net/crypto/player_tag.h) of the players of the match, by which it recognises somebody it
// has muted. Bots have none, and neither does anybody without an account.
#ifndef MATCH_PLAYER_TAGS_H
#define MATCH_PLAYER_TAGS_H

#include "match_state.h"

/// Sends the tags of seats that others have taken since the last call to all clients. Call once a tick.
void player_tags_broadcast(struct match *match);

/// Sends to a client that has just joined what the others already have.
void player_tags_send_all(struct match *match, uint32_t peer);

#endif
