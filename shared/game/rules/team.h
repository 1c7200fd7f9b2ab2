// SPDX-License-Identifier: MIT
//
// Teams: who plays together, who may change sides, and which players cannot harm each other.
#ifndef GAME_TEAM
#define GAME_TEAM

#include "game/state.h"

/// Returns true if the world's mode has two teams.
bool team_mode(const struct world *world);

/// Returns how many players of a team are alive or wait for their spawn. Team 0: the players of all teams.
uint32_t team_size(const struct world *world, uint32_t team);

/// Returns the team that a new player joins: the one with fewer players, team 1 of equals, 0 in a mode without teams.
uint32_t team_smaller(const struct world *world);

/// Applies the choice of a player: enum team_choice. A player who changes sides loses their body, but no points.
/// Returns false, and changes nothing, for a choice that this mode does not have.
bool team_choose(struct world *world, uint32_t slot, uint32_t choice);

/// Moves players who left the choice to the match, bots first and of those the last to join, until the sizes of the
/// teams differ by one at most or nobody else can be moved.
void team_balance(struct world *world);

/// Returns true if `by` cannot harm `victim`: they are team mates without friendly fire. Slots, or EVENT_NOBODY.
bool team_spares(const struct world *world, uint32_t by, uint32_t victim);

/// Returns true if a player's team and choice are possible in this mode and in their state.
bool team_is_valid(const struct world *world, const struct player *player);

#endif
