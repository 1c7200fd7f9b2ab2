// SPDX-License-Identifier: MIT
#include "view.h"

#include "place.h"
#include "smoothing.h"

static int32_t mix(int32_t from, int32_t to, uint32_t between)
{
    return from + (int32_t)((int64_t)(to - from) * (int32_t)between / 256);
}

static struct view_point drawn_point(struct place from, struct place to, uint32_t between)
{
    if (!place_joined(from, to))
        return (struct view_point){to.x, to.y};
    return (struct view_point){mix(from.x, to.x, between), mix(from.y, to.y, between)};
}

void view_fill(struct view *view, const struct map *map, const struct world *before, const struct world *present,
               uint32_t between, const struct smoothing *smoothing)
{
    struct place from[PLACE_CAPACITY], to[PLACE_CAPACITY];
    place_all(from, before);
    place_all(to, present);
    view->map = map;
    view->world = present;
    view->between = between;
    for (uint32_t i = 0; i < PLACE_CAPACITY; i++) {
        struct view_point *point = i < PLACE_SOLIDS  ? &view->actors[i]
                                   : i < PLACE_BALLS ? &view->solids[i - PLACE_SOLIDS]
                                                     : &view->balls[i - PLACE_BALLS];
        *point = drawn_point(from[i], to[i], between);
        if (smoothing) {
            point->x += mix(smoothing->before[i].x, smoothing->now[i].x, between);
            point->y += mix(smoothing->before[i].y, smoothing->now[i].y, between);
        }
    }
}
