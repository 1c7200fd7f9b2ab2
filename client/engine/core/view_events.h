// SPDX-License-Identifier: MIT
//
// Decides when an event is shown, so that nothing that was shown has to be taken back. What the own player does is
// shown with the prediction, so that it feels immediate. Everything else is a fact and is shown once its world is
// confirmed: a kill, a score, the end of a round. Confirmed events are numbered, so none is shown twice or left out.
// The client passes each new present and each confirmed world, and drains into each view.
#ifndef CORE_VIEW_EVENTS_H
#define CORE_VIEW_EVENTS_H

#include "sync/event_log.h"
#include "view.h"

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

/// Shows what the player in `slot` does between the newest confirmed world and the present, unless it has been shown.
void view_events_predict(struct view_events *events, const struct world *present, const struct world *confirmed,
                         uint32_t slot);

/// Shows the events up to a newer confirmed world that have not been shown. `present`: the tick that is drawn.
void view_events_confirm(struct view_events *events, const struct event_log *log, const struct world *confirmed,
                         tick present);

/// Moves the events into the view. Those that do not concern the own player wait until the view shows others at their
/// tick; it shows them at `others_tick`.
void view_events_drain(struct view_events *events, struct view *view, tick others_tick);

#endif
