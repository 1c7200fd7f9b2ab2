// SPDX-License-Identifier: MIT
//
// What threatens a bot: solids, arrows, balls, bombs, crushers and falling players near it. Skill decides what it sees.
#ifndef AI_THREATS
#define AI_THREATS

#include "agent.h"

/// Fills the space of a simulation with what is near the bot now.
void threats_see(const struct agent *agent, struct motion_space *space);

/// Returns true if the bot would be hit soon where it stands.
bool threats_are_near(const struct agent *agent, struct motion_space *space);

/// Returns the buttons of a dash that catches an arrow which is about to hit, or 0.
uint32_t threats_dodge(const struct agent *agent);

#endif
