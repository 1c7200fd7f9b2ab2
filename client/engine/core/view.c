// SPDX-License-Identifier: MIT
#include "view.h"

#include <stddef.h>

#include "smoothing.h"

const char *const VIEW_KIND_NAMES[] = {[VIEW_PREDICTED] = "predicted", [VIEW_INTERPOLATED] = "interpolated", NULL};

int32_t view_interpolate(int32_t from, int32_t to, uint32_t between)
{
    return from + (int32_t)((int64_t)(to - from) * (int32_t)between / 256);
}

struct view_point view_point_between(const struct map *map, struct pose from, struct pose to, uint32_t between)
{
    if (!pose_is_continuous(map, from, to))
        return (struct view_point){to.x, to.y};
    return (struct view_point){view_interpolate(to.x - pose_x_offset(map, from, to), to.x, between),
                               view_interpolate(to.y - pose_y_offset(map, from, to), to.y, between)};
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
