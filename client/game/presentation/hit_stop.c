// SPDX-License-Identifier: MIT
#include "presenter.h"

#include <stdlib.h>

#include "core/pose.h"
#include "sync/world.h"

#define PART           256u           ///< of a tick
#define SPACING        (PART / 2)     ///< between two stored frames at least
#define CATCH_UP(time) ((time)*3 / 2) ///< of the match in a time of the picture
#define GAP_MAX        (30 * PART)    ///< a longer step is no match that goes on

bool hit_stop_create(struct hit_stop *stop)
{
    stop->frames = calloc(HIT_STOP_FRAMES, sizeof *stop->frames);
    return stop->frames;
}

void hit_stop_destroy(struct hit_stop *stop)
{
    free(stop->frames);
    *stop = (struct hit_stop){0};
}

void hit_stop_clear(struct hit_stop *stop)
{
    stop->frame_count = stop->shown = stop->victim = 0;
    stop->runs = false;
    stop->ready_moment = stop->live_moment = 0;
}

static struct hit_stop_frame *frame_at(const struct hit_stop *stop, uint32_t number)
{
    return &stop->frames[number % HIT_STOP_FRAMES];
}

static void add_event(struct view *view, const struct event *event)
{
    if (view->event_count < VIEW_EVENT_CAPACITY)
        view->events[view->event_count++] = *event;
}

// Stores a frame. One that follows soon takes the place of the newest, with the events of both.
static void store(struct hit_stop *stop, const struct view *live, uint64_t moment)
{
    uint32_t count = stop->frame_count, kept = 0;
    struct event events[VIEW_EVENT_CAPACITY];
    bool replaces = count > stop->shown && count > 1 && moment < frame_at(stop, count - 2)->moment + SPACING;
    struct hit_stop_frame *frame = frame_at(stop, replaces ? count - 1 : count);
    for (; replaces && kept < frame->view.event_count; kept++)
        events[kept] = frame->view.events[kept];
    stop->frame_count += !replaces;
    frame->moment = moment;
    frame->view = *live;
    world_copy(&frame->world, live->world);
    frame->view.world = frame->view.confirmed = &frame->world;
    if (live->confirmed != live->world) {
        world_copy(&frame->confirmed, live->confirmed);
        frame->view.confirmed = &frame->confirmed;
    }
    game_view_keep_held(&frame->view, &frame->gone); // what is held lies in worlds that the client changes
    if (kept == 0)
        return;
    frame->view.event_count = 0;
    for (uint32_t i = 0; i < kept; i++)
        add_event(&frame->view, &events[i]);
    for (uint32_t i = 0; i < live->event_count; i++)
        add_event(&frame->view, &live->events[i]);
}

// Returns the slot + 1 of the victim of a kill that concerns somebody at this window; 0: there is none.
static uint32_t find_victim(const struct view *live)
{
    for (uint32_t i = 0; i < live->event_count; i++) {
        const struct event *event = &live->events[i];
        if (event->kind == EVENT_KILL && event->subject < PLAYER_CAPACITY &&
            (view_is_own(live, event->subject) || (event->other < PLAYER_CAPACITY && view_is_own(live, event->other))))
            return event->subject + 1;
    }
    return 0;
}

static int32_t interpolate(int32_t from, int32_t to, uint32_t part)
{
    return abs(to - from) > POSE_TELEPORT_SUB ? from : from + (to - from) * (int32_t)part / 256;
}

static void move_points(struct view_point *points, const struct view_point *to, uint32_t count, uint32_t part)
{
    for (uint32_t i = 0; i < count; i++)
        points[i] =
            (struct view_point){interpolate(points[i].x, to[i].x, part), interpolate(points[i].y, to[i].y, part)};
}

// Brings the events of the frames up to `number` that have not been shown.
static void take_events(struct hit_stop *stop, uint32_t number)
{
    stop->view.event_count = 0;
    for (; stop->shown <= number; stop->shown++) {
        const struct view *view = &frame_at(stop, stop->shown)->view;
        for (uint32_t i = 0; i < view->event_count; i++)
            add_event(&stop->view, &view->events[i]);
    }
}

// Fills the view for the moment, between two stored frames.
static void fill(struct hit_stop *stop)
{
    uint32_t number = stop->shown - 1;
    while (number + 2 < stop->frame_count && frame_at(stop, number + 1)->moment <= stop->moment)
        number++;
    const struct hit_stop_frame *a = frame_at(stop, number), *b = frame_at(stop, number + 1);
    uint64_t length = b->moment - a->moment, passed = stop->moment - a->moment;
    uint32_t part = length == 0 ? 256 : passed < length ? (uint32_t)(passed * 256 / length) : 256;
    stop->view = a->view;
    move_points(stop->view.actors, b->view.actors, ACTOR_CAPACITY, part);
    move_points(stop->view.solids, b->view.solids, SOLID_CAPACITY, part);
    move_points(stop->view.balls, b->view.balls, MAP_BALL_CAPACITY, part);
    take_events(stop, number);
}

struct view *hit_stop_record(struct hit_stop *stop, struct view *live)
{
    uint64_t moment = (uint64_t)live->world->tick * PART + live->between;
    if (!stop->frames)
        return live;
    if (moment + PART < stop->live_moment || moment > stop->live_moment + GAP_MAX)
        hit_stop_clear(stop);
    uint64_t passed = moment > stop->live_moment ? moment - stop->live_moment : 0;
    moment = stop->live_moment = stop->live_moment + passed; // a present that is corrected backward stands
    uint32_t victim = find_victim(live);
    bool begins = victim && !stop->runs && stop->frame_count && moment >= stop->ready_moment;
    store(stop, live, moment);
    if (begins) {
        stop->runs = true;
        stop->victim = victim;
        stop->left = HIT_STOP_TICKS * PART;
        stop->moment = frame_at(stop, stop->shown - 1)->moment;
    }
    if (!stop->runs) {
        stop->shown = stop->frame_count;
        return live;
    }
    uint64_t stands = passed < stop->left ? passed : stop->left;
    stop->left -= stands;
    stop->moment += CATCH_UP(passed - stands);
    if (passed > stands)
        stop->victim = 0;
    bool has_caught_up = stop->moment >= moment || stop->frame_count - stop->shown >= HIT_STOP_FRAMES - 1;
    if (has_caught_up) {
        stop->runs = false;
        stop->victim = 0;
        stop->ready_moment = moment + HIT_STOP_APART_TICKS * PART;
        stop->view = frame_at(stop, stop->frame_count - 1)->view;
        take_events(stop, stop->frame_count - 1);
    } else {
        fill(stop);
    }
    return &stop->view;
}
