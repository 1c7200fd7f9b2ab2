// SPDX-License-Identifier: MIT
//
// What the present phase of the round means for those who play: whether they move, whether what they do counts, whether
// the dead come back. Read by whatever asks; match_flow.h alone changes the phase.
#ifndef GAME_ROUND
#define GAME_ROUND

#include "game/state.h"

/// True if shots, hits and catches are counted now; those of the warm-up are forgotten when the match begins.
static inline bool round_keeps_count(const struct world *world)
{
    return world->round.phase < ROUND_OVER;
}

/// True if kills and deaths count now.
static inline bool round_counts(const struct world *world)
{
    return world->round.phase == ROUND_PLAYING;
}

/// True if players stand still now.
static inline bool round_is_frozen(const struct world *world)
{
    return world->round.phase == ROUND_COUNTDOWN;
}

/// Ticks until they may move; 0 if they may.
uint32_t round_countdown_ticks(const struct world *world);

/// True if the dead come back now.
bool round_spawns(const struct world *world);

/// True while the scoreboard is shown; then since when. The time for another map.
bool round_match_is_over(const struct world *world, tick *since_tick);

/// "warm-up", "countdown", "playing", "over", "match over".
const char *round_phase_name(enum round_phase phase);

/// The same of a world's phase, or "paused".
const char *round_state_name(const struct world *world);

#endif
