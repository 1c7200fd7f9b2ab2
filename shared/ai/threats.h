// SPDX-License-Identifier: MIT
//
// What a bot sees coming: solids, arrows, bombs and crushers near it, and the dash that catches an arrow.
#ifndef AI_THREATS
#define AI_THREATS

#include "mind.h"

/// Fills a flight's space with what is near now.
void threats_see(const struct mind *mind, struct trajectory_space *space);

/// True if an arrow, a falling crusher or the like would hit it soon.
bool threats_are_near(const struct mind *mind, const struct trajectory_space *space);

/// The dash that catches an arrow about to hit, or 0.
uint32_t threats_dodge(const struct mind *mind);

#endif
