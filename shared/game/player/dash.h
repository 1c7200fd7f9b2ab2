// SPDX-License-Identifier: MIT
//
// The dash: ten ticks straight in one of eight directions without gravity, once in the air, with a cooldown. Called by
// player_step.c; changes speeds and timers only. contact.c decides what a dash does to others.
#ifndef GAME_DASH
#define GAME_DASH

#include "player_move.h"

/// Begins a dash if dash was pressed and is allowed.
void dash_try(struct player_move *move);

/// Ends a dash that is over and reduces its speed.
void dash_end(struct player_move *move);

#endif
