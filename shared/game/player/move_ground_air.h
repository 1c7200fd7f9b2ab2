// SPDX-License-Identifier: MIT
//
// Running, falling and sliding on walls: what the held direction and gravity do to a player's speed.
// Called by player.c when he does not dash; moves nobody.
#ifndef GAME_MOVE_GROUND_AIR
#define GAME_MOVE_GROUND_AIR

#include "player_move.h"

/// Speeds up, slows down or turns on x.
void move_ground_air_run(struct player_move *move);

/// Gravity, the caps of the fall, and the slide on a wall on y.
void move_ground_air_fall(struct player_move *move);

#endif
