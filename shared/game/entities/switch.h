// SPDX-License-Identifier: MIT
//
// Switches: plates that players stand on and levers that arrows turn over. A channel is on while any of its switches is
// on; doors and lifts follow channels (mover.h). The state of a switch is in world.switches at its index in the map.
#ifndef GAME_SWITCH
#define GAME_SWITCH

#include "game/step.h"

/// Phase: turns plates and levers on and off by what touches them, and off when their hold time is over.
void switch_step(struct step *step);

/// Turns all switches off.
void switch_reset(struct world *world);

/// Returns the channels that are on: bit c - 1 for channel c.
uint32_t switch_channels(const struct world *world, const struct map *map);

#endif
