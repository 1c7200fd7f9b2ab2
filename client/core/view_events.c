// SPDX-License-Identifier: MIT
#include "view_events.h"

/// What makes two events one, besides kind and time. A landing's detail is its speed, which a correction changes.
static bool alike(const struct event *a, const struct event *b)
{
    int32_t apart = (int32_t)(a->tick - b->tick);
    bool same = a->kind == b->kind && a->subject == b->subject && a->other == b->other &&
                apart <= VIEW_EVENTS_SAME_TICKS && apart >= -VIEW_EVENTS_SAME_TICKS;
    const bool by_place = a->kind == EVENT_BREAK || a->kind == EVENT_EXPLODE || a->kind == EVENT_DRILL;
    if (by_place || a->kind == EVENT_RETURN)
        return same && a->x == b->x && a->y == b->y;
    return same && (a->kind == EVENT_LAND || a->detail == b->detail);
}

/// Each told event answers for one event of the world: `used` marks those that have.
static bool is_told(const struct view_events *news, const struct event *event, bool *used)
{
    uint32_t count = news->told_count < VIEW_EVENTS_REMEMBERED ? news->told_count : VIEW_EVENTS_REMEMBERED;
    for (uint32_t i = 0; i < count; i++) {
        if (!used[i] && alike(&news->told[i], event))
            return used[i] = true;
    }
    return false;
}

void view_events_collect(struct view_events *news, const struct world *world, tick since)
{
    bool used[VIEW_EVENTS_REMEMBERED] = {0};
    uint32_t count = world->event_count < EVENT_CAPACITY ? world->event_count : EVENT_CAPACITY;
    for (uint32_t number = world->event_count - count; number != world->event_count; number++) {
        const struct event *event = &world->events[number % EVENT_CAPACITY];
        if ((int32_t)(event->tick - since) <= 0 || is_told(news, event, used))
            continue;
        used[news->told_count % VIEW_EVENTS_REMEMBERED] = true;
        news->told[news->told_count++ % VIEW_EVENTS_REMEMBERED] = *event;
        if (news->waiting_count < VIEW_EVENT_CAPACITY)
            news->waiting[news->waiting_count++] = *event;
    }
}

void view_events_drain(struct view_events *news, struct view *view, tick others)
{
    uint32_t kept = 0;
    view->event_count = 0;
    for (uint32_t i = 0; i < news->waiting_count; i++) {
        const struct event *event = &news->waiting[i];
        bool own = event->subject == view->slot || event->other == view->slot;
        if (own || (int32_t)(event->tick - others) <= 0)
            view->events[view->event_count++] = *event;
        else
            news->waiting[kept++] = *event;
    }
    news->waiting_count = kept;
}
