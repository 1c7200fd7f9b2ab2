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

/// Moves an actor that is on a belt of this speed. Who jumps off it keeps its speed, like that of any solid that
/// carries them: on a belt that moves both. `was_carried`: the solid with the belt, or another of its group, carried
/// the actor a short time ago. A slow solid moves by a whole pixel only now and then; between two of them its last lift
/// counts.
void conveyor_carry(struct df_space *space, int32_t actor, int32_t belt_sub, bool was_carried);

#endif
