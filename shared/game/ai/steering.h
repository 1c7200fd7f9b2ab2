// SPDX-License-Identifier: MIT
//
// Brings a bot to its goal: simulates motions, those of the navigation graph's path first, and takes the first tick of
// the one that costs least. Death, danger and standing still have a cost too.
#ifndef AI_STEERING
#define AI_STEERING

#include "agent.h"

/// Returns the buttons that bring the bot nearer to its goal.
uint32_t steering_buttons(const struct agent *agent, struct goal goal);

#endif
