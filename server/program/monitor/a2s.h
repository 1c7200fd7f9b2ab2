// SPDX-License-Identifier: MIT
//
// Writes the answers to A2S queries, which show the server to server browsers, panels and the LAN list. They are
// written once a second from the match; net/query.h answers the queries with them.
#ifndef MONITOR_A2S_H
#define MONITOR_A2S_H

#include "match/match.h"

/// What the match does not know about its server.
struct a2s_server {
    const char *name; ///< shown in lists
    uint16_t port;    ///< UDP
    bool has_password;
    const char *fingerprint; ///< of the server's key, so that clients recognise it; null: left out
};

/// When each player joined, to show how long they have played. Zero-initialise.
struct a2s {
    uint32_t generations[PLAYER_CAPACITY]; ///< of the players at the last call
    tick since[PLAYER_CAPACITY];           ///< when they were first seen
};

/// Writes all answers. Call about once a second.
void a2s_write(struct a2s *a2s, const struct a2s_server *server, const struct match *match,
               struct net_replies *replies);

#endif
