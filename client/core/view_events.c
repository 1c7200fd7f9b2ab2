// SPDX-License-Identifier: MIT
#include "view_events.h"

// Returns whether two events are one. The detail of a landing is its speed, which a correction changes.
static bool alike(const struct event *a, const struct event *b)
{
    int32_t apart = (int32_t)(a->tick - b->tick);
    bool same = a->kind == b->kind && a->subject == b->subject && a->other == b->other &&
                apart <= VIEW_EVENTS_SAME_TICKS && apart >= -VIEW_EVENTS_SAME_TICKS;
    bool by_place = a->kind == EVENT_BREAK || a->kind == EVENT_EXPLODE || a->kind == EVENT_DRILL;
    if (by_place || a->kind == EVENT_RETURN)
        return same && a->x == b->x && a->y == b->y;
    return same && (a->kind == EVENT_LAND || a->detail == b->detail);
}

// Returns whether an event was collected. Each collected event stands for one event of the world: `used` marks those
// that do.
static bool is_collected(const struct view_events *events, const struct event *event, bool *used)
{
    uint32_t count =
        events->collected_count < VIEW_EVENTS_REMEMBERED ? events->collected_count : VIEW_EVENTS_REMEMBERED;
    for (uint32_t i = 0; i < count; i++) {
        if (!used[i] && alike(&events->collected[i], event))
            return used[i] = true;
    }
    return false;
}

void view_events_collect(struct view_events *events, const struct world *world, tick since)
{
    bool used[VIEW_EVENTS_REMEMBERED] = {0};
    uint32_t count = world->event_count < EVENT_CAPACITY ? world->event_count : EVENT_CAPACITY;
    for (uint32_t number = world->event_count - count; number != world->event_count; number++) {
        const struct event *event = &world->events[number % EVENT_CAPACITY];
        if ((int32_t)(event->tick - since) <= 0 || is_collected(events, event, used))
            continue;
        used[events->collected_count % VIEW_EVENTS_REMEMBERED] = true;
        events->collected[events->collected_count++ % VIEW_EVENTS_REMEMBERED] = *event;
        if (events->waiting_count < VIEW_EVENT_CAPACITY)
            events->waiting[events->waiting_count++] = *event;
    }
}

void view_events_drain(struct view_events *events, struct view *view, tick remote_tick)
{
    uint32_t kept = 0;
    view->event_count = 0;
    for (uint32_t i = 0; i < events->waiting_count; i++) {
        const struct event *event = &events->waiting[i];
        bool own = event->subject == view->slot || event->other == view->slot;
        if (own || (int32_t)(event->tick - remote_tick) <= 0)
            view->events[view->event_count++] = *event;
        else
            events->waiting[kept++] = *event;
    }
    events->waiting_count = kept;
}
