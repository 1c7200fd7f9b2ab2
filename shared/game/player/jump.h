// SPDX-License-Identifier: MIT
//
// Jumps from the ground, from walls and ledges, with wings from the air, and down through one-way platforms, with the
// grace that players expect: coyote time, buffered presses and variable height. Called by player_step.c; changes speeds
// and timers only.
#ifndef GAME_JUMP
#define GAME_JUMP

#include "player_move.h"

/// Remembers a press of jump for TUNING.jump_buffer_ticks.
void jump_buffer(struct player_move *move);

/// Keeps up the speed of the present jump while jump is held.
void jump_hold(struct player_move *move);

/// Jumps if a press is remembered and there is something to jump from. Returns true if the player jumped or dropped.
bool jump_try(struct player_move *move);

#endif
