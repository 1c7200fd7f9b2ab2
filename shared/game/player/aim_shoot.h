// SPDX-License-Identifier: MIT
//
// Aiming in eight directions and shooting. Called by player.c; the arrow's own life stands in arrow.c.
#ifndef GAME_AIM_SHOOT
#define GAME_AIM_SHOOT

#include "player_move.h"

/// Aims where he holds, else where he looks.
void aim_shoot_aim(struct player_move *move);

/// Shoots if shoot was pressed, an arrow is left and the bow is ready.
void aim_shoot_fire(struct player_move *move);

#endif
