// SPDX-License-Identifier: MIT
//
// The line of a match: warm-up until enough are there, countdown, play, the end of a round, again, and the end of the
// match with its scoreboard; then the next match by itself. What the modes differ in stands in mode.h.
#ifndef GAME_ROUND_H
#define GAME_ROUND_H

#include "step.h"

/// Phase: moves the match on when its time or the mode says so.
void round_step(struct step *step);

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

#endif
