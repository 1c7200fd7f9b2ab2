// SPDX-License-Identifier: MIT
//
// Jumps from the ground, from walls and ledges, with wings from the air, and down through one-ways, with the grace a
// player expects: coyote time, buffered presses and variable height. Called by player.c; changes speeds and timers
// only.
#ifndef GAME_JUMP
#define GAME_JUMP

#include "player_move.h"

/// Remembers a press for a few ticks.
void jump_buffer(struct player_move *move);

/// Keeps the speed of the present jump up while jump is held.
void jump_hold(struct player_move *move);

/// Jumps, if a press is remembered and there is something to jump from. True if he did.
bool jump_try(struct player_move *move);

#endif
