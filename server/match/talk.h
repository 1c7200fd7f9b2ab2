// SPDX-License-Identifier: MIT
//
// What is said in a match: lines of players to all or to their team, commands to the server (lines that begin with '/',
// handed on to whoever runs the match), and what the server says. Text of players is cleaned, and each is heard only
// so often.
#ifndef MATCH_TALK_H
#define MATCH_TALK_H

#include <stdint.h>

#include "net/bucket.h"
#include "wire/message.h"

struct match;

/// How often a player is heard: this many lines at once, then one a second.
#define TALK_BURST 5

/// Takes commands; null: there are none. Called from match_receive().
struct talk_listener {
    void (*command)(void *context, uint32_t peer, const char *line); ///< clean text, without its '/', never empty
    void *context;
};

/// What is remembered of a speaker. Zero-initialise.
struct talk_speaker {
    struct bucket bucket;
    bool told; ///< that he is too fast; again only after he was heard
};

/// A client with a seat says something.
void talk_said(struct match *match, uint32_t peer, const struct say_message *say, uint64_t now_us);

/// The server says a line to one client, or to all with a seat. What is longer than TALK_BYTES_MAX is cut.
void talk_tell(struct match *match, uint32_t peer, const char *text);
void talk_announce(struct match *match, const char *text);

#endif
