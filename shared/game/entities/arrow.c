// SPDX-License-Identifier: MIT
#include "entities.h"

#include <stdlib.h>
#include <string.h>

#include "game/event.h"
#include "game/rules/round.h"
#include "game/tuning.h"

static uint32_t actor_of(uint32_t arrow)
{
    return PLAYER_CAPACITY + arrow;
}

// An empty slot. In a full world the oldest stuck arrow makes room, or the oldest of all if every arrow flies.
static uint32_t free_slot(struct step *step)
{
    const struct world *world = step->world;
    uint32_t oldest = 0;
    for (uint32_t i = 0; i < ARROW_CAPACITY; i++) {
        const struct arrow *arrow = &world->arrows[i], *best = &world->arrows[oldest];
        if (arrow->state == ARROW_ABSENT)
            return i;
        if (arrow->state != best->state ? arrow->state == ARROW_STUCK : arrow->since_tick < best->since_tick)
            oldest = i;
    }
    arrow_remove(step, oldest);
    return oldest;
}

static void release(struct world *world, struct arrow *arrow)
{
    arrow->state = ARROW_FLYING;
    arrow->vx = arrow->vy = 0;
    arrow->stuck_in = 0;
    arrow->since_tick = world->tick - TUNING.arrow_straight_ticks; // it falls at once
}

// Puts a new arrow into the world, its upper left corner at x, y px.
static void put(struct step *step, struct arrow arrow, int32_t x, int32_t y)
{
    struct world *world = step->world;
    uint32_t slot = free_slot(step);
    int32_t edge = TUNING.arrow_edge_px;
    arrow.state = ARROW_FLYING;
    world->arrows[slot] = arrow;
    if (world->arrow_slots <= slot)
        world->arrow_slots = slot + 1;
    step_put_actor(
        step, actor_of(slot),
        (struct df_actor){.x = x, .y = y, .w = edge, .h = edge, .ride = DF_RIDE_NEVER, .flags = DF_ACTOR_ALIVE});
}

void arrow_shoot(struct step *step, enum arrow_kind kind, uint32_t owner, struct df_box from, int32_t aim_x,
                 int32_t aim_y)
{
    const struct tuning *tuning = step->tuning;
    int32_t speed = aim_x != 0 && aim_y != 0 ? tuning->arrow_diagonal : tuning->arrow_speed;
    struct arrow arrow = {.kind = kind,
                          .owner = owner == EVENT_NOBODY ? 0 : owner + 1,
                          .vx = aim_x * speed,
                          .vy = aim_y * speed,
                          .since_tick = step->world->tick};
    put(step, arrow, from.x + (from.w - tuning->arrow_edge_px) / 2, from.y + (from.h - tuning->arrow_edge_px) / 2);
}

void arrow_leave_bomb(struct step *step, uint32_t owner, int32_t x, int32_t y, uint32_t fuse_ticks)
{
    int32_t edge = TUNING.arrow_edge_px;
    struct df_box box = {x - edge / 2, y - edge / 2, edge, edge};
    struct arrow bomb = {.kind = ARROW_BOMB, .owner = owner + 1, .burnt_tick = step->world->tick + fuse_ticks};
    if (df_space_blocked(&step->space, box))
        return;
    release(step->world, &bomb);
    put(step, bomb, box.x, box.y);
}

void arrow_remove(struct step *step, uint32_t arrow)
{
    struct world *world = step->world;
    memset(&world->arrows[arrow], 0, sizeof world->arrows[arrow]);
    step_put_actor(step, actor_of(arrow), (struct df_actor){0});
    while (world->arrow_slots > 0 && world->arrows[world->arrow_slots - 1].state == ARROW_ABSENT)
        world->arrow_slots--;
}

void arrow_break(struct step *step, uint32_t arrow)
{
    struct df_box box = step_actor_box(step, actor_of(arrow));
    if (step->world->arrows[arrow].kind == ARROW_BOMB)
        step_explode(step, box, step->world->arrows[arrow].owner);
    else
        event_push(step->world, EVENT_BREAK, box.x + box.w / 2, box.y + box.h / 2, EVENT_NOBODY, EVENT_NOBODY, 1);
    arrow_remove(step, arrow);
}

static void stick(struct step *step, uint32_t slot, struct df_hit hit)
{
    struct arrow *arrow = &step->world->arrows[slot];
    struct df_box box = step_actor_box(step, actor_of(slot));
    if (arrow->kind == ARROW_BOMB && arrow->burnt_tick == 0)
        arrow->burnt_tick = step->world->tick + TUNING.bomb_fuse_ticks;
    arrow->state = ARROW_STUCK;
    arrow->stuck_in = hit.kind == DF_HIT_SOLID ? (uint32_t)hit.index + 1 : 0;
    arrow->since_tick = step->world->tick;
    if (arrow->owner != 0)
        step->world->players[arrow->owner - 1].stats.wall_shots += round_counts(step->world);
    event_push(step->world, EVENT_STICK, box.x + box.w / 2, box.y + box.h / 2, step_slot_of(arrow->owner), slot,
               arrow->kind);
}

static void push_drill_event(struct step *step, struct df_box box, const struct arrow *arrow)
{
    event_push(step->world, EVENT_DRILL, box.x + box.w / 2, box.y + box.h / 2, step_slot_of(arrow->owner), EVENT_NOBODY,
               0);
}

// How far a drill goes along the wall while it goes `px` into it; no steeper than a diagonal.
static int32_t aside(int32_t across, int32_t into, int32_t px)
{
    int32_t longer = abs(across) > abs(into) ? abs(across) : abs(into);
    return longer == 0 ? 0 : across * px / longer;
}

// Lets a drill arrow pass the wall that it hit on one axis (`dx` or `dy` is 0, the other -1 or +1), once in its flight:
// moves it to the first free place along its path in this tick, so it is never inside a wall. Returns false and changes
// nothing if the wall is thicker than TUNING.drill_px.
static bool drill_through(struct step *step, uint32_t arrow_slot, int32_t dx, int32_t dy)
{
    struct arrow *arrow = &step->world->arrows[arrow_slot];
    uint32_t actor = actor_of(arrow_slot);
    struct df_box here = step_actor_box(step, actor);
    if (arrow->kind != ARROW_DRILL || arrow->spent != 0)
        return false;
    for (int32_t px = 1; px <= TUNING.drill_px + TUNING.arrow_edge_px; px++) {
        struct df_box there = here;
        there.x += dx != 0 ? dx * px : aside(arrow->vx, arrow->vy, px);
        there.y += dy != 0 ? dy * px : aside(arrow->vy, arrow->vx, px);
        if (df_space_blocked(&step->space, there))
            continue;
        if (df_actor_place(&step->space, (int32_t)actor, there.x, there.y) != DF_OK)
            return false;
        arrow->spent = 1;
        push_drill_event(step, here, arrow);
        push_drill_event(step, there, arrow);
        return true;
    }
    return false;
}

static void hit_x(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    (void)space;
    uint32_t slot = (uint32_t)actor - PLAYER_CAPACITY;
    if (hit.kind != DF_HIT_TILE || !drill_through(context, slot, hit.direction, 0))
        stick(context, slot, hit);
}

static void hit_y(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    (void)space;
    uint32_t slot = (uint32_t)actor - PLAYER_CAPACITY;
    if (hit.kind != DF_HIT_TILE || !drill_through(context, slot, 0, hit.direction))
        stick(context, slot, hit);
}

void arrow_drop(struct step *step, uint32_t arrow)
{
    release(step->world, &step->world->arrows[arrow]);
}

static void fly(struct step *step, uint32_t slot)
{
    struct arrow *arrow = &step->world->arrows[slot];
    int32_t actor = (int32_t)actor_of(slot);
    uint32_t age_ticks = step->world->tick - arrow->since_tick;
    if (age_ticks >= TUNING.arrow_straight_ticks && arrow->vy < step->tuning->arrow_fall_max)
        arrow->vy += step->tuning->arrow_gravity;
    if (arrow->vx != 0)
        df_actor_move_x(&step->space, actor, arrow->vx, hit_x, step);
    if (arrow->state == ARROW_FLYING)
        df_actor_move_y(&step->space, actor, arrow->vy, hit_y, step);
    if (step_is_lost(step, step_actor_box(step, actor_of(slot))))
        arrow_remove(step, slot);
}

void arrow_pull(struct step *step, uint32_t arrow, int32_t dx_sub, int32_t dy_sub)
{
    struct arrow *pulled = &step->world->arrows[arrow];
    pulled->vx = dx_sub;
    pulled->vy = dy_sub;
    pulled->stuck_in = 0;
    pulled->since_tick = step->world->tick; // says to is_torn_off() that it is pulled
    df_actor_move_x(&step->space, (int32_t)actor_of(arrow), dx_sub, NULL, NULL);
    df_actor_move_y(&step->space, (int32_t)actor_of(arrow), dy_sub, NULL, NULL);
}

static bool touches_tile(const struct step *step, uint32_t slot)
{
    struct df_box box = step_actor_box(step, actor_of(slot));
    struct df_box wide = {box.x - 1, box.y, box.w + 2, box.h}, high = {box.x, box.y - 1, box.w, box.h + 2};
    return df_tiles_block(&step->space.tiles, wide) || df_tiles_block(&step->space.tiles, high) ||
           df_actor_ground(&step->space, (int32_t)actor_of(slot)).kind == DF_HIT_TILE; // on a one-way
}

// An arrow comes loose from a tile when anything pushes it, or when a magnet that has pulled it off lets go of it, and
// from a solid when it is no longer flush with a side of the solid. A shared corner holds nothing.
static bool is_torn_off(const struct step *step, uint32_t slot)
{
    const struct world *world = step->world;
    const struct arrow *arrow = &world->arrows[slot];
    uint32_t stuck_in = arrow->stuck_in, rest_ticks = world->tick - arrow->since_tick;
    bool can_be_pulled = arrow->burnt_tick == 0;
    if (rest_ticks == 0 && can_be_pulled) // by a magnet, now
        return false;
    if (stuck_in == 0)
        return world->actors[actor_of(slot)].lift_tick == world->tick ||
               (rest_ticks == 1 && can_be_pulled && !touches_tile(step, slot));
    const struct df_solid *s = &world->solids[stuck_in - 1];
    struct df_box box = step_actor_box(step, actor_of(slot));
    struct df_box wide = {s->x - 1, s->y, s->w + 2, s->h}, high = {s->x, s->y - 1, s->w, s->h + 2};
    return !step_overlaps(step, wide, box) && !step_overlaps(step, high, box);
}

void arrow_step(struct step *step)
{
    for (uint32_t slot = 0; slot < step->world->arrow_slots; slot++) {
        struct arrow *arrow = &step->world->arrows[slot];
        if (arrow->burnt_tick != 0 && step->world->tick >= arrow->burnt_tick)
            arrow_break(step, slot);
        else if (arrow->state == ARROW_STUCK && is_torn_off(step, slot))
            release(step->world, arrow);
        else if (arrow->state == ARROW_FLYING)
            fly(step, slot);
    }
}

void arrow_release_in(struct step *step, struct df_box box)
{
    struct df_box around = {box.x - 1, box.y - 1, box.w + 2, box.h + 2};
    for (uint32_t slot = 0; slot < step->world->arrow_slots; slot++) {
        struct arrow *arrow = &step->world->arrows[slot];
        if (arrow->state == ARROW_STUCK && arrow->stuck_in == 0 &&
            step_overlaps(step, around, step_actor_box(step, actor_of(slot))))
            release(step->world, arrow);
    }
}

// --- launchers

// Where an arrow leaves: a box of its size, flush with the middle of the side.
static struct df_box mouth(const struct df_solid *solid, int32_t aim_x, int32_t aim_y)
{
    int32_t edge = TUNING.arrow_edge_px;
    return (struct df_box){aim_x < 0   ? solid->x - edge
                           : aim_x > 0 ? solid->x + solid->w
                                       : solid->x + (solid->w - edge) / 2,
                           aim_y > 0 ? solid->y + solid->h : solid->y + (solid->h - edge) / 2, edge, edge};
}

void arrow_launch(struct step *step)
{
    const struct world *world = step->world;
    for (uint32_t i = 0; i < (uint32_t)step->map->solid_count; i++) {
        const struct map_solid *solid = &step->map->solids[i];
        uint32_t clock_ticks = world->tick - world->round.paused_ticks + (uint32_t)solid->phase_ticks;
        if (!map_is_launcher(solid) || clock_ticks % (uint32_t)solid->period_ticks != 0)
            continue;
        int32_t aim_x = solid->kind == MAP_SOLID_LAUNCHER_RIGHT ? 1 : solid->kind == MAP_SOLID_LAUNCHER_LEFT ? -1 : 0;
        struct df_box from = mouth(&world->solids[i], aim_x, aim_x == 0);
        if (!df_space_blocked(&step->space, from))
            arrow_shoot(step, ARROW_NORMAL, EVENT_NOBODY, from, aim_x, aim_x == 0);
    }
}
