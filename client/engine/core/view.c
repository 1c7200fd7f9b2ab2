// SPDX-License-Identifier: MIT
#include "view.h"

#include <stddef.h>

#include "pose.h"
#include "smoothing.h"
#include "sync/world.h"

const char *const VIEW_KIND_NAMES[] = {[VIEW_PREDICTED] = "predicted", [VIEW_INTERPOLATED] = "interpolated", NULL};

static int32_t interpolate(int32_t from, int32_t to, uint32_t between)
{
    return from + (int32_t)((int64_t)(to - from) * (int32_t)between / 256);
}

static struct view_point drawn_point(const struct map *map, struct pose from, struct pose to, uint32_t between)
{
    if (!pose_is_continuous(map, from, to))
        return (struct view_point){to.x, to.y};
    return (struct view_point){interpolate(to.x - pose_x_offset(map, from, to), to.x, between),
                               interpolate(to.y - pose_y_offset(map, from, to), to.y, between)};
}

// On a map that wraps, an error can put a figure far beyond the seam.
static int32_t inside(const struct map *map, int32_t value, int32_t tiles)
{
    int32_t side = tiles * MAP_EDGE_PX * DF_SUB;
    bool far = value < -POSE_TELEPORT_SUB || value >= side + POSE_TELEPORT_SUB;
    return far && map->outside == DF_OUTSIDE_WRAP ? value - df_floor_div(value, side) * side : value;
}

void view_fill(struct view *view, const struct map *map, const struct world *before, const struct world *present,
               uint32_t between, const struct smoothing *smoothing)
{
    struct pose from[POSE_CAPACITY], to[POSE_CAPACITY];
    pose_all(from, map, before);
    pose_all(to, map, present);
    view->map = map;
    view->world = view->confirmed = present;
    view->between = between;
    view->held_count = 0;
    for (uint32_t i = 0; i < POSE_CAPACITY; i++) {
        struct view_point *point = i < POSE_SOLIDS  ? &view->actors[i]
                                   : i < POSE_BALLS ? &view->solids[i - POSE_SOLIDS]
                                                    : &view->balls[i - POSE_BALLS];
        *point = drawn_point(map, from[i], to[i], between);
        if (smoothing) {
            point->x += interpolate(smoothing->before[i].x, smoothing->now[i].x, between);
            point->y += interpolate(smoothing->before[i].y, smoothing->now[i].y, between);
        }
        if (smoothing && i < POSE_SOLIDS)
            *point = (struct view_point){inside(map, point->x, map->columns), inside(map, point->y, map->rows)};
    }
    for (uint32_t i = 0; smoothing && i < present->player_slots; i++)
        if (to[i].identity == 0)
            view->actors[i] = (struct view_point){smoothing->held[i].x, smoothing->held[i].y};
}

// Interpolated players are as the server says.
static bool is_certain(const struct view *view, uint32_t slot)
{
    return view->kind == VIEW_INTERPOLATED && slot != view->slot;
}

bool view_is_dying(const struct view *view, uint32_t slot)
{
    const struct player *predicted = &view->world->players[slot], *confirmed = &view->confirmed->players[slot];
    return pose_is_dying(predicted, confirmed) && !is_certain(view, slot);
}

bool view_shows(const struct view *view, uint32_t slot)
{
    const struct player *predicted = &view->world->players[slot], *confirmed = &view->confirmed->players[slot];
    if (predicted->state != PLAYER_ALIVE)
        return view_is_dying(view, slot);
    bool certain = slot == view->slot || is_certain(view, slot);
    return certain || pose_is_same_life(predicted, confirmed);
}

const struct player *view_player(const struct view *view, uint32_t slot)
{
    return view_is_dying(view, slot) ? &view->confirmed->players[slot] : &view->world->players[slot];
}

// Others have what a chest gave them once that is confirmed.
static const struct player *gifted_player(const struct view *view, uint32_t slot)
{
    bool early = slot == view->slot || is_certain(view, slot);
    return early ? view_player(view, slot) : &view->confirmed->players[slot];
}

bool view_has_shield(const struct view *view, uint32_t slot)
{
    const struct player *predicted = &view->world->players[slot], *confirmed = &view->confirmed->players[slot];
    bool had = confirmed->shield && !is_certain(view, slot) && pose_is_same_life(predicted, confirmed);
    return had || gifted_player(view, slot)->shield;
}

tick view_wings_until(const struct view *view, uint32_t slot)
{
    return gifted_player(view, slot)->wings_until;
}

bool view_lid_is_up(const struct view *view, const struct world *world, uint32_t chest)
{
    return world->chests[chest].state == CHEST_OPENING && world->chests[chest].opener == view->slot + 1;
}

// Returns whether the own player took what is gone in the last step of a world. It may have moved in that step.
static bool is_taken_by_own(const struct view *view, const struct world *world, const struct df_actor *gone)
{
    struct pose at = {.x = (gone->x + gone->w / 2) * DF_SUB, .y = (gone->y + gone->h / 2) * DF_SUB};
    for (uint32_t i = 0; i < EVENT_CAPACITY; i++) {
        const struct event *event = &world->events[i];
        bool takes = event->kind == EVENT_PICKUP || event->kind == EVENT_CATCH;
        struct pose place = {.x = event->x * DF_SUB, .y = event->y * DF_SUB};
        if (takes && event->tick == world->tick && event->subject == view->slot &&
            pose_distance(view->map, at, place) <= POSE_TELEPORT_SUB)
            return true;
    }
    return false;
}

static void hold(struct view *view, const struct world *before, const struct world *after, uint32_t actor)
{
    const struct df_actor *gone = &before->actors[actor];
    if (view->held_count == VIEW_HELD_CAPACITY || is_taken_by_own(view, after, gone))
        return;
    struct view_point at = {gone->x * DF_SUB + gone->rem_x, gone->y * DF_SUB + gone->rem_y};
    view->held[view->held_count++] = (struct view_held){.world = before, .actor = actor, .at = at};
}

// A shot takes the place of the oldest arrow if there are too many.
static bool is_gone(const struct arrow *before, const struct arrow *after)
{
    bool replaced = after->owner != 0 && (after->owner != before->owner || after->kind != before->kind);
    return before->state != ARROW_ABSENT && (after->state == ARROW_ABSENT || replaced);
}

void view_hold(struct view *view, const struct world *before, const struct world *after)
{
    for (uint32_t i = 0; i < before->arrow_slots; i++)
        if (is_gone(&before->arrows[i], &after->arrows[i]))
            hold(view, before, after, PLAYER_CAPACITY + i);
    for (uint32_t i = 0; i < before->chest_count; i++)
        if (before->chests[i].state != CHEST_AWAY && after->chests[i].state == CHEST_AWAY)
            hold(view, before, after, CHEST_ACTORS + i);
}

void view_add_events(struct view *view, const struct world *world, uint32_t first)
{
    uint32_t count = world->event_count - first;
    for (uint32_t i = count < EVENT_CAPACITY ? count : EVENT_CAPACITY; i > 0; i--)
        if (view->event_count < VIEW_EVENT_CAPACITY)
            view->events[view->event_count++] = world->events[(world->event_count - i) % EVENT_CAPACITY];
}

// Returns how far the solid that an actor rides has moved from its confirmed position to where it is drawn.
static struct view_point ride_offset(const struct view *view, const struct world *world, const struct pose *poses,
                                     uint32_t actor)
{
    uint32_t solid = pose_ridden_solid(view->map, world, actor);
    if (solid == POSE_NO_SOLID)
        return (struct view_point){0, 0};
    return (struct view_point){view->solids[solid].x - poses[POSE_SOLIDS + solid].x,
                               view->solids[solid].y - poses[POSE_SOLIDS + solid].y};
}

static bool is_own(const struct view *view, uint32_t actor)
{
    bool arrow = actor >= PLAYER_CAPACITY;
    return arrow ? view->world->arrows[actor - PLAYER_CAPACITY].owner == view->slot + 1 : actor == view->slot;
}

static void copy_actor(struct world *shown, const struct world *to, uint32_t actor)
{
    shown->actors[actor] = to->actors[actor];
    if (actor < PLAYER_CAPACITY)
        shown->players[actor] = to->players[actor];
    else
        shown->arrows[actor - PLAYER_CAPACITY] = to->arrows[actor - PLAYER_CAPACITY];
}

void view_fill_confirmed(struct view *view, struct world *shown, const struct world *from, const struct world *to,
                         uint32_t between)
{
    struct pose a[POSE_CAPACITY], b[POSE_CAPACITY];
    pose_all(a, view->map, from);
    pose_all(b, view->map, to);
    world_copy(shown, view->world);
    shown->player_slots = to->player_slots > shown->player_slots ? to->player_slots : shown->player_slots;
    shown->arrow_slots = to->arrow_slots > shown->arrow_slots ? to->arrow_slots : shown->arrow_slots;
    for (uint32_t i = 0; i < CHEST_ACTORS; i++) {
        bool used = i < PLAYER_CAPACITY ? i < shown->player_slots : i - PLAYER_CAPACITY < shown->arrow_slots;
        if (!used || is_own(view, i))
            continue;
        copy_actor(shown, to, i);
        struct view_point before = ride_offset(view, from, a, i), after = ride_offset(view, to, b, i);
        struct view_point point = drawn_point(view->map, a[i], b[i], between);
        if (!pose_is_continuous(view->map, a[i], b[i]))
            before = after;
        view->actors[i] = (struct view_point){point.x + interpolate(before.x, after.x, between),
                                              point.y + interpolate(before.y, after.y, between)};
    }
    for (uint32_t i = 0; i < to->ball_count && i < shown->ball_count; i++) {
        shown->balls[i] = to->balls[i];
        view->balls[i] = drawn_point(view->map, a[POSE_BALLS + i], b[POSE_BALLS + i], between);
    }
    view->world = shown;
}
