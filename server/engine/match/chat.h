// SPDX-License-Identifier: MIT
//
// The chat of a match: lines of players to everyone or to their team, commands to the server (lines that begin with
// '/', passed to the command listener), and system messages. Text of players is cleaned and limited in rate.
#ifndef MATCH_CHAT_H
#define MATCH_CHAT_H

#include "match_state.h"

/// Lines that a player can send at once; after these, one a second.
#define CHAT_BURST 5

/// Handles a line from a client with a seat.
void chat_handle(struct match *match, uint32_t peer, const struct chat_send_message *sent, uint64_t now_us);

/// Sends a line of a player to one other player only, and a copy to its author. Returns false if nobody with a client
/// has the slot. Not in the log, which names only the two players.
bool chat_whisper(struct match *match, uint32_t peer, uint32_t slot, const char *text);

/// Sends a system message to one client with a seat. Text beyond CHAT_LINE_BYTES_MAX is cut.
void chat_send_system(struct match *match, uint32_t peer, const char *text);

/// Sends a system message to all clients with a seat. Text beyond CHAT_LINE_BYTES_MAX is cut.
void chat_broadcast_system(struct match *match, const char *text);

#endif
