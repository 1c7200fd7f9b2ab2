// SPDX-License-Identifier: MIT
//
// The drill arrow's one trick: it comes out on the other side of a wall of tiles in the tick in which it reached it.
// Nothing is ever inside of a wall, so physics holds for it as for everything. Called by arrow.c.
#ifndef GAME_DRILL
#define GAME_DRILL

#include "game/step.h"

/// Lets a drill arrow that hit a tile on one axis (`dx` or `dy` is 0, the other -1 or +1) pass, once in its flight: to
/// the first free place along its way, if the wall is not thicker than TUNING.drill_px. False, and nothing changed, if
/// it cannot.
bool drill_pass(struct step *step, uint32_t arrow, int32_t dx, int32_t dy);

#endif
