// SPDX-License-Identifier: MIT
//
// Where everything stands, in sub (1/256 px), in one array; the game says what has which place in it. A rider gets the
// fraction of what it rides, so that the two never part on screen. Pure; called by smoothing and view.
#ifndef CORE_POSE_H
#define CORE_POSE_H

#include "game_view.h"

/// One pose.
struct pose {
    int32_t x, y;      ///< sub: the top-left corner; of a ball the centre
    uint64_t identity; ///< differs between two lives of the same slot; 0: nothing is there
};

/// Returns how far apart two poses are, the short way: the larger of x and y, sub.
uint32_t pose_distance(const struct map *map, struct pose a, struct pose b);

/// Returns whether a player dies in the prediction, but lives in the confirmed world.
bool pose_is_dying(const struct player *predicted, const struct player *confirmed);

/// Returns whether a player is in the same life in both worlds.
bool pose_is_same_life(const struct player *predicted, const struct player *confirmed);

/// Returns whether the same thing stands at both and can have moved from one to the other in a tick, also across a
/// seam.
bool pose_is_continuous(const struct map *map, struct pose from, struct pose to);

// --- by the game

/// Fills POSE_CAPACITY poses of a world on its map.
void pose_all(struct pose *poses, const struct map *map, const struct world *world);

/// Returns how far a pose is from another along each axis, sub; on a map that wraps, the short way round.
struct view_point pose_offset(const struct map *map, struct pose from, struct pose to);

/// Returns where a player's figure stands, with identity 1.
struct pose pose_of_player(const struct world *world, uint32_t slot);

/// Returns a number that differs between two lives of the same slot; 0: they do not live.
uint64_t pose_life(const struct player *player);

// --- smoothing hides corrections from the eye. When a corrected present differs from the one that was drawn, the
// difference is remembered and fades over the next ticks: most of it within a seventh of a second, but no faster than a
// player's figure may move in a frame. The worlds stay exact. Called by the client after each correction and each tick;
// read by the view.

/// Zero-initialise, but for the slot.
struct smoothing {
    uint32_t slot;                           ///< own player, who is drawn before they are confirmed
    struct view_point now[POSE_CAPACITY];    ///< sub, at the present tick
    struct view_point before[POSE_CAPACITY]; ///< at the tick before
    struct pose poses_now[POSE_CAPACITY];    ///< of the present, without errors
    struct pose poses_before[POSE_CAPACITY]; ///< of the tick before
    struct pose held[PLAYER_CAPACITY];       ///< where a player was last drawn alive
};

/// Goes on to the next present, which is made from the `confirmed` world, and lets the differences fade by a tick.
void pose_smoothing_advance(struct smoothing *smoothing, const struct map *map, const struct world *before,
                            const struct world *present, const struct world *confirmed);

/// Adds the difference between the present that was drawn and the corrected one, which is made from the `confirmed`
/// world. After a refuted death, or a refuted new life, a player comes from where they were last drawn. Poses of
/// another life, or too far apart, and players who appear only in the prediction are not smoothed.
void pose_smoothing_correct(struct smoothing *smoothing, const struct map *map, const struct world *before,
                            const struct world *present, const struct world *confirmed);

#endif
