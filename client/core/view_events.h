// SPDX-License-Identifier: MIT
//
// Events told to ears and eyes once each, although worlds are guessed, corrected and guessed again: an event of
// the present world is new unless one like it was already told for about the same tick. Called by the client whenever
// its present changes; emptied by the view.
#ifndef CORE_VIEW_EVENTS_H
#define CORE_VIEW_EVENTS_H

#include "view.h"

/// Told events that are remembered.
#define VIEW_EVENTS_REMEMBERED 128
/// A guessed event and the true one are the same if they lie at most this many ticks apart.
#define VIEW_EVENTS_SAME_TICKS 6

/// Zero-initialise.
struct view_events {
    uint32_t told_count; ///< ever told; the newest stands at (told_count - 1) % VIEW_EVENTS_REMEMBERED
    struct event told[VIEW_EVENTS_REMEMBERED];
    uint32_t waiting_count;
    struct event waiting[VIEW_EVENT_CAPACITY]; ///< for the next view; beyond, the oldest are kept
};

/// Finds what is new in `world` among events after tick `since`.
void view_events_collect(struct view_events *news, const struct world *world, tick since);

/// Moves what is new into the view. What does not concern its own player waits until others are shown at `others`.
void view_events_drain(struct view_events *news, struct view *view, tick others);

#endif
