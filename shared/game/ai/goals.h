// SPDX-License-Identifier: MIT
//
// Decides where a bot goes: to an enemy, an arrow, a chest, a ball, a switch that opens a door, or away. It depends on
// the mode, the arrows that the bot has, and now and then on chance.
#ifndef AI_GOALS
#define AI_GOALS

#include "agent.h"

/// Returns where the bot goes.
struct goal goals_choose(const struct agent *agent);

/// Returns the buttons of a dash or shot that drives a ball toward the other team's wall, or 0.
uint32_t goals_hit_ball(const struct agent *agent);

#endif
