// SPDX-License-Identifier: MIT
#include "presenter.h"

#include <stdlib.h>

#include "game/rules/mode.h"
#include "sync/world.h"

#define SPEED_FULL  256 ///< of the live match, 1/256
#define SPEED_HIT   85
#define SPEED_AFTER 128
#define SLOWING     24 ///< ticks before the hit from which on it becomes slower
#define HELD        4  ///< ticks after the hit during which it stays so

bool kill_cam_create(struct kill_cam *cam)
{
    cam->worlds = calloc(KILL_CAM_WORLDS, sizeof *cam->worlds);
    return cam->worlds;
}

void kill_cam_destroy(struct kill_cam *cam)
{
    free(cam->worlds);
    *cam = (struct kill_cam){0};
}

void kill_cam_clear(struct kill_cam *cam)
{
    cam->world_count = 0;
    cam->waits = cam->shows = false;
}

static struct world *world_at(const struct kill_cam *cam, uint32_t number)
{
    return &cam->worlds[number % KILL_CAM_WORLDS];
}

static tick newest(const struct kill_cam *cam)
{
    return cam->world_count ? world_at(cam, cam->world_count - 1)->tick : 0;
}

// Finds the kill that ended a round: in the same tick, and if there are several, the winner's. With goals, a ball ends
// it.
static bool find_deciding_kill(struct kill_cam *cam, const struct world *world, const struct event *end)
{
    bool found = false;
    if (mode_of(world)->goals)
        return false;
    for (uint32_t i = 0; i < EVENT_CAPACITY; i++) {
        const struct event *event = &world->events[(world->event_count + i) % EVENT_CAPACITY];
        bool fits = event->kind == EVENT_KILL && event->tick == end->tick;
        if (!fits || (found && cam->kill.other < PLAYER_CAPACITY && cam->kill.other == end->subject))
            continue;
        cam->kill = *event;
        found = true;
    }
    return found;
}

static void take_round_ends(struct kill_cam *cam, const struct view *live)
{
    for (uint32_t i = 0; i < live->event_count; i++) {
        const struct event *event = &live->events[i];
        if (event->kind != EVENT_ROUND)
            continue;
        cam->shows = false;
        bool is_over = event->detail == ROUND_OVER || event->detail == ROUND_MATCH_OVER;
        cam->waits = is_over && find_deciding_kill(cam, live->confirmed, event);
    }
}

// Returns the oldest stored world at or after a tick.
static uint32_t first_at(const struct kill_cam *cam, tick from)
{
    uint32_t number = cam->world_count > KILL_CAM_WORLDS ? cam->world_count - KILL_CAM_WORLDS : 0;
    while (number + 1 < cam->world_count && (int32_t)(world_at(cam, number)->tick - from) < 0)
        number++;
    return number;
}

static uint64_t speed(const struct kill_cam *cam)
{
    int64_t before = (int64_t)((uint64_t)cam->kill.tick * 256 - cam->moment);
    if (before > 0)
        return before > SLOWING * 256
                   ? SPEED_FULL
                   : SPEED_HIT + (uint64_t)(SPEED_FULL - SPEED_HIT) * (uint64_t)before / (SLOWING * 256);
    return -before < HELD * 256 ? SPEED_HIT : SPEED_AFTER;
}

// Fills the view for the moment. Returns false after the last world.
static bool fill(struct kill_cam *cam, const struct map *map)
{
    struct view *view = &cam->view;
    view->event_count = 0;
    for (; cam->drawn + 1 < cam->world_count; cam->drawn++) {
        const struct world *before = world_at(cam, cam->drawn), *now = world_at(cam, cam->drawn + 1);
        uint32_t kept = view->event_count;
        if (now->tick * 256ull > cam->moment)
            break;
        view_add_events(view, now, before->event_count);
        for (uint32_t i = kept; i < view->event_count; i++)
            if (view->events[i].kind != EVENT_ROUND) // the end of the round has been shown
                view->events[kept++] = view->events[i];
        view->event_count = kept;
    }
    if (cam->drawn + 1 >= cam->world_count)
        return false;
    const struct world *a = world_at(cam, cam->drawn), *b = world_at(cam, cam->drawn + 1);
    uint64_t passed = cam->moment > a->tick * 256ull ? cam->moment - a->tick * 256ull : 0;
    uint32_t between = (uint32_t)(passed / (b->tick - a->tick));
    view_fill(view, map, a, b, between < 256 ? between : 256, 0);
    view->slot = cam->kill.other < PLAYER_CAPACITY ? cam->kill.other : cam->kill.subject;
    return true;
}

struct view *kill_cam_record(struct kill_cam *cam, const struct view *live)
{
    const struct world *world = live->confirmed;
    uint64_t live_moment = (uint64_t)live->world->tick * 256 + live->between;
    if (!cam->worlds)
        return NULL;
    int32_t passed_ticks = (int32_t)(world->tick - newest(cam));
    if (cam->world_count && passed_ticks < 0)
        kill_cam_clear(cam);                                                       // another match
    if (!cam->shows && (!cam->world_count || passed_ticks >= KILL_CAM_EACH_TICKS)) // else they are kept
        world_copy(world_at(cam, cam->world_count++), world);
    take_round_ends(cam, live);
    if (cam->waits && (int32_t)(newest(cam) - cam->kill.tick) >= KILL_CAM_AFTER_TICKS) {
        cam->story = kill_story_of(live->map, world_at(cam, first_at(cam, cam->kill.tick)), &cam->kill);
        cam->waits = false;
        cam->shows = true;
        cam->moment = (uint64_t)(cam->kill.tick - KILL_CAM_BEFORE_TICKS) * 256;
        cam->live_moment = live_moment;
        cam->drawn = first_at(cam, cam->kill.tick - KILL_CAM_BEFORE_TICKS);
    }
    if (!cam->shows)
        return NULL;
    uint64_t passed = live_moment > cam->live_moment ? live_moment - cam->live_moment : 0;
    cam->moment += passed * speed(cam) / 256;
    cam->live_moment = live_moment;
    cam->view.hats = live->hats;
    cam->shows = cam->moment <= (uint64_t)(cam->kill.tick + KILL_CAM_AFTER_TICKS) * 256 && fill(cam, live->map);
    return cam->shows ? &cam->view : NULL;
}
