// SPDX-License-Identifier: MIT
//
// Doors and lifts: solids whose clock a channel of switches drives; the clock says where on its path one is (mover.h),
// so all of a group go as one. A door is a lift along a line of two points: open at its end, shut at its beginning.
#ifndef GAME_LIFT
#define GAME_LIFT

#include "game/step.h"

/// Phase: the clocks of doors and lifts go on, back, or stand, by their channels; movers_step() then moves them.
void lifts_step(struct step *step);

/// The last tick that the clock of a door or lift shows.
uint32_t lift_clock_max(const struct map_solid *solid);

#endif
