// SPDX-License-Identifier: MIT
//
// A match for bots in virtual time, over the seeded network in this process, to test swarm and load test.
#ifndef UNIT_BOTS_ARENA_H
#define UNIT_BOTS_ARENA_H

#include "bots/swarm.h"
#include "match/match.h"
#include "memory_network.h"

/// Pulses of the bots in a second, four to a tick.
#define ARENA_PULSES 240
/// What the clock shows at the beginning, us.
#define ARENA_START_US 5000000

struct arena {
    struct memory_network *network;
    struct match *match;
    uint64_t now_us, ticks;
    bool refuses;                     ///< no connection can be opened
    bool falsifies;                   ///< the server's world changes by what no rule does
    uint32_t opened;                  ///< connections
    struct transport *transports[16]; ///< the newest of each bot
    uint32_t commands;                ///< lines with '/' that bots have said
    char command[100];                ///< the newest of them
};

/// Starts a match in an empty hall. Fails the test if it cannot.
void arena_begin(struct arena *arena, uint32_t players_max, const struct impairment *impairment);
void arena_end(struct arena *arena);
/// A bot_connect; the context is the arena.
struct transport *arena_connect(void *context, uint32_t bot);
/// Time passes, on the network and in the match.
void arena_advance(struct arena *arena, uint64_t now_us);
/// The server is cut off from the client of a slot, without a word; both notice at once.
void arena_cut(struct arena *arena, uint32_t slot);
/// Refuses new clients from now on, without a reason; or admits them again.
void arena_shut(struct arena *arena, bool shut);

#endif
