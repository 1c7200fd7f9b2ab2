// SPDX-License-Identifier: MIT
#include "view.h"

#include <string.h>

const char *const VIEW_KIND_NAMES[] = {[VIEW_PREDICTED] = "predicted", [VIEW_INTERPOLATED] = "interpolated", NULL};

int32_t view_interpolate(int32_t from, int32_t to, uint32_t between)
{
    return from + (int32_t)((int64_t)(to - from) * (int32_t)between / 256);
}

struct view_point view_point_between(const struct map *map, struct pose from, struct pose to, uint32_t between)
{
    if (!pose_is_continuous(map, from, to))
        return (struct view_point){to.x, to.y};
    struct view_point offset = pose_offset(map, from, to);
    return (struct view_point){view_interpolate(to.x - offset.x, to.x, between),
                               view_interpolate(to.y - offset.y, to.y, between)};
}

struct view_point view_point_smoothed(const struct map *map, const struct pose *from, const struct pose *to, uint32_t i,
                                      uint32_t between, const struct smoothing *smoothing)
{
    struct view_point point = view_point_between(map, from[i], to[i], between);
    if (smoothing) {
        point.x += view_interpolate(smoothing->before[i].x, smoothing->now[i].x, between);
        point.y += view_interpolate(smoothing->before[i].y, smoothing->now[i].y, between);
    }
    return point;
}

bool view_is_certain(const struct view *view, uint32_t slot)
{
    return view->kind == VIEW_INTERPOLATED && slot != view->slot;
}

bool view_is_dying(const struct view *view, uint32_t slot)
{
    const struct player *predicted = &view->world->players[slot], *confirmed = &view->confirmed->players[slot];
    return pose_is_dying(predicted, confirmed) && !view_is_certain(view, slot);
}

bool view_shows(const struct view *view, uint32_t slot)
{
    const struct player *predicted = &view->world->players[slot], *confirmed = &view->confirmed->players[slot];
    if (predicted->state != PLAYER_ALIVE)
        return view_is_dying(view, slot);
    bool certain = slot == view->slot || view_is_certain(view, slot);
    return certain || pose_is_same_life(predicted, confirmed);
}

const struct player *view_player(const struct view *view, uint32_t slot)
{
    return view_is_dying(view, slot) ? &view->confirmed->players[slot] : &view->world->players[slot];
}

void view_add_events(struct view *view, const struct world *world, uint32_t first)
{
    uint32_t count = world->event_count - first;
    for (uint32_t i = count < EVENT_CAPACITY ? count : EVENT_CAPACITY; i > 0; i--)
        if (view->event_count < VIEW_EVENT_CAPACITY)
            view->events[view->event_count++] = world->events[(world->event_count - i) % EVENT_CAPACITY];
}

// --- when events are shown

// Returns whether two events are one.
static bool is_same(const struct event *a, const struct event *b)
{
    int32_t apart = (int32_t)(a->tick - b->tick);
    return apart <= VIEW_EVENTS_SAME_TICKS && apart >= -VIEW_EVENTS_SAME_TICKS && view_is_same_event(a, b);
}

static void show(struct view_events *events, const struct event *event)
{
    if (events->waiting_count < VIEW_EVENT_CAPACITY)
        events->waiting[events->waiting_count++] = *event;
}

// Returns the predicted event that is the same as one, and is not marked in `used`; predicted_count if there is none.
static uint32_t find(const struct view_events *events, const struct event *event, const bool *used)
{
    uint32_t i = 0;
    while (i < events->predicted_count && (used[i] || !is_same(&events->predicted[i], event)))
        i++;
    return i;
}

void view_events_begin(struct view_events *events, const struct world *first)
{
    struct view_events_counts counts = events->counts;
    memset(events, 0, sizeof *events);
    events->confirmed_count = first->event_count;
    events->paused_ticks = first->round.paused_ticks;
    events->withheld_until = first->tick;
    events->counts = counts;
}

void view_events_withhold(struct view_events *events, tick present)
{
    events->withheld_until = present;
}

void view_events_predict(struct view_events *events, const struct world *present, const struct world *confirmed,
                         uint32_t slot)
{
    bool used[VIEW_EVENTS_PREDICTED_MAX] = {0};
    uint32_t count = present->event_count < EVENT_CAPACITY ? present->event_count : EVENT_CAPACITY;
    for (uint32_t number = present->event_count - count; number != present->event_count; number++) {
        const struct event *event = &present->events[number % EVENT_CAPACITY];
        if ((int32_t)(event->tick - confirmed->tick) <= 0 || !view_shows_early(event, confirmed, slot))
            continue;
        uint32_t at = find(events, event, used);
        if (at == VIEW_EVENTS_PREDICTED_MAX)
            continue;
        used[at] = true;
        if (at < events->predicted_count || (int32_t)(event->tick - events->withheld_until) <= 0)
            continue;
        events->predicted[events->predicted_count++] = *event;
        show(events, event);
    }
}

// Forgets the predicted events that no confirmed one can match any more.
static void refute(struct view_events *events, tick confirmed)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < events->predicted_count; i++) {
        const struct event *event = &events->predicted[i];
        if ((int32_t)(confirmed - event->tick) > VIEW_EVENTS_SAME_TICKS)
            events->counts.refuted[event->kind]++;
        else
            events->predicted[kept++] = *event;
    }
    events->predicted_count = kept;
}

// In a pause, what was predicted after its beginning has become later.
static void postpone(struct view_events *events, const struct world *confirmed)
{
    for (uint32_t i = 0; i < events->predicted_count; i++)
        events->predicted[i].tick += confirmed->round.paused_ticks - events->paused_ticks;
    events->paused_ticks = confirmed->round.paused_ticks;
}

void view_events_confirm(struct view_events *events, const struct event_log *log, const struct world *confirmed,
                         tick present)
{
    static const bool UNUSED[VIEW_EVENTS_PREDICTED_MAX];
    postpone(events, confirmed);
    for (; events->confirmed_count != confirmed->event_count; events->confirmed_count++) {
        const struct event *event = event_log_at(log, events->confirmed_count);
        if (!event) {
            events->counts.lost++;
            continue;
        }
        uint32_t at = find(events, event, UNUSED);
        if (at < events->predicted_count) {
            events->predicted[at] = events->predicted[--events->predicted_count];
            continue;
        }
        show(events, event);
        events->counts.facts++;
        events->counts.late_ticks += present - event->tick;
    }
    refute(events, confirmed->tick);
}

void view_events_drain(struct view_events *events, struct view *view, tick others_tick)
{
    uint32_t kept = 0;
    view->event_count = 0;
    for (uint32_t i = 0; i < events->waiting_count; i++) {
        const struct event *event = &events->waiting[i];
        bool own = event->subject == view->slot || event->other == view->slot;
        if (own || (int32_t)(event->tick - others_tick) <= 0)
            view->events[view->event_count++] = *event;
        else
            events->waiting[kept++] = *event;
    }
    events->waiting_count = kept;
}
