// SPDX-License-Identifier: MIT
//
// Where and when the dead come back: at the free spawn farthest from the living, never beneath a crusher that is
// about to come down, a few of them per tick at most.
#ifndef GAME_SPAWN
#define GAME_SPAWN

#include "game/step.h"

/// Phase: brings back whose time has come.
void spawns_step(struct step *step);

#endif
