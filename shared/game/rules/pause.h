// SPDX-License-Identifier: MIT
//
// A match that stands still. Its tick goes on, since all that is sent, predicted and recorded is numbered by it; so
// every other tick that the world keeps goes along, and nothing has become older when the match goes on. Commands are
// obeyed meanwhile, and what players hold is noted, so that nobody jumps because he pressed a key in the pause.
#ifndef GAME_PAUSE
#define GAME_PAUSE

#include "game/state.h"

/// Instead of all phases of a tick that has been counted.
void pause_step(struct world *world);

/// Begins (1) or ends (0) a pause. False if that is how it is, or no such thing.
bool pause_set(struct world *world, uint32_t paused);

#endif
