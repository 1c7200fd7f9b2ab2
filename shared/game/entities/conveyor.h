// SPDX-License-Identifier: MIT
//
// Belts: the surface of a conveyor, or of a mover, door or lift with a belt, carries sideways who stands on it and the
// arrows that stick in its top. Exact: the belt's fraction of a px is kept in the actor's own remainder.
#ifndef GAME_CONVEYOR
#define GAME_CONVEYOR

#include "game/step.h"

/// Phase: after the solids have moved, each actor on a belt goes with it, until a wall stops it. Of several belts
/// under one actor the first of the map carries it.
void conveyors_step(struct step *step);

#endif
