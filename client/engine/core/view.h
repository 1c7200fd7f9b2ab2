// SPDX-License-Identifier: MIT
//
// What may be drawn at one moment: the predicted world between two ticks, with corrections smoothed away; on request
// the remote players as the server confirmed them, a little later. Filled by the client (or by a replay), read by
// whatever draws. Plain data.
#ifndef CORE_VIEW_H
#define CORE_VIEW_H

#include "sync/world.h"

/// A point in sub (1/256 px).
struct view_point {
    int32_t x, y;
};

/// How remote players are shown. Solids, the own player and their arrows are predicted in both.
enum view_kind {
    VIEW_PREDICTED,    ///< at the predicted present: nothing is late, some of it is wrong
    VIEW_INTERPOLATED, ///< between two confirmed worlds: nothing is wrong, all of it is late
};

/// Their names, by value; null ends them.
extern const char *const VIEW_KIND_NAMES[];

/// Events that one view can bring.
#define VIEW_EVENT_CAPACITY (4 * EVENT_CAPACITY)

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
    uint32_t slot;                            ///< own player; PLAYER_CAPACITY: nobody (spectator, replay)
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

struct smoothing;

/// Returns whether a player dies in the prediction, but lives in the confirmed world. They are drawn where they were
/// hit until the server has confirmed or refuted it.
bool view_is_dying(const struct view *view, uint32_t slot);

/// Returns whether the figure of a player is drawn: they live, or may be dying. Others who appear are drawn once that
/// is confirmed, since they may appear elsewhere.
bool view_shows(const struct view *view, uint32_t slot);

/// Returns the player as they are drawn. Of a player who may be dying, the prediction knows nothing more.
const struct player *view_player(const struct view *view, uint32_t slot);

/// Returns whether a player is drawn with a chest's shield. Their own is shown at once; that others have one, and that
/// a hit has taken one, is shown once it is confirmed.
bool view_has_shield(const struct view *view, uint32_t slot);

/// Returns until when a player is drawn with wings, which others have once that is confirmed.
tick view_wings_until(const struct view *view, uint32_t slot);

/// Returns whether the lid of a chest in the view's world, or in one that it holds, is up: at once for the own player,
/// who waits for the gift. Others may turn out not to have touched it.
bool view_lid_is_up(const struct view *view, const struct world *world, uint32_t chest);

/// Holds the arrows and chests that a predicted world has and the next one has not, unless the own player took them.
/// Call for all worlds from the confirmed one to the present.
void view_hold(struct view *view, const struct world *before, const struct world *after);

/// Adds the events of a world from the number `first` on, as many as the world remembers and the view has room for.
void view_add_events(struct view *view, const struct world *world, uint32_t first);

/// Fills the positions and the world of a view between two worlds of neighbouring ticks (0: the first, 256: the
/// second). `smoothing` may be null. The caller sets kind, slot, hats and events; the present counts as confirmed, and
/// nothing is held.
void view_fill(struct view *view, const struct map *map, const struct world *before, const struct world *present,
               uint32_t between, const struct smoothing *smoothing);

/// Replaces the remote players, their arrows and the balls of a filled view by those between two confirmed worlds (0:
/// the first, 256: the second). A player who rode a solid is drawn on it where it is now. The view then points to
/// `shown`.
void view_fill_confirmed(struct view *view, struct world *shown, const struct world *from, const struct world *to,
                         uint32_t between);

#endif
