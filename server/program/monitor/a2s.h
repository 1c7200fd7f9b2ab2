// SPDX-License-Identifier: MIT
//
// Writes the answers to A2S queries, which show the server to server browsers, panels and the LAN list. They are
// written once a second from the match; net/query.h answers the queries with them. Also asks such a query itself:
// deadfall-server --healthcheck, by which containers look after their server, so that their image needs no other
// program. main.c calls that instead of running a match.
#ifndef MONITOR_A2S_H
#define MONITOR_A2S_H

#include "lifecycle/settings.h"
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

/// How long the health check waits for an answer, ns; it repeats its query within that time.
#define A2S_HEALTHCHECK_NS UINT64_C(2000000000)

/// Queries the address and port of the settings. EXIT_OK with a line on stdout, or EXIT_FAILED with one on stderr.
int a2s_healthcheck(const struct settings *settings);

#endif
