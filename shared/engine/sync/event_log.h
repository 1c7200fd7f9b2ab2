// SPDX-License-Identifier: MIT
//
// The last events of a match: more than a world remembers, collected from all of its worlds.
#ifndef SYNC_EVENT_LOG_H
#define SYNC_EVENT_LOG_H

#include "world.h"

/// Events that a log keeps.
#define EVENT_LOG_CAPACITY 1024

/// The last events of a match, by number: more than a world remembers, from all worlds of a match that were added.
/// Zero-initialise.
struct event_log {
    uint32_t first;                          ///< number of the first event since the last gap
    uint32_t count;                          ///< the number after the newest
    struct event events[EVENT_LOG_CAPACITY]; ///< event n is events[n % EVENT_LOG_CAPACITY]
};

/// Adds the events of a world that are newer than those of the log. If a world before it is missing, and more happened
/// than it remembers, that is a gap.
void event_log_add(struct event_log *log, const struct world *world);

/// Returns the event of a number; null if the log does not have it.
const struct event *event_log_at(const struct event_log *log, uint32_t number);

#endif
