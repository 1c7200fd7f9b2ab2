// SPDX-License-Identifier: MIT
//
// The dash: ten ticks straight in one of eight directions without gravity, once in the air, with a cooldown.
// Called by player.c; changes speeds and timers only. What a dash does to others stands in contact.c.
#ifndef GAME_DASH
#define GAME_DASH

#include "player_move.h"

/// Begins a dash if it is asked for and allowed.
void dash_try(struct player_move *move);

/// Ends a dash whose time is over, and brings its speed down.
void dash_end(struct player_move *move);

#endif
