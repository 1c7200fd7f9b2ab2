// SPDX-License-Identifier: MIT
//
// What is said in a match: lines of players to all or to their team, commands to the server (lines that begin with '/',
// handed on to whoever runs the match), and what the server says. Text of players is cleaned, and each is heard only
// so often.
#ifndef MATCH_CHAT_H
#define MATCH_CHAT_H

#include <stdint.h>

#include "net/rate_limit.h"
#include "wire/message.h"

struct match;

/// How often a player is heard: this many lines at once, then one a second.
#define CHAT_BURST 5

/// Takes commands; null: there are none. Called from match_receive().
struct command_listener {
    void (*command)(void *context, uint32_t peer, const char *line); ///< clean text, without its '/', never empty
    void *context;
};

/// What is remembered of a speaker. Zero-initialise.
struct chat_sender {
    struct rate_limit bucket;
    bool told; ///< that he is too fast; again only after he was heard
};

/// A client with a seat says something.
void chat_handle(struct match *match, uint32_t peer, const struct chat_send_message *say, uint64_t now_us);

/// The server says a line to one client, or to all with a seat. What is longer than CHAT_LINE_BYTES_MAX is cut.
void chat_send_system(struct match *match, uint32_t peer, const char *text);
void chat_broadcast_system(struct match *match, const char *text);

#endif
