// SPDX-License-Identifier: MIT
//
// What the present phase of a round means for its players: whether they can move, whether what they do counts, whether
// the dead come back; and the pause. match_flow.c alone changes the phase. While a match is paused its tick goes on,
// since everything that is sent, predicted and recorded is numbered by it; all other ticks in the world move along with
// it, so nothing has become older when the match resumes. Commands still work, and held buttons are noted, so nobody
// jumps because they pressed a key during the pause.
#ifndef GAME_ROUND
#define GAME_ROUND

#include "game/state.h"

/// Returns true if shots, hits and catches are counted now. Those of the warm-up are reset when the match begins.
static inline bool round_keeps_count(const struct world *world)
{
    return world->round.phase < ROUND_OVER;
}

/// Returns true if kills and deaths count now.
static inline bool round_counts(const struct world *world)
{
    return world->round.phase == ROUND_PLAYING;
}

/// Returns true if players cannot move now.
static inline bool round_is_frozen(const struct world *world)
{
    return world->round.phase == ROUND_COUNTDOWN;
}

/// Returns the ticks until players can move; 0 if they can.
uint32_t round_countdown_ticks(const struct world *world);

/// Returns true if the dead come back now.
bool round_spawns(const struct world *world);

/// Returns true while the scoreboard at the end of a match is shown, and writes since when. It is the time to change
/// the map.
bool round_match_is_over(const struct world *world, tick *since_tick);

/// Begins a pause or ends it (`paused`: enum pause). Returns false, and changes nothing, for another value, if the
/// match is paused already, or if there is no pause to end.
bool round_set_paused(struct world *world, uint32_t paused);

/// Phase: replaces all others in a tick of a pause, after the tick has been counted.
void round_pause_step(struct world *world);

/// Returns "warm-up", "countdown", "playing", "over" or "match over".
const char *round_phase_name(enum round_phase phase);

/// Returns the same for a world's phase, or "paused" if an operator has paused it.
const char *round_state_name(const struct world *world);

#endif
