// SPDX-License-Identifier: MIT
//
// How a bot gets where it wants to be: the plan among those it can see and those of the map that costs least.
#ifndef AI_STEERING
#define AI_STEERING

#include "mind.h"

/// The buttons that lead there.
uint32_t steering_buttons(const struct mind *mind, struct goal goal);

#endif
