// SPDX-License-Identifier: MIT
//
// Explosions. What explodes in a tick is gathered and goes off at once when everybody has moved: first blocks break,
// then all whom the explosion reaches through the air die or are shoved. Walls and solids give cover; blocks do not.
#ifndef GAME_EXPLOSION
#define GAME_EXPLOSION

#include "game/step.h"

/// Does what all explosions of the tick do: near ones kill and break chests, farther ones shove players and balls;
/// other bombs in reach follow a moment later.
void explosions_step(struct step *step);

#endif
