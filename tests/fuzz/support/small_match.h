// SPDX-License-Identifier: MIT
//
// A match for fuzzers of its bytes: three bots in the hall that has every machine. It is small, since a fuzzer decodes
// and steps it thousands of times a second.
#ifndef FUZZ_SMALL_MATCH_H
#define FUZZ_SMALL_MATCH_H

#include <string.h>

#include "game/ai/ai.h"
#include "test_map.h"
#include "test_match.h"

/// Begins the match.
static inline void small_match_begin(struct test_match *match)
{
    memset(match, 0, sizeof *match);
    test_map_machines(&match->map);
    test_match_start(match);
    for (uint32_t slot = 0; slot < 3; slot++)
        world_command(&match->world, &match->map, &(struct command){.slot = slot, .bot = 1});
}

/// Plays one tick.
static inline void small_match_step(struct test_match *match)
{
    test_match_think(match, SKILL_NORMAL);
    test_match_step(match, 1);
}

/// Begins the match and plays five seconds of it. False if it has begun before.
static inline bool small_match_play_once(struct test_match *match)
{
    if (match->world.tick > 0)
        return false;
    small_match_begin(match);
    for (int i = 0; i < 5 * TICKS_PER_SECOND; i++)
        small_match_step(match);
    return true;
}

#endif
