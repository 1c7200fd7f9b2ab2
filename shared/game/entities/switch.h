// SPDX-License-Identifier: MIT
//
// Switches: plates that players stand on and levers that arrows turn over. A channel is on while any switch of it is;
// doors and lifts heed channels (lift.h). Their state stands in world.switches at the index of the map's switch.
#ifndef GAME_SWITCH
#define GAME_SWITCH

#include "game/step.h"

/// Phase: plates feel who stands on them, levers which arrows fly into them, and both when their time is over.
void switches_step(struct step *step);

/// All switches off, as at the beginning.
void switches_reset(struct world *world);

/// The channels that are on: bit c - 1 for channel c.
uint32_t switch_channels(const struct world *world, const struct map *map);

#endif
