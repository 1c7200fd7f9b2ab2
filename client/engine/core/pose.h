// SPDX-License-Identifier: MIT
//
// What views of every game are made of, and where everything stands, in sub (1/256 px), in one array; the game says
// what has which place in it. A rider gets the fraction of what it rides, so that the two never part on screen. Pure.
#ifndef CORE_POSE_H
#define CORE_POSE_H

#include <stdlib.h>

#include "sync/local_seats.h"

/// A point, or a distance, in sub (1/256 px).
struct view_point {
    int32_t x, y;
};

/// How remote players are shown. Solids, the own player and their arrows are predicted in both.
enum view_kind {
    VIEW_PREDICTED,    ///< at the predicted present: nothing is late, some of it is wrong
    VIEW_INTERPOLATED, ///< between two confirmed worlds: nothing is wrong, all of it is late
};

/// Events that one view can bring.
#define VIEW_EVENT_CAPACITY (4 * EVENT_CAPACITY)

/// One pose.
struct pose {
    int32_t x, y;      ///< sub: the top-left corner; of a ball the centre
    uint64_t identity; ///< differs between two lives of the same slot; 0: nothing is there
};

// --- by the game

/// No step of the game is longer, sub: a longer one is a teleport.
extern const int32_t POSE_TELEPORT_SUB;

/// Fills POSE_CAPACITY poses of a world on its map.
void pose_all(struct pose *poses, const struct map *map, const struct world *world);

/// Returns how far a pose is from another along each axis, sub; on a map that wraps, the short way round.
struct view_point pose_offset(const struct map *map, struct pose from, struct pose to);

/// Returns where a player's figure stands, with identity 1.
struct pose pose_of_player(const struct world *world, uint32_t slot);

/// Returns a number that differs between two lives of the same slot; 0: they do not live.
uint64_t pose_life(const struct player *player);

// --- of every game

/// Returns how far apart two poses are, the short way: the larger of x and y, sub.
static inline uint32_t pose_distance(const struct map *map, struct pose a, struct pose b)
{
    struct view_point offset = pose_offset(map, a, b);
    int32_t x = abs(offset.x), y = abs(offset.y);
    return (uint32_t)(x > y ? x : y);
}

/// Returns whether a player dies in the prediction, but lives in the confirmed world.
static inline bool pose_is_dying(const struct player *predicted, const struct player *confirmed)
{
    return predicted->state == PLAYER_DEAD && confirmed->state == PLAYER_ALIVE &&
           predicted->generation == confirmed->generation;
}

/// Returns whether a player is in the same life in both worlds.
static inline bool pose_is_same_life(const struct player *predicted, const struct player *confirmed)
{
    return pose_life(predicted) != 0 && pose_life(predicted) == pose_life(confirmed);
}

/// Returns whether the same thing stands at both and can have moved from one to the other in a tick, also across a
/// seam.
static inline bool pose_is_continuous(const struct map *map, struct pose from, struct pose to)
{
    return from.identity != 0 && from.identity == to.identity &&
           pose_distance(map, from, to) <= (uint32_t)POSE_TELEPORT_SUB;
}

#endif
