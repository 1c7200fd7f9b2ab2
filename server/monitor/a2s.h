// SPDX-License-Identifier: MIT
//
// What the server says of itself to strangers: the answers to the A2S queries, written anew once a second from the
// match, so that server browsers, panels and the LAN list see it. The queries themselves are met in net/query.h.
#ifndef MONITOR_A2S_H
#define MONITOR_A2S_H

#include "match/match.h"

/// What the match does not know of its server.
struct a2s_server {
    const char *name; ///< shown in lists
    uint16_t port;    ///< UDP
    bool has_password;
    const char *fingerprint; ///< of its key, by which who is met twice is known; null: not told
};

/// Since when whom: players are told with the seconds they have played. Zero-initialise.
struct a2s {
    uint32_t generations[PLAYER_CAPACITY]; ///< of the players seen last
    tick since[PLAYER_CAPACITY];
};

/// Writes all answers. Call about once a second.
void a2s_write(struct a2s *a2s, const struct a2s_server *server, const struct match *match,
               struct net_replies *replies);

#endif
