// SPDX-License-Identifier: MIT
//
// Where everything stands, in sub (1/256 px): actors (chests too), solids and balls in one array. A rider gets the
// fraction of the solid it rides, so that the two never part on screen. Pure; called by smoothing and view.
#ifndef CORE_POSE_H
#define CORE_POSE_H

#include "sync/world.h"

/// Poses of a world: actor i, solid POSE_SOLIDS + i, ball POSE_BALLS + i.
#define POSE_SOLIDS   ACTOR_CAPACITY
#define POSE_BALLS    (POSE_SOLIDS + SOLID_CAPACITY)
#define POSE_CAPACITY (POSE_BALLS + MAP_BALL_CAPACITY)

/// Two bodies, sub. No step of the game is longer: a longer one is a teleport.
#define POSE_TELEPORT_SUB (24 * 256)

/// pose_ridden_solid() of an actor that rides nothing.
#define POSE_NO_SOLID SOLID_CAPACITY

/// One pose.
struct pose {
    int32_t x, y;      ///< sub: the top-left corner; of a ball the centre
    uint64_t identity; ///< differs between two lives of the same slot; 0: nothing is there
};

/// Fills POSE_CAPACITY poses of a world on its map.
void pose_all(struct pose *poses, const struct map *map, const struct world *world);

/// Returns the first solid that a live actor rides by the rule of the physics, also across the seam of a map that
/// wraps; POSE_NO_SOLID if there is none.
uint32_t pose_ridden_solid(const struct map *map, const struct world *world, uint32_t actor);

/// Returns how far a pose is from another along an axis, sub; on a map that wraps, the short way round.
int32_t pose_x_offset(const struct map *map, struct pose from, struct pose to);
int32_t pose_y_offset(const struct map *map, struct pose from, struct pose to);

/// Returns how far apart two poses are, the short way: the larger of x and y, sub.
uint32_t pose_distance(const struct map *map, struct pose a, struct pose b);

/// Returns whether a player dies in the prediction, but lives in the confirmed world.
bool pose_is_dying(const struct player *predicted, const struct player *confirmed);

/// Returns whether a player is in the same life in both worlds.
bool pose_is_same_life(const struct player *predicted, const struct player *confirmed);

/// Returns whether the same thing stands at both and can have moved from one to the other in a tick, also across a
/// seam.
bool pose_is_continuous(const struct map *map, struct pose from, struct pose to);

#endif
