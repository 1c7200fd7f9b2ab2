// SPDX-License-Identifier: MIT
//
// Where everything of this game stands (core/pose.h).
#ifndef VIEW_POSES_H
#define VIEW_POSES_H

#include "core/view.h"

/// poses_ridden_solid() of an actor that rides nothing.
#define POSES_NO_SOLID SOLID_CAPACITY

/// Returns the first solid that a live actor rides by the rule of the physics, also across the seam of a map that
/// wraps; POSES_NO_SOLID if there is none.
uint32_t poses_ridden_solid(const struct map *map, const struct world *world, uint32_t actor);

#endif
