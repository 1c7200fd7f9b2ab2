// SPDX-License-Identifier: MIT
//
// Moves a player by his speed, forgives corners on the way, and settles what he stands on afterwards.
// The only place of the game that moves players.
#ifndef GAME_MOVE_COLLIDE
#define GAME_MOVE_COLLIDE

#include "player_move.h"

/// Moves him along x, then y.
void move_collide_step(struct player_move *move);

/// Whether he stands now, and what follows from it: coyote time, dash refill, the lift he keeps.
void move_collide_settle(struct player_move *move);

#endif
