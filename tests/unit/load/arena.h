// SPDX-License-Identifier: MIT
//
// A match for load-test clients in virtual time, over the network with a seed in this process. It serves the tests of
// the swarm and of the load test.
#ifndef UNIT_BOTS_ARENA_H
#define UNIT_BOTS_ARENA_H

#include "load/swarm.h"
#include "match/match.h"
#include "memory_network.h"

/// Pulses of the swarm per second, four per tick.
#define ARENA_PULSES 240
/// The time at the beginning, us.
#define ARENA_START_US 5000000

struct arena {
    struct memory_network *network;
    struct match *match;
    uint64_t now_us, ticks;
    bool refuses;                     ///< no connection can be opened
    bool falsifies;                   ///< the server's world changes in a way that no rule allows
    uint32_t opened;                  ///< connections
    struct transport *transports[16]; ///< the newest of each client
    uint32_t commands;                ///< lines with '/' that clients have sent
    char command[100];                ///< the newest of them
};

/// Starts a match in an empty hall. Fails the test if it cannot.
void arena_begin(struct arena *arena, uint32_t players_max, const struct impairment *impairment);
void arena_end(struct arena *arena);
/// A load_client_connect; the context is the arena.
struct transport *arena_connect(void *context, uint32_t bot);
/// Advances the time of the network and of the match.
void arena_advance(struct arena *arena, uint64_t now_us);
/// Cuts the connection to the client of a slot without a reason; both ends notice at once.
void arena_cut(struct arena *arena, uint32_t slot);
/// Refuses new clients from now on, without a reason; or admits them again.
void arena_shut(struct arena *arena, bool shut);

#endif
