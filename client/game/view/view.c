// SPDX-License-Identifier: MIT
//
// What this game draws at one moment (core/view.h).
#include "core/view.h"

#include <stddef.h>
#include <string.h>

#include "game/gift.h"
#include "sync/world.h"

// Two bodies.
const int32_t POSE_TELEPORT_SUB = 24 * 256;

uint32_t game_view_ridden_solid(const struct map *map, const struct world *world, uint32_t actor)
{
    struct df_tiles tiles = {.kinds = map->tiles,
                             .columns = map->columns,
                             .rows = map->rows,
                             .edge_px = MAP_EDGE_PX,
                             .outside = (enum df_outside)map->outside};
    const struct df_actor *rider = &world->actors[actor];
    bool wraps = tiles.outside == DF_OUTSIDE_WRAP;
    for (uint32_t i = 0; i < world->solid_count; i++) {
        const struct df_solid *solid = &world->solids[i];
        bool is_apart = !wraps && (solid->x > rider->x + rider->w || solid->x + solid->w < rider->x ||
                                   solid->y > rider->y + rider->h || solid->y + solid->h < rider->y);
        if (!is_apart && df_actor_rides(rider, solid, &tiles))
            return i;
    }
    return GAME_VIEW_NO_SOLID;
}

static struct pose actor_pose(const struct map *map, const struct world *world, uint32_t index, uint64_t identity)
{
    const struct df_actor *actor = &world->actors[index];
    if (identity == 0 || !(actor->flags & DF_ACTOR_ALIVE))
        return (struct pose){0};
    struct pose pose = {actor->x * 256 + actor->rem_x, actor->y * 256 + actor->rem_y, identity};
    uint32_t solid = game_view_ridden_solid(map, world, index);
    if (solid != GAME_VIEW_NO_SOLID) {
        pose.x += world->solids[solid].rem_x;
        pose.y += world->solids[solid].rem_y;
    }
    return pose;
}

uint64_t pose_life(const struct player *player)
{
    return player->state == PLAYER_ALIVE ? 1 + ((uint64_t)player->generation << 32 | player->stats.deaths) : 0;
}

void pose_all(struct pose *poses, const struct map *map, const struct world *world)
{
    memset(poses, 0, POSE_CAPACITY * sizeof *poses);
    for (uint32_t i = 0; i < world->player_slots; i++)
        poses[i] = actor_pose(map, world, i, pose_life(&world->players[i]));
    for (uint32_t i = 0; i < world->arrow_slots; i++) {
        uint64_t identity = world->arrows[i].state != ARROW_ABSENT ? 1 + (uint64_t)world->arrows[i].owner : 0;
        poses[PLAYER_CAPACITY + i] = actor_pose(map, world, PLAYER_CAPACITY + i, identity);
    }
    for (uint32_t i = 0; i < world->chest_count; i++)
        poses[CHEST_ACTORS + i] = actor_pose(map, world, CHEST_ACTORS + i, world->chests[i].state != CHEST_AWAY);
    for (uint32_t i = 0; i < world->solid_count; i++) {
        const struct df_solid *solid = &world->solids[i];
        poses[POSE_SOLIDS + i] = (struct pose){solid->x * 256 + solid->rem_x, solid->y * 256 + solid->rem_y,
                                               solid->flags & DF_SOLID_PRESENT};
    }
    for (uint32_t i = 0; i < world->ball_count; i++) {
        const struct df_ball *ball = &world->balls[i];
        poses[POSE_BALLS + i] = (struct pose){ball->cx, ball->cy, ball->flags & DF_BALL_ALIVE};
    }
}

struct pose pose_of_player(const struct world *world, uint32_t slot)
{
    const struct df_actor *actor = &world->actors[slot];
    return (struct pose){actor->x * DF_SUB + actor->rem_x, actor->y * DF_SUB + actor->rem_y, 1};
}

struct view_point pose_offset(const struct map *map, struct pose from, struct pose to)
{
    return (struct view_point){map_distance(map, from.x, to.x, map->columns * MAP_EDGE_PX * 256),
                               map_distance(map, from.y, to.y, map->rows * MAP_EDGE_PX * 256)};
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
        *point = view_point_smoothed(map, from, to, i, between, smoothing);
        if (smoothing && i < POSE_SOLIDS)
            *point = (struct view_point){inside(map, point->x, map->columns), inside(map, point->y, map->rows)};
    }
    for (uint32_t i = 0; smoothing && i < present->player_slots; i++)
        if (to[i].identity == 0)
            view->actors[i] = (struct view_point){smoothing->held[i].x, smoothing->held[i].y};
}

// Returns whether the own player took what is gone in the last step of a world. It may have moved in that step.
static bool is_taken_by_own(const struct view *view, const struct world *world, const struct df_actor *gone)
{
    struct pose at = {.x = (gone->x + gone->w / 2) * DF_SUB, .y = (gone->y + gone->h / 2) * DF_SUB};
    for (uint32_t i = 0; i < EVENT_CAPACITY; i++) {
        const struct event *event = &world->events[i];
        bool takes = event->kind == EVENT_PICKUP || event->kind == EVENT_CATCH;
        struct pose place = {.x = event->x * DF_SUB, .y = event->y * DF_SUB};
        if (takes && event->tick == world->tick && view_is_own(view, event->subject) &&
            pose_distance(view->map, at, place) <= (uint32_t)POSE_TELEPORT_SUB)
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

void view_hold(struct view *view, const struct world *before, const struct world *after)
{
    for (uint32_t i = 0; i < before->arrow_slots; i++) {
        const struct arrow *was = &before->arrows[i], *is = &after->arrows[i];
        // A shot takes the place of the oldest arrow if there are too many.
        bool replaced = is->owner != 0 && (is->owner != was->owner || is->kind != was->kind);
        if (was->state != ARROW_ABSENT && (is->state == ARROW_ABSENT || replaced))
            hold(view, before, after, PLAYER_CAPACITY + i);
    }
    for (uint32_t i = 0; i < before->chest_count; i++)
        if (before->chests[i].state != CHEST_AWAY && after->chests[i].state == CHEST_AWAY)
            hold(view, before, after, CHEST_ACTORS + i);
}

// Returns how far the solid that an actor rides has moved from its confirmed position to where it is drawn.
static struct view_point ride_offset(const struct view *view, const struct world *world, const struct pose *poses,
                                     uint32_t actor)
{
    uint32_t solid = game_view_ridden_solid(view->map, world, actor);
    if (solid == GAME_VIEW_NO_SOLID)
        return (struct view_point){0, 0};
    return (struct view_point){view->solids[solid].x - poses[POSE_SOLIDS + solid].x,
                               view->solids[solid].y - poses[POSE_SOLIDS + solid].y};
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
        bool is_player = i < PLAYER_CAPACITY;
        uint32_t arrow = i - PLAYER_CAPACITY; // if it is no player
        if (is_player ? i >= shown->player_slots : arrow >= shown->arrow_slots)
            continue;
        if (view_is_own(view, is_player ? i : view->world->arrows[arrow].owner - 1))
            continue;
        shown->actors[i] = to->actors[i];
        if (is_player)
            shown->players[i] = to->players[i];
        else
            shown->arrows[arrow] = to->arrows[arrow];
        struct view_point before = ride_offset(view, from, a, i), after = ride_offset(view, to, b, i);
        struct view_point point = view_point_between(view->map, a[i], b[i], between);
        if (!pose_is_continuous(view->map, a[i], b[i]))
            before = after;
        view->actors[i] = (struct view_point){point.x + view_interpolate(before.x, after.x, between),
                                              point.y + view_interpolate(before.y, after.y, between)};
    }
    for (uint32_t i = 0; i < to->ball_count && i < shown->ball_count; i++) {
        shown->balls[i] = to->balls[i];
        view->balls[i] = view_point_between(view->map, a[POSE_BALLS + i], b[POSE_BALLS + i], between);
    }
    view->world = shown;
}

// Events that are shown with the prediction: actions of the own player, and what a crusher does once it is confirmed to
// have been set off, since the rest follows by the clock alone. All others are facts.
enum { FACT, ACTION, CRUSHER };
static const uint8_t CLASSES[EVENT_KINDS] = {
    [EVENT_JUMP] = ACTION,  [EVENT_LAND] = ACTION,  [EVENT_DASH] = ACTION,  [EVENT_GRAB] = ACTION,
    [EVENT_SHOOT] = ACTION, [EVENT_FALL] = CRUSHER, [EVENT_SLAM] = CRUSHER,
};

bool view_shows_early(const struct event *event, const struct world *confirmed, const struct local_seats *own)
{
    uint8_t class = event->kind < EVENT_KINDS ? CLASSES[event->kind] : FACT;
    if (class != CRUSHER || event->detail >= SOLID_CAPACITY)
        return class == ACTION && local_seats_have(own, event->subject);
    uint32_t state = confirmed->crushers[event->detail].state;
    return state == CRUSHER_WARNING || state == CRUSHER_FALLING;
}

// The detail of a landing is its speed, which a correction changes.
bool view_is_same_event(const struct event *a, const struct event *b)
{
    return a->kind == b->kind && a->subject == b->subject && a->other == b->other &&
           (a->kind == EVENT_LAND || a->detail == b->detail);
}

uint32_t game_view_gift_ticks(const struct view *view, uint32_t slot, enum map_gift gift, tick now)
{
    const struct player *predicted = &view->world->players[slot], *confirmed = &view->confirmed->players[slot];
    bool early = view_is_own(view, slot) || view_is_certain(view, slot);
    uint32_t left = gift_left_ticks(early ? view_player(view, slot) : confirmed, gift, now);
    bool used_up = left == 0 && !view_is_certain(view, slot) && pose_is_same_life(predicted, confirmed) &&
                   gift_left_ticks(confirmed, gift, now) == GIFT_UNTIL_USED;
    return used_up ? GIFT_UNTIL_USED : left;
}

bool game_view_lid_is_up(const struct view *view, const struct world *world, uint32_t chest)
{
    return world->chests[chest].state == CHEST_OPENING && view_is_own(view, world->chests[chest].opener - 1);
}

bool game_view_holds_arrow(const struct view_held *held)
{
    return held->actor < CHEST_ACTORS;
}

void game_view_keep_held(struct view *view, struct world *gone)
{
    for (struct view_held *held = view->held; held < view->held + view->held_count; held++) {
        uint32_t arrow = held->actor - PLAYER_CAPACITY, chest = held->actor - CHEST_ACTORS;
        gone->actors[held->actor] = held->world->actors[held->actor];
        if (game_view_holds_arrow(held))
            gone->arrows[arrow] = held->world->arrows[arrow];
        else
            gone->chests[chest] = held->world->chests[chest];
        held->world = gone;
    }
}
