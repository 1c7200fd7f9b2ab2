// SPDX-License-Identifier: MIT
//
// Events told to ears and eyes once each, although worlds are guessed, corrected and guessed again: an event of
// the present world is new unless one like it was already told for about the same tick. Called by the client whenever
// its present changes; emptied by the view.
#ifndef CLIENT_NEWS_H
#define CLIENT_NEWS_H

#include "view.h"

/// Told events that are remembered.
#define NEWS_TOLD 128
/// A guessed event and the true one are the same if they lie at most this many ticks apart.
#define NEWS_SAME_TICKS 6

/// Zero-initialise.
struct news {
    uint32_t told_count; ///< ever told; the newest stands at (told_count - 1) % NEWS_TOLD
    struct event told[NEWS_TOLD];
    uint32_t waiting_count;
    struct event waiting[VIEW_EVENT_CAPACITY]; ///< for the next view; beyond, the oldest are kept
};

/// Finds what is new in `world` among events after tick `since`.
void news_gather(struct news *news, const struct world *world, tick since);

/// Moves what is new into the view. What does not concern its own player waits until others are shown at `others`.
void news_take(struct news *news, struct view *view, tick others);

#endif
