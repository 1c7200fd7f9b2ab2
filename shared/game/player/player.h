// SPDX-License-Identifier: MIT
//
// What every player has: a life, which begins at a spawn and ends laid down, and a record, which outlives it. One
// player is one slot of the world and the actor of the same index. What they do in a tick stands in player_step.h, how
// they die in damage.h.
#ifndef GAME_PLAYER
#define GAME_PLAYER

#include "game/step.h"

/// The record of a player as he stands.
struct player_record player_record(const struct player *player);
/// True if they play: alive, or waiting to be.
bool player_plays(const struct player *player);

/// Whether a record is one that a player can have.
bool player_record_is_sound(const struct player_record *record);

/// Makes them alive with a full quiver and a shield, the middle of their feet at x, y px.
void player_spawn(struct step *step, uint32_t slot, int32_t x, int32_t y, tick shield_until);

/// Lays the body down: they wait for their spawn until then.
void player_lay_down(struct step *step, uint32_t slot, tick respawn_tick);

/// Takes his body away between two ticks: he waits for his spawn (PLAYER_DEAD), or watches (PLAYER_SPECTATOR).
void player_withdraw(struct world *world, uint32_t slot, enum player_state state);

/// All scores and counts at zero: a match begins.
void player_forget(struct world *world, uint32_t slot);

/// Remembers that `by` hit or shoved `slot` now, for the credit of what happens to him next.
void player_shove(struct world *world, uint32_t slot, uint32_t by);

#endif
