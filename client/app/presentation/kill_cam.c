// SPDX-License-Identifier: MIT
#include "kill_cam.h"

#include <stdlib.h>

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
    cam->has_kill = cam->shows = cam->has_shown = false;
}

static struct world *world_at(const struct kill_cam *cam, uint32_t number)
{
    return &cam->worlds[number % KILL_CAM_WORLDS];
}

static tick newest(const struct kill_cam *cam)
{
    return cam->world_count ? world_at(cam, cam->world_count - 1)->tick : 0;
}

// If time went back, this is another match or a correction, and newer worlds are wrong.
static void keep(struct kill_cam *cam, const struct world *world)
{
    while (cam->world_count && (int32_t)(newest(cam) - world->tick) > 0)
        cam->world_count--;
    if (cam->world_count && world->tick - newest(cam) < KILL_CAM_EACH_TICKS)
        return;
    world_copy(world_at(cam, cam->world_count), world);
    cam->world_count++;
}

static void take_kills(struct kill_cam *cam, const struct view *live)
{
    for (uint32_t i = 0; i < live->event_count; i++) {
        bool kill = live->events[i].kind == EVENT_KILL;
        if (kill && live->world->round.phase == ROUND_PLAYING)
            cam->has_kill = false; // the earlier kill was not the last
        if (kill && !cam->has_kill) {
            cam->kill = live->events[i];
            cam->has_kill = true;
        }
    }
}

static bool is_over(const struct world *world)
{
    return world->round.phase == ROUND_OVER || world->round.phase == ROUND_MATCH_OVER;
}

// Returns the oldest stored world at or after a tick.
static uint32_t first_at(const struct kill_cam *cam, tick from)
{
    uint32_t number = cam->world_count > KILL_CAM_WORLDS ? cam->world_count - KILL_CAM_WORLDS : 0;
    while (number + 1 < cam->world_count && (int32_t)(world_at(cam, number)->tick - from) < 0)
        number++;
    return number;
}

static void begin(struct kill_cam *cam, tick now)
{
    cam->shows = cam->has_shown = true;
    cam->since = now;
    cam->drawn = first_at(cam, cam->kill.tick - KILL_CAM_BEFORE_TICKS);
}

static void take_events(struct view *view, const struct world *before, const struct world *now)
{
    uint32_t fresh = now->event_count - before->event_count;
    for (uint32_t i = fresh < EVENT_CAPACITY ? fresh : EVENT_CAPACITY; i > 0; i--)
        if (view->event_count < VIEW_EVENT_CAPACITY)
            view->events[view->event_count++] = now->events[(now->event_count - i) % EVENT_CAPACITY];
}

// Fills the view for a moment, in 1/256 tick. Returns false after the last world.
static bool fill(struct kill_cam *cam, const struct map *map, uint64_t moment)
{
    cam->view.event_count = 0;
    while (cam->drawn + 1 < cam->world_count && world_at(cam, cam->drawn + 1)->tick * 256ull <= moment) {
        take_events(&cam->view, world_at(cam, cam->drawn), world_at(cam, cam->drawn + 1));
        cam->drawn++;
    }
    if (cam->drawn + 1 >= cam->world_count)
        return false;
    const struct world *a = world_at(cam, cam->drawn), *b = world_at(cam, cam->drawn + 1);
    uint64_t passed = moment > a->tick * 256ull ? moment - a->tick * 256ull : 0;
    uint32_t between = (uint32_t)(passed / (b->tick - a->tick));
    view_fill(&cam->view, map, a, b, between < 256 ? between : 256, 0);
    cam->view.slot = cam->kill.other < PLAYER_CAPACITY ? cam->kill.other : cam->kill.subject;
    return true;
}

struct view *kill_cam_record(struct kill_cam *cam, const struct view *live)
{
    const struct world *world = live->world;
    if (!cam->worlds)
        return 0;
    if (!is_over(world) && cam->has_shown)
        kill_cam_clear(cam);
    take_kills(cam, live);
    if (!cam->shows)
        keep(cam, world);
    bool has_aftermath = cam->has_kill && (int32_t)(newest(cam) - cam->kill.tick) >= KILL_CAM_AFTER_TICKS;
    if (is_over(world) && has_aftermath && !cam->has_shown)
        begin(cam, world->tick);
    if (!cam->shows)
        return 0;
    uint64_t shown = ((uint64_t)(world->tick - cam->since) * 256 + live->between) / KILL_CAM_SLOWNESS;
    uint64_t moment = (uint64_t)(cam->kill.tick - KILL_CAM_BEFORE_TICKS) * 256 + shown;
    cam->view.hats = live->hats;
    cam->shows = moment <= (uint64_t)(cam->kill.tick + KILL_CAM_AFTER_TICKS) * 256 && fill(cam, live->map, moment);
    return cam->shows ? &cam->view : 0;
}
