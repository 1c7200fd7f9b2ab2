// SPDX-License-Identifier: MIT
#include "kill_cam.h"

#include <stdlib.h>

bool kill_cam_create(struct kill_cam *recall)
{
    recall->worlds = calloc(KILL_CAM_WORLDS, sizeof *recall->worlds);
    return recall->worlds;
}

void kill_cam_destroy(struct kill_cam *recall)
{
    free(recall->worlds);
    *recall = (struct kill_cam){0};
}

void kill_cam_clear(struct kill_cam *recall)
{
    recall->kept = 0;
    recall->has_kill = recall->shows = recall->has_shown = false;
}

static struct world *world_at(const struct kill_cam *recall, uint32_t number)
{
    return &recall->worlds[number % KILL_CAM_WORLDS];
}

static tick newest(const struct kill_cam *recall)
{
    return recall->kept ? world_at(recall, recall->kept - 1)->tick : 0;
}

// A world whose time went back belongs to another match, or to a correction: what came after it is not true.
static void keep(struct kill_cam *recall, const struct world *world)
{
    while (recall->kept && (int32_t)(newest(recall) - world->tick) > 0)
        recall->kept--;
    if (recall->kept && world->tick - newest(recall) < KILL_CAM_EACH_TICKS)
        return;
    world_copy(world_at(recall, recall->kept), world);
    recall->kept++;
}

static void take_kills(struct kill_cam *recall, const struct view *live)
{
    for (uint32_t i = 0; i < live->event_count; i++) {
        bool kill = live->events[i].kind == EVENT_KILL;
        if (kill && live->world->round.phase == ROUND_PLAYING)
            recall->has_kill = false; // that of a moment ago was not the last
        if (kill && !recall->has_kill) {
            recall->kill = live->events[i];
            recall->has_kill = true;
        }
    }
}

static bool is_over(const struct world *world)
{
    return world->round.phase == ROUND_OVER || world->round.phase == ROUND_MATCH_OVER;
}

// The oldest world that is kept, at or after a tick.
static uint32_t first_at(const struct kill_cam *recall, tick from)
{
    uint32_t number = recall->kept > KILL_CAM_WORLDS ? recall->kept - KILL_CAM_WORLDS : 0;
    while (number + 1 < recall->kept && (int32_t)(world_at(recall, number)->tick - from) < 0)
        number++;
    return number;
}

static void begin(struct kill_cam *recall, tick now)
{
    recall->shows = recall->has_shown = true;
    recall->since = now;
    recall->drawn = first_at(recall, recall->kill.tick - KILL_CAM_BEFORE_TICKS);
}

static void take_events(struct view *view, const struct world *before, const struct world *now)
{
    uint32_t fresh = now->event_count - before->event_count;
    for (uint32_t i = fresh < EVENT_CAPACITY ? fresh : EVENT_CAPACITY; i > 0; i--)
        if (view->event_count < VIEW_EVENT_CAPACITY)
            view->events[view->event_count++] = now->events[(now->event_count - i) % EVENT_CAPACITY];
}

// Fills the view at a moment, 1/256 tick; false beyond the last world.
static bool fill(struct kill_cam *recall, const struct map *map, uint64_t moment)
{
    recall->view.event_count = 0;
    while (recall->drawn + 1 < recall->kept && world_at(recall, recall->drawn + 1)->tick * 256ull <= moment) {
        take_events(&recall->view, world_at(recall, recall->drawn), world_at(recall, recall->drawn + 1));
        recall->drawn++;
    }
    if (recall->drawn + 1 >= recall->kept)
        return false;
    const struct world *a = world_at(recall, recall->drawn), *b = world_at(recall, recall->drawn + 1);
    uint64_t passed = moment > a->tick * 256ull ? moment - a->tick * 256ull : 0;
    uint32_t between = (uint32_t)(passed / (b->tick - a->tick));
    view_fill(&recall->view, map, a, b, between < 256 ? between : 256, 0);
    recall->view.slot = recall->kill.other < PLAYER_CAPACITY ? recall->kill.other : recall->kill.subject;
    return true;
}

struct view *kill_cam_record(struct kill_cam *recall, const struct view *live)
{
    const struct world *world = live->world;
    if (!recall->worlds)
        return 0;
    if (!is_over(world) && recall->has_shown)
        kill_cam_clear(recall);
    take_kills(recall, live);
    if (!recall->shows)
        keep(recall, world);
    bool kept_enough = recall->has_kill && (int32_t)(newest(recall) - recall->kill.tick) >= KILL_CAM_AFTER_TICKS;
    if (is_over(world) && kept_enough && !recall->has_shown)
        begin(recall, world->tick);
    if (!recall->shows)
        return 0;
    uint64_t shown = ((uint64_t)(world->tick - recall->since) * 256 + live->between) / KILL_CAM_SLOWNESS;
    uint64_t moment = (uint64_t)(recall->kill.tick - KILL_CAM_BEFORE_TICKS) * 256 + shown;
    recall->view.hats = live->hats;
    recall->shows =
        moment <= (uint64_t)(recall->kill.tick + KILL_CAM_AFTER_TICKS) * 256 && fill(recall, live->map, moment);
    return recall->shows ? &recall->view : 0;
}
