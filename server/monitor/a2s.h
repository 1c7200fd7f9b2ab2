// SPDX-License-Identifier: MIT
//
// The answers to A2S queries, by which server browsers, panels and the LAN list see the server. They are written once a
// second from the match; net/query.h handles the queries themselves.
#ifndef MONITOR_A2S_H
#define MONITOR_A2S_H

#include "match/match.h"

/// What the match does not know of its server.
struct a2s_server {
    const char *name; ///< shown in lists
    uint16_t port;    ///< UDP
    bool has_password;
    const char *fingerprint; ///< of its key, by which clients recognise it; null: left out
};

/// When each player joined, for the seconds that they have played. Zero-initialise.
struct a2s {
    uint32_t generations[PLAYER_CAPACITY]; ///< of the players seen last
    tick since[PLAYER_CAPACITY];
};

/// Writes all answers. Call about once a second.
void a2s_write(struct a2s *a2s, const struct a2s_server *server, const struct match *match,
               struct net_replies *replies);

#endif
