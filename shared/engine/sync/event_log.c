// SPDX-License-Identifier: MIT
#include "event_log.h"

#include <stddef.h>

void event_log_add(struct event_log *log, const struct world *world)
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

const struct event *event_log_at(const struct event_log *log, uint32_t number)
{
    bool kept = log->count - number - 1 < EVENT_LOG_CAPACITY && (int32_t)(number - log->first) >= 0;
    return kept ? &log->events[number % EVENT_LOG_CAPACITY] : NULL;
}
