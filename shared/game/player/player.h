// SPDX-License-Identifier: MIT
//
// What every player has: a life, which begins at a spawn and ends when they are laid down; the arrows that they carry;
// and a record, which outlives both. A player is one slot of the world and the actor of the same index. player_step.h
// holds what they do in a tick, damage.h how they die.
#ifndef GAME_PLAYER
#define GAME_PLAYER

#include "game/step.h"

/// Returns a player's record as it is now.
struct player_record player_record(const struct player *player);

/// Returns true if a player can have this record: team and score are within their limits.
bool player_record_is_valid(const struct player_record *record);

/// Returns true if they play: they are alive, or wait for their spawn.
bool player_plays(const struct player *player);

/// Makes a player alive with the arrows of a spawn and a shield, the middle of their feet at x, y px.
void player_spawn(struct step *step, uint32_t slot, int32_t x, int32_t y, tick shield_until);

/// Lays a player's body down: they wait for their spawn until `respawn_tick`.
void player_lay_down(struct step *step, uint32_t slot, tick respawn_tick);

/// Removes a player's body between two ticks: they wait for their spawn (PLAYER_DEAD) or watch (PLAYER_SPECTATOR).
void player_withdraw(struct world *world, uint32_t slot, enum player_state state);

/// Sets the score and all counters of a player to zero, as at the beginning of a match.
void player_reset_statistics(struct world *world, uint32_t slot);

/// Remembers that `by` hit or shoved `slot` in this tick, for the credit if something kills them soon.
void player_shove(struct world *world, uint32_t slot, uint32_t by);

/// Takes the arrow to shoot from a player who has one: bombs first, then drills, then normal arrows.
enum arrow_kind player_draw_arrow(struct player *player);

/// Gives a player `count` arrows of a kind, or of the one that all arrows are in this match (`tuning->arrow_kind`).
/// Arrows beyond `tuning->arrows_max` are lost, but special ones replace normal ones. There are never more special
/// arrows than arrows.
void player_add_arrows(struct player *player, const struct tuning *tuning, enum arrow_kind kind, uint32_t count);

/// Returns true if player_add_arrows() with one arrow of this kind would change anything.
bool player_has_room(const struct player *player, const struct tuning *tuning, enum arrow_kind kind);

#endif
