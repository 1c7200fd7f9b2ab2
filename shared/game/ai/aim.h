// SPDX-License-Identifier: MIT
//
// Decides whether a bot shoots, and in which of the eight directions. It allows for the fall of the arrow and, by
// skill, for the enemy's movement.
#ifndef AI_AIM
#define AI_AIM

#include "agent.h"

/// Returns the buttons of a shot that hits an enemy, or 0.
uint32_t aim_shot(const struct agent *agent);

/// Returns the buttons of a shot that turns a lever over, or 0. Waits until the bot's arrows in the air have landed.
uint32_t aim_lever(const struct agent *agent, struct df_box lever);

/// Returns true if no wall is between the bot and a point.
bool aim_is_clear(const struct agent *agent, struct vector to);

#endif
