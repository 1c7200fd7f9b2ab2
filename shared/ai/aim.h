// SPDX-License-Identifier: MIT
//
// Whether a bot shoots, and where to.
#ifndef AI_AIM
#define AI_AIM

#include "mind.h"

/// The buttons of a shot that hits, else 0.
uint32_t aim_shot(const struct mind *mind);

/// Whether an arrow flies freely from it to a point, in one of eight directions.
bool aim_is_clear(const struct mind *mind, struct spot to);

#endif
