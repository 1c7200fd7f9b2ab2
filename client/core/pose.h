// SPDX-License-Identifier: MIT
//
// Where everything that has a place stands, in sub: actors (chests too), solids and balls in one row. A rider gets the
// fraction of the solid it rides, so that the two never part on screen. Pure; called by smoothing and view.
#ifndef CORE_POSE_H
#define CORE_POSE_H

#include "game/world.h"

/// Places of a world: actor i, solid POSE_SOLIDS + i, ball POSE_BALLS + i.
#define POSE_SOLIDS   ACTOR_CAPACITY
#define POSE_BALLS    (POSE_SOLIDS + SOLID_CAPACITY)
#define POSE_CAPACITY (POSE_BALLS + MAP_BALL_CAPACITY)

/// No step of the game is longer, sub: what went farther did not move but was put there. Two bodies.
#define POSE_TELEPORT_SUB (24 * 256)

/// pose_ridden_solid() of who rides nothing.
#define POSE_NO_SOLID SOLID_CAPACITY

/// One place.
struct pose {
    int32_t x, y;      ///< sub: top-left corner, of a ball the centre
    uint64_t identity; ///< differs between two lives of the same slot; 0: nothing is there
};

/// Fills POSE_CAPACITY places of a world on its map.
void pose_all(struct pose *places, const struct map *map, const struct world *world);

/// Which solid a live actor rides by the rule of the physics, around the seam of a map that wraps too: the first;
/// POSE_NO_SOLID: none.
uint32_t pose_ridden_solid(const struct map *map, const struct world *world, uint32_t actor);

/// True if the same thing stands at both and could have gone from one to the other in a tick.
bool pose_is_continuous(struct pose from, struct pose to);

#endif
