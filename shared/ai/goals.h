// SPDX-License-Identifier: MIT
//
// Where a bot wants to go, by mode, mood and ammunition.
#ifndef AI_GOALS
#define AI_GOALS

#include "mind.h"

/// Where it wants to go, by mode, mood and quiver.
struct goal goals_choose(const struct mind *mind);

/// A kick or shot at a ball toward the other's wall, or 0.
uint32_t goals_hit_ball(const struct mind *mind);

#endif
