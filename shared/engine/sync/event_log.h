// SPDX-License-Identifier: MIT
//
// The last events of a match: more than a world remembers, collected from all of its worlds.
#ifndef SYNC_EVENT_LOG_H
#define SYNC_EVENT_LOG_H

#include "world.h"

/// Events that a log keeps.
#define EVENT_LOG_CAPACITY 1024

/// The last events of a match, by number. Zero-initialise.
struct event_log {
    uint32_t first;                          ///< number of the first event since the last gap
    uint32_t count;                          ///< the number after the newest
    struct event events[EVENT_LOG_CAPACITY]; ///< event n is events[n % EVENT_LOG_CAPACITY]
};

/// Adds the events of a world that are newer than those of the log. If a world before it is missing, and more happened
/// than it remembers, that is a gap.
static inline void event_log_add(struct event_log *log, const struct world *world)
{
    uint32_t fresh = world->event_count - log->count;
    if ((int32_t)fresh <= 0)
        return;
    uint32_t kept = fresh < EVENT_CAPACITY ? fresh : EVENT_CAPACITY;
    if (kept < fresh)
        log->first = world->event_count - kept;
    for (uint32_t number = world->event_count - kept; number != world->event_count; number++)
        log->events[number % EVENT_LOG_CAPACITY] = world->events[number % EVENT_CAPACITY];
    log->count = world->event_count;
}

/// Returns the event of a number; null if the log does not have it.
static inline const struct event *event_log_at(const struct event_log *log, uint32_t number)
{
    bool kept = log->count - number - 1 < EVENT_LOG_CAPACITY && (int32_t)(number - log->first) >= 0;
    return kept ? &log->events[number % EVENT_LOG_CAPACITY] : NULL;
}

#endif
