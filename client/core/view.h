// SPDX-License-Identifier: MIT
//
// The only thing a player may see: the predicted world between two ticks, with corrections smoothed away; on wish the
// others as the server told them, a little later. Filled by the client (or by a replay), read by whatever draws.
// Plain data.
#ifndef CLIENT_VIEW_H
#define CLIENT_VIEW_H

#include "game/world.h"

/// A place in sub (1/256 px).
struct view_point {
    int32_t x, y;
};

/// How others are shown; solids and what is one's own are the guessed present in both.
enum view_kind {
    VIEW_PREDICTED,    ///< the guessed present: nothing is late, some of it is wrong
    VIEW_INTERPOLATED, ///< between two worlds that the server told: nothing is wrong, all of it is late
};

/// Their names, by value; null ends them.
extern const char *const VIEW_KIND_NAMES[];

/// Events that one view can bring.
#define VIEW_EVENT_CAPACITY EVENT_CAPACITY

/// What to draw at one moment. About 100 KB; keep one.
struct view {
    enum view_kind kind; ///< wished by whoever asks for it
    const struct map *map;
    const struct world *world;                  ///< for everything that is not a place: states, aims, scores, timers
    uint32_t slot;                              ///< own player; PLAYER_CAPACITY: nobody (spectator, replay)
    const uint8_t *hats;                        ///< enum hat by slot; null: nobody wears one
    uint32_t between;                           ///< how far between world.tick - 1 (0) and world.tick (256)
    struct view_point actors[ACTOR_CAPACITY];   ///< drawn top-left corner of each live actor
    struct view_point solids[SOLID_CAPACITY];   ///< drawn top-left corner
    struct view_point balls[MAP_BALL_CAPACITY]; ///< drawn centre
    uint32_t event_count;
    struct event events[VIEW_EVENT_CAPACITY]; ///< that happened since the view before, each told once
};

struct smoothing;

/// Fills the places and worlds of a view between two worlds of neighbouring ticks (0: the first, 256: the second).
/// `smoothing` null: as it is. Own slot and events are the caller's.
void view_fill(struct view *view, const struct map *map, const struct world *before, const struct world *present,
               uint32_t between, const struct smoothing *smoothing);

/// Shows others as they were between two told worlds (0: the first, 256: the second) in a view that is filled. Who
/// rode a solid then is drawn on it where it is now. `shown` has room for the world that the view then tells.
void view_show_confirmed(struct view *view, struct world *shown, const struct world *from, const struct world *to,
                         uint32_t between);

#endif
