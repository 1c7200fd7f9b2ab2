// SPDX-License-Identifier: MIT
//
// Handles the messages of a client: it joins, reports that it has the map, sends inputs and chat. Every message is
// hostile until it has been checked. What an honest client never sends is counted, and too much of it ends the
// connection.
#ifndef MATCH_PEER_MESSAGES_H
#define MATCH_PEER_MESSAGES_H

#include "match_state.h"

/// Malformed or misplaced messages that end a connection.
#define PEER_MALFORMED_MAX 16

/// Handles a message that has arrived.
void peer_messages_handle(struct match *match, uint32_t peer, const uint8_t *bytes, size_t byte_count, uint64_t now_us);

/// Welcomes a client with a seat again, because another match has begun; it loads the new map. Others are left alone.
void peer_messages_welcome_again(struct match *match, uint32_t peer, uint64_t now_us);

/// Explains to a player with a seat why they have another name than they asked for, if that one is kept for somebody
/// else.
void peer_messages_explain_name(struct match *match, uint32_t peer);

#endif
