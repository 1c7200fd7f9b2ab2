// SPDX-License-Identifier: MIT
//
// Where and when dead players come back: at the free spawn farthest from their living enemies, never beneath a crusher
// that is about to come down, and at most TUNING.spawns_per_tick of them in a tick.
#ifndef GAME_SPAWN
#define GAME_SPAWN

#include "game/step.h"

/// Phase: brings back the players who are due to respawn.
void spawn_step(struct step *step);

#endif
