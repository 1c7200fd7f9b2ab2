// SPDX-License-Identifier: MIT
//
// How this game fills a view, for the engine (core/view.h, core/pose.h): where everything can stand, and what is drawn.
#ifndef SEAM_GAME_VIEW_H
#define SEAM_GAME_VIEW_H

#include "core/pose.h"

/// Poses of a world: actor i, solid POSE_SOLIDS + i, ball POSE_BALLS + i.
#define POSE_SOLIDS   ACTOR_CAPACITY
#define POSE_BALLS    (POSE_SOLIDS + SOLID_CAPACITY)
#define POSE_CAPACITY (POSE_BALLS + MAP_BALL_CAPACITY)

/// Things that are held at a time; further ones vanish as predicted.
#define VIEW_HELD_CAPACITY 256

/// An arrow or a chest that is gone only in the prediction, as it was in the last world that has it.
struct view_held {
    const struct world *world;
    uint32_t actor;
    struct view_point at; ///< drawn top-left corner
};

/// What to draw at one moment. About 100 KB; keep one.
struct view {
    enum view_kind kind; ///< set by the caller
    const struct map *map;
    const struct world *world;                ///< the predicted present, of which some is wrong: states, aims, timers
    const struct world *confirmed;            ///< the newest that the server has confirmed: scores, rounds, who is dead
    uint32_t slot;                            ///< the first own player; PLAYER_CAPACITY: nobody (spectator, replay)
    struct local_seats own;                   ///< all of them; zero: only the first
    const uint8_t *hats;                      ///< enum hat by slot; null: nobody wears one
    uint32_t between;                         ///< how far between world.tick - 1 (0) and world.tick (256)
    struct view_point actors[ACTOR_CAPACITY]; ///< drawn top-left corner of each live actor; of a dead
                                              ///< player, where they were last
    struct view_point solids[SOLID_CAPACITY]; ///< drawn top-left corner
    struct view_point balls[MAP_BALL_CAPACITY]; ///< drawn centre
    uint32_t held_count;
    struct view_held held[VIEW_HELD_CAPACITY]; ///< drawn beside those of the world until the server has decided
    uint32_t event_count;
    struct event events[VIEW_EVENT_CAPACITY]; ///< since the last view, each once
};

/// Returns the ticks after `now` for which a player is drawn with a gift, or GIFT_UNTIL_USED; 0: they are not. Their
/// own is shown at once; that others have one, and that one is used up, is shown once it is confirmed.
uint32_t game_view_gift_ticks(const struct view *view, uint32_t slot, enum map_gift gift, tick now);

/// Returns whether the lid of a chest in the view's world, or in one that it holds, is up: at once for the own player,
/// who waits for the gift. Others may turn out not to have touched it.
bool game_view_lid_is_up(const struct view *view, const struct world *world, uint32_t chest);

/// game_view_ridden_solid() of an actor that rides nothing.
#define GAME_VIEW_NO_SOLID SOLID_CAPACITY

/// Returns the first solid that a live actor rides by the rule of the physics, also across the seam of a map that
/// wraps; GAME_VIEW_NO_SOLID if there is none.
uint32_t game_view_ridden_solid(const struct map *map, const struct world *world, uint32_t actor);

/// Returns whether what is held is an arrow; else it is a chest.
bool game_view_holds_arrow(const struct view_held *held);

/// Copies what a view holds into a world, and has the view hold it there.
void game_view_keep_held(struct view *view, struct world *gone);

#endif
