// SPDX-License-Identifier: MIT
//
// Explosions. All explosions of a tick go off together after everybody has moved: first blocks break, then everything
// that an explosion reaches through the air dies or is shoved. Walls and solids give cover; blocks do not.
#ifndef GAME_EXPLOSION
#define GAME_EXPLOSION

#include "game/step.h"

/// Applies the explosions of the tick: near ones kill players and break chests, farther ones shove players and balls,
/// and other bombs in reach explode TUNING.bomb_chain_ticks later.
void explosion_step(struct step *step);

#endif
