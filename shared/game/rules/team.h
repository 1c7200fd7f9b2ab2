// SPDX-License-Identifier: MIT
//
// Teams and spectators: who belongs to whom, who may choose, and how the sides are kept even. In a mode without teams
// everybody's team is 0. Called by commands, by the round and by whatever hurts.
#ifndef GAME_TEAM
#define GAME_TEAM

#include "game/state.h"

/// True if the world's mode has two teams.
bool team_mode(const struct world *world);

/// Players of a team, alive or waiting; team 0: all of them, whatever their team.
uint32_t team_size(const struct world *world, uint32_t team);

/// The team that a new player joins: the one with fewer players, the first of equals; 0 in a mode without teams.
uint32_t team_smaller(const struct world *world);

/// The command of `player.team_wish`. Changing sides costs him his body, but no point. False, and nothing changed, for
/// a wish that makes no sense in this mode.
bool team_choose(struct world *world, uint32_t slot, uint32_t wish);

/// Moves players who left the choice to the match, bots first and of those the last to come, until the teams differ by
/// one at most or nobody more can be moved.
void team_balance(struct world *world);

/// True if what `by` does cannot harm `whom`: team mates without friendly fire. Slots, or EVENT_NOBODY.
bool team_spares(const struct world *world, uint32_t by, uint32_t whom);

/// True if his team and wish can be in this mode and state.
bool team_is_sound(const struct world *world, const struct player *player);

#endif
