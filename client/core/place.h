// SPDX-License-Identifier: MIT
//
// Where everything that has a place stands, in sub: actors (chests too), solids and balls in one row. A rider gets the
// fraction of the solid it rides, so that the two never part on screen. Pure; called by smoothing and view.
#ifndef CLIENT_PLACE_H
#define CLIENT_PLACE_H

#include "game/world.h"

/// Places of a world: actor i, solid PLACE_SOLIDS + i, ball PLACE_BALLS + i.
#define PLACE_SOLIDS   ACTOR_CAPACITY
#define PLACE_BALLS    (PLACE_SOLIDS + SOLID_CAPACITY)
#define PLACE_CAPACITY (PLACE_BALLS + MAP_BALL_CAPACITY)

/// No step of the game is longer, sub: what went farther did not move but was put there. Two bodies.
#define PLACE_TELEPORT_SUB (24 * 256)

/// place_ridden() of who rides nothing.
#define PLACE_NO_SOLID SOLID_CAPACITY

/// One place.
struct place {
    int32_t x, y;      ///< sub: top-left corner, of a ball the centre
    uint64_t identity; ///< differs between two lives of the same slot; 0: nothing is there
};

/// Fills PLACE_CAPACITY places of a world on its map.
void place_all(struct place *places, const struct map *map, const struct world *world);

/// Which solid a live actor rides by the rule of the physics, around the seam of a map that wraps too: the first;
/// PLACE_NO_SOLID: none.
uint32_t place_ridden(const struct map *map, const struct world *world, uint32_t actor);

/// True if the same thing stands at both and could have gone from one to the other in a tick.
bool place_joined(struct place from, struct place to);

#endif
