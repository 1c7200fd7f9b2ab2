// SPDX-License-Identifier: MIT
//
// What may be drawn at one moment: the predicted world between two ticks, with corrections smoothed away; on request
// the remote players as the server confirmed them, a little later. Filled by the client (or by a replay), read by
// whatever draws. Plain data.
#ifndef CORE_VIEW_H
#define CORE_VIEW_H

#include "game_view.h"
#include "pose.h"
#include "sync/event_log.h"

/// Their names, by value; null ends them.
extern const char *const VIEW_KIND_NAMES[];

struct smoothing;

/// Returns whether a player is one of those at this machine.
bool view_is_own(const struct view *view, uint32_t slot);

/// Returns whether several players are at this machine, and share its picture.
bool view_is_shared(const struct view *view);

/// Returns whether a player is shown as the server says: another one, between two confirmed worlds.
bool view_is_certain(const struct view *view, uint32_t slot);

/// Returns whether a player dies in the prediction, but lives in the confirmed world. They are drawn where they were
/// hit until the server has confirmed or refuted it.
bool view_is_dying(const struct view *view, uint32_t slot);

/// Returns whether the figure of a player is drawn: they live, or may be dying. Others who appear are drawn once that
/// is confirmed, since they may appear elsewhere.
bool view_shows(const struct view *view, uint32_t slot);

/// Returns the player as they are drawn. Of a player who may be dying, the prediction knows nothing more.
const struct player *view_player(const struct view *view, uint32_t slot);

/// Adds the events of a world from the number `first` on, as many as the world remembers and the view has room for.
void view_add_events(struct view *view, const struct world *world, uint32_t first);

/// Returns the value between two, 0 to 256 of the way.
int32_t view_interpolate(int32_t from, int32_t to, uint32_t between);

/// Returns the point between pose i of two worlds, with what smoothing (may be null) has left of corrections.
struct view_point view_point_smoothed(const struct map *map, const struct pose *from, const struct pose *to, uint32_t i,
                                      uint32_t between, const struct smoothing *smoothing);

/// Returns the point between two poses; the second, if they are not of one thing that moves.
struct view_point view_point_between(const struct map *map, struct pose from, struct pose to, uint32_t between);

// --- by the game

/// Holds the things that a predicted world has and the next one has not, unless an own player took them.
/// Call for all worlds from the confirmed one to the present.
void view_hold(struct view *view, const struct world *before, const struct world *after);

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

/// Returns whether an event may be shown with the prediction: an action of an own player, or what follows from the
/// confirmed world by the clock alone. All others are facts.
bool view_shows_early(const struct event *event, const struct world *confirmed, const struct local_seats *own);

/// Returns whether two events, at about one time, are the same one, predicted and confirmed.
bool view_is_same_event(const struct event *a, const struct event *b);

// --- smoothing hides corrections from the eye. When a corrected present differs from the one that was drawn, the
// difference is remembered and fades over the next ticks: most of it within a seventh of a second, but no faster than a
// player's figure may move in a frame. The worlds stay exact. Called by the client after each correction and each tick;
// read by the view.

/// Zero-initialise, but for the own players.
struct smoothing {
    struct local_seats own;                  ///< players, who are drawn before they are confirmed
    struct view_point now[POSE_CAPACITY];    ///< sub, at the present tick
    struct view_point before[POSE_CAPACITY]; ///< at the tick before
    struct pose poses_now[POSE_CAPACITY];    ///< of the present, without errors
    struct pose poses_before[POSE_CAPACITY]; ///< of the tick before
    struct pose held[PLAYER_CAPACITY];       ///< where a player was last drawn alive
};

/// Goes on to the next present, which is made from the `confirmed` world, and lets the differences fade by a tick.
void view_smoothing_advance(struct smoothing *smoothing, const struct map *map, const struct world *before,
                            const struct world *present, const struct world *confirmed);

/// Adds the difference between the present that was drawn and the corrected one, which is made from the `confirmed`
/// world. After a refuted death, or a refuted new life, a player comes from where they were last drawn. Poses of
/// another life, or too far apart, and players who appear only in the prediction are not smoothed.
void view_smoothing_correct(struct smoothing *smoothing, const struct map *map, const struct world *before,
                            const struct world *present, const struct world *confirmed);

// --- when events are shown, so that nothing that was shown has to be taken back. What the own player does is shown
// with the prediction, so that it feels immediate. Everything else is a fact and is shown once its world is confirmed:
// a kill, a score, the end of a round. Confirmed events are numbered, so none is shown twice or left out. The client
// passes each new present and each confirmed world, and drains into each view.

/// Predicted events that may wait for the server's confirmation at a time. Further ones are shown when confirmed.
#define VIEW_EVENTS_PREDICTED_MAX 64
/// A predicted event and the true one are the same if they lie at most this many ticks apart.
#define VIEW_EVENTS_SAME_TICKS 12

/// What became of events, counted since the join.
struct view_events_counts {
    uint32_t facts;                ///< shown once they were confirmed
    uint32_t late_ticks;           ///< sum over facts: from the event to the present in which it was shown
    uint32_t lost;                 ///< facts not shown, since no world came that remembers them
    uint32_t refuted[EVENT_KINDS]; ///< shown with the prediction, by kind, but not confirmed
};

/// Zero-initialise, then view_events_begin().
struct view_events {
    uint32_t confirmed_count; ///< the number of the first event that is not confirmed yet
    uint32_t paused_ticks;    ///< of the newest confirmed world
    tick withheld_until;      ///< what is predicted up to this tick is shown only once it is confirmed
    uint32_t predicted_count;
    struct event predicted[VIEW_EVENTS_PREDICTED_MAX]; ///< shown, not yet confirmed
    uint32_t waiting_count;
    struct event waiting[VIEW_EVENT_CAPACITY]; ///< for the next view; when full, the newest are dropped
    struct view_events_counts counts;
};

/// Begins with the first confirmed world of a match. Its events happened before the join and are not shown.
void view_events_begin(struct view_events *events, const struct world *first);

/// Shows what happens up to the present only once it is confirmed: the server has been silent for so long that it will
/// probably not have the own inputs.
void view_events_withhold(struct view_events *events, tick present);

/// Shows what own players do between the newest confirmed world and the present, unless it has been shown.
void view_events_predict(struct view_events *events, const struct world *present, const struct world *confirmed,
                         const struct local_seats *own);

/// Shows the events up to a newer confirmed world that have not been shown. `present`: the tick that is drawn.
void view_events_confirm(struct view_events *events, const struct event_log *log, const struct world *confirmed,
                         tick present);

/// Moves the events into the view. Those that concern no own player wait until the view shows others at their
/// tick; it shows them at `others_tick`.
void view_events_drain(struct view_events *events, struct view *view, tick others_tick);

#endif
