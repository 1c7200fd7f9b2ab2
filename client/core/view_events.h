// SPDX-License-Identifier: MIT
//
// Collects each event for eyes and ears once, although worlds are predicted, corrected and predicted again: an event of
// the present world is new unless one like it was collected for about the same tick. The client collects whenever its
// present changes, and drains into each view.
#ifndef CORE_VIEW_EVENTS_H
#define CORE_VIEW_EVENTS_H

#include "view.h"

/// Collected events that are remembered.
#define VIEW_EVENTS_REMEMBERED 128
/// A predicted event and the true one are the same if they lie at most this many ticks apart.
#define VIEW_EVENTS_SAME_TICKS 6

/// Zero-initialise.
struct view_events {
    uint32_t collected_count; ///< ever; the newest is at (collected_count - 1) % VIEW_EVENTS_REMEMBERED
    struct event collected[VIEW_EVENTS_REMEMBERED];
    uint32_t waiting_count;
    struct event waiting[VIEW_EVENT_CAPACITY]; ///< for the next view; when full, the newest are dropped
};

/// Collects what is new in `world` among events after tick `since`.
void view_events_collect(struct view_events *events, const struct world *world, tick since);

/// Moves new events into the view. Those that do not concern the own player wait until the view shows remote players at
/// their tick; it shows them at `remote_tick`.
void view_events_drain(struct view_events *events, struct view *view, tick remote_tick);

#endif
