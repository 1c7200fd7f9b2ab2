// SPDX-License-Identifier: MIT
//
// Belts: the surface of a conveyor, or of a mover, door or lift with a belt, carries actors that stand on it and arrows
// that stick in its top sideways. The fraction of a px is kept in the actor's own remainder, so nothing is lost.
#ifndef GAME_CONVEYOR
#define GAME_CONVEYOR

#include "game/step.h"

/// Phase, after the solids have moved: moves each actor on a belt until a wall stops it. If several belts are under an
/// actor, the first of the map carries it.
void conveyor_step(struct step *step);

#endif
