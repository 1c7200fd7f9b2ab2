// SPDX-License-Identifier: MIT
//
// Matches of ffa between bots of two skills, half of each, with their seeds: who wins, how often they ride, whether one
// stands stuck. Used by the bench and by the short tournament among the tests. Deterministic.
#ifndef TOURNAMENT_H
#define TOURNAMENT_H

#include "game/ai/ai.h"
#include "game/ai/nav_graph.h"

#define TOURNAMENT_CAUSES 8 ///< room for enum death_cause

/// What is played, and what came of it so far.
struct tournament {
    const struct map *map;
    const struct nav_graph *graph;
    uint32_t bots;        ///< even slots have the first skill, odd ones the second
    enum skill skills[2]; ///< who play
    uint32_t ticks;       ///< of a match, after its countdown
    uint32_t wins[2];     ///< matches won by points
    uint32_t kills[2];
    uint32_t deaths[2][TOURNAMENT_CAUSES];
    uint32_t rides;           ///< times that a player got onto a moving solid
    uint32_t stand_ticks_max; ///< longest time that one alive stayed within a few px, rides apart
    uint32_t stands;          ///< stands longer than ten seconds
    struct spot_seen {
        int32_t x, y;
        enum skill skill;
        uint32_t seed;
        tick tick;
    } stand_at; ///< of the longest
};

/// Plays one match and adds what came of it.
void tournament_play(struct tournament *tournament, uint32_t seed);

#endif
