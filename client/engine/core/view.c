// SPDX-License-Identifier: MIT
#include "view.h"

#include <stdlib.h>
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

bool view_is_own(const struct view *view, uint32_t slot)
{
    return slot == view->slot || local_seats_have(&view->own, slot);
}

bool view_is_shared(const struct view *view)
{
    return local_seats_count(&view->own) > 1;
}

bool view_is_certain(const struct view *view, uint32_t slot)
{
    return view->kind == VIEW_INTERPOLATED && !view_is_own(view, slot);
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
    bool certain = view_is_own(view, slot) || view_is_certain(view, slot);
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

// --- smoothing

// A tick takes a quarter of an error away, and at least this many sub, so that small errors are gone at once.
#define DECAY_DIVISOR 4
#define DECAY_SUB_MIN 64

// How far a figure may move in a tick by its own motion and by what fades, so that it stays below 8 px in a frame, also
// while the clock runs fast.
#define STEP_SUB_MAX 1920

// A player who is farther away than this has been moved elsewhere.
#define PLAYER_ERROR_SUB_MAX (256 * 256)

static struct pose shown(struct pose pose, struct view_point error)
{
    return (struct pose){pose.x + error.x, pose.y + error.y, pose.identity};
}

// Returns the length of a way, up to a fifteenth too long.
static int32_t length(int32_t x, int32_t y)
{
    int32_t longer = abs(x) > abs(y) ? abs(x) : abs(y), shorter = abs(x) + abs(y) - longer;
    return longer + shorter * 3 / 8;
}

static int32_t decay(int32_t error)
{
    int32_t amount = abs(error) / DECAY_DIVISOR;
    amount = amount > DECAY_SUB_MIN ? amount : DECAY_SUB_MIN;
    amount = amount < abs(error) ? amount : abs(error);
    return error > 0 ? amount : -amount;
}

static void fade(struct smoothing *smoothing, const struct map *map, uint32_t i)
{
    struct view_point *error = &smoothing->now[i];
    struct pose from = smoothing->poses_before[i], to = smoothing->poses_now[i];
    int32_t x = decay(error->x), y = decay(error->y), way = length(x, y);
    if (way == 0)
        return;
    bool moves = pose_is_continuous(map, from, to);
    struct view_point step = pose_offset(map, from, to);
    int32_t own = moves ? length(step.x, step.y) : 0;
    int32_t room = own < STEP_SUB_MAX ? STEP_SUB_MAX - own : 0;
    error->x -= way > room ? x * room / way : x;
    error->y -= way > room ? y * room / way : y;
}

// The life of another player that only the prediction has begun is not drawn.
static void hold_players(struct smoothing *smoothing, const struct world *present, const struct world *confirmed)
{
    for (uint32_t i = 0; i < present->player_slots; i++)
        if (local_seats_have(&smoothing->own, i) ? smoothing->poses_now[i].identity != 0
                                                 : pose_is_same_life(&present->players[i], &confirmed->players[i]))
            smoothing->held[i] = shown(smoothing->poses_now[i], smoothing->now[i]);
}

void view_smoothing_advance(struct smoothing *smoothing, const struct map *map, const struct world *before,
                            const struct world *present, const struct world *confirmed)
{
    pose_all(smoothing->poses_before, map, before);
    pose_all(smoothing->poses_now, map, present);
    memcpy(smoothing->before, smoothing->now, sizeof smoothing->now);
    for (uint32_t i = 0; i < POSE_CAPACITY; i++)
        fade(smoothing, map, i);
    hold_players(smoothing, present, confirmed);
}

// Finds how far a thing is drawn from its pose. Returns false with nothing if it is another one, or too far away.
static bool find_error(const struct map *map, struct pose drawn, struct pose to, int32_t sub_max,
                       struct view_point *error)
{
    struct view_point found = pose_offset(map, to, drawn);
    bool same = to.identity != 0 && drawn.identity == to.identity;
    bool good = same && abs(found.x) <= sub_max && abs(found.y) <= sub_max;
    *error = good ? found : (struct view_point){0};
    return good;
}

void view_smoothing_correct(struct smoothing *smoothing, const struct map *map, const struct world *before,
                            const struct world *present, const struct world *confirmed)
{
    struct pose poses_before[POSE_CAPACITY], poses_now[POSE_CAPACITY];
    pose_all(poses_before, map, before);
    pose_all(poses_now, map, present);
    for (uint32_t i = 0; i < POSE_CAPACITY; i++) {
        struct pose drawn = shown(smoothing->poses_now[i], smoothing->now[i]);
        struct pose drawn_before = shown(smoothing->poses_before[i], smoothing->before[i]);
        if (i < PLAYER_CAPACITY && drawn.identity != smoothing->held[i].identity) // nobody has seen it
            drawn = drawn_before = smoothing->held[i];
        struct view_point *now = &smoothing->now[i], *earlier = &smoothing->before[i];
        // The largest error that is smoothed. A player who appears only in the prediction may appear elsewhere.
        int32_t sub_max = i >= PLAYER_CAPACITY                          ? POSE_TELEPORT_SUB
                          : confirmed->players[i].state == PLAYER_ALIVE ? PLAYER_ERROR_SUB_MAX
                                                                        : 0;
        bool is_wrong = find_error(map, drawn, poses_now[i], sub_max, now);
        bool was_wrong = is_wrong && find_error(map, drawn_before, poses_before[i], sub_max, earlier);
        // Nothing is drawn on the way from one error to a quite different one, as on two sides of a seam.
        if (!was_wrong || abs(earlier->x - now->x) > POSE_TELEPORT_SUB || abs(earlier->y - now->y) > POSE_TELEPORT_SUB)
            *earlier = *now;
    }
    memcpy(smoothing->poses_before, poses_before, sizeof poses_before);
    memcpy(smoothing->poses_now, poses_now, sizeof poses_now);
    hold_players(smoothing, present, confirmed);
}

// --- when events are shown

static void show(struct view_events *events, const struct event *event)
{
    if (events->waiting_count < VIEW_EVENT_CAPACITY)
        events->waiting[events->waiting_count++] = *event;
}

// Returns the predicted event that is the same as one, and is not marked in `used`; predicted_count if there is none.
static uint32_t find(const struct view_events *events, const struct event *event, const bool *used)
{
    for (uint32_t i = 0; i < events->predicted_count; i++) {
        int32_t apart = (int32_t)(events->predicted[i].tick - event->tick);
        if (!used[i] && apart <= VIEW_EVENTS_SAME_TICKS && apart >= -VIEW_EVENTS_SAME_TICKS &&
            view_is_same_event(&events->predicted[i], event))
            return i;
    }
    return events->predicted_count;
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
                         const struct local_seats *own)
{
    bool used[VIEW_EVENTS_PREDICTED_MAX] = {0};
    uint32_t count = present->event_count < EVENT_CAPACITY ? present->event_count : EVENT_CAPACITY;
    for (uint32_t number = present->event_count - count; number != present->event_count; number++) {
        const struct event *event = &present->events[number % EVENT_CAPACITY];
        if ((int32_t)(event->tick - confirmed->tick) <= 0 || !view_shows_early(event, confirmed, own))
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

void view_events_confirm(struct view_events *events, const struct event_log *log, const struct world *confirmed,
                         tick present)
{
    static const bool UNUSED[VIEW_EVENTS_PREDICTED_MAX];
    // In a pause, what was predicted after its beginning has become later.
    for (uint32_t i = 0; i < events->predicted_count; i++)
        events->predicted[i].tick += confirmed->round.paused_ticks - events->paused_ticks;
    events->paused_ticks = confirmed->round.paused_ticks;
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
    // Forgets the predicted events that no confirmed one can match any more.
    uint32_t kept = 0;
    for (uint32_t i = 0; i < events->predicted_count; i++) {
        const struct event *event = &events->predicted[i];
        if ((int32_t)(confirmed->tick - event->tick) > VIEW_EVENTS_SAME_TICKS)
            events->counts.refuted[event->kind]++;
        else
            events->predicted[kept++] = *event;
    }
    events->predicted_count = kept;
}

void view_events_drain(struct view_events *events, struct view *view, tick others_tick)
{
    uint32_t kept = 0;
    view->event_count = 0;
    for (uint32_t i = 0; i < events->waiting_count; i++) {
        const struct event *event = &events->waiting[i];
        bool own = view_is_own(view, event->subject) || view_is_own(view, event->other);
        if (own || (int32_t)(event->tick - others_tick) <= 0)
            view->events[view->event_count++] = *event;
        else
            events->waiting[kept++] = *event;
    }
    events->waiting_count = kept;
}
