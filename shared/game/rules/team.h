// SPDX-License-Identifier: MIT
//
// Teams and standings: who plays together, who leads, and who of a round is left.
#ifndef GAME_TEAM
#define GAME_TEAM

#include "game/state.h"
#include "mode.h"

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

// --- standing.c
//
// How a match stands: who leads, who needs one point more, who of a round is left. Pure functions of the world, so the
// scoreboard, the music, the announcer and the bots' skill agree about it.

/// Returns the player or team that leads, all zero if several do, and writes their points; INT32_MIN if nobody plays.
struct outcome standing_leader(const struct world *world, int32_t *score);

/// Returns true if the leaders, one or several, need one more point to win by the score limit.
bool standing_is_match_point(const struct world *world);

/// Returns how many players live.
uint32_t standing_alive(const struct world *world);

#endif
