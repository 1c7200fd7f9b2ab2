// SPDX-License-Identifier: MIT
#include "entities.h"

#include <stdlib.h>
#include <string.h>

#include "game/rules/round.h"
#include "game/tuning.h"
#include "game/valid.h"

const struct arrow_kind_row ARROW_KIND_TABLE[ARROW_KINDS] = {
    [ARROW_NORMAL] = {.cause = DEATH_ARROW},
    [ARROW_BOMB] = {.cause = DEATH_BOMB, .explodes = true, .carried = offsetof(struct player, bombs)},
    [ARROW_DRILL] = {.cause = DEATH_ARROW, .drills = true, .carried = offsetof(struct player, drills)},
};

static uint32_t actor_of(uint32_t arrow)
{
    return PLAYER_CAPACITY + arrow;
}

static void release(struct world *world, struct arrow *arrow)
{
    arrow->state = ARROW_FLYING;
    arrow->vx = arrow->vy = 0;
    arrow->stuck_in = 0;
    arrow->since_tick = world->tick - TUNING.arrow_straight_ticks; // it falls at once
}

// Puts a new arrow into the world, its upper left corner at x, y px. In a full world the oldest stuck arrow makes room,
// or the oldest of all if every arrow flies.
static void put(struct step *step, struct arrow arrow, int32_t x, int32_t y)
{
    struct world *world = step->world;
    uint32_t slot = 0, oldest = 0;
    int32_t edge = TUNING.arrow_edge_px;
    for (; slot < ARROW_CAPACITY && world->arrows[slot].state != ARROW_ABSENT; slot++) {
        const struct arrow *other = &world->arrows[slot], *best = &world->arrows[oldest];
        if (other->state != best->state ? other->state == ARROW_STUCK : other->since_tick < best->since_tick)
            oldest = slot;
    }
    if (slot == ARROW_CAPACITY) {
        slot = oldest;
        arrow_remove(step, slot);
    }
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
    int32_t x = box.x + box.w / 2, y = box.y + box.h / 2;
    uint32_t owner = step->world->arrows[arrow].owner;
    if (ARROW_KIND_TABLE[step->world->arrows[arrow].kind].explodes) {
        event_push(step->world, EVENT_EXPLODE, x, y, step_slot_of(owner), EVENT_NOBODY, 0);
        if (step->explosion_count < ARROW_CAPACITY)
            step->explosions[step->explosion_count++] = (struct explosion){box, owner};
    } else {
        event_push(step->world, EVENT_BREAK, x, y, EVENT_NOBODY, EVENT_NOBODY, 1);
    }
    arrow_remove(step, arrow);
}

static void stick(struct step *step, uint32_t slot, struct df_hit hit)
{
    struct arrow *arrow = &step->world->arrows[slot];
    struct df_box box = step_actor_box(step, actor_of(slot));
    if (ARROW_KIND_TABLE[arrow->kind].explodes && arrow->burnt_tick == 0)
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
    if (!ARROW_KIND_TABLE[arrow->kind].drills || arrow->spent != 0)
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
    struct df_box box = step_actor_box(step, actor_of(slot));
    if (stuck_in == 0) {
        if (world->actors[actor_of(slot)].lift_tick == world->tick)
            return true;
        if (rest_ticks != 1 || !can_be_pulled)
            return false;
        struct df_box wide = {box.x - 1, box.y, box.w + 2, box.h}, high = {box.x, box.y - 1, box.w, box.h + 2};
        return !df_tiles_block(&step->space.tiles, wide) && !df_tiles_block(&step->space.tiles, high) &&
               df_actor_ground(&step->space, (int32_t)actor_of(slot)).kind != DF_HIT_TILE; // on a one-way
    }
    const struct df_solid *s = &world->solids[stuck_in - 1];
    struct df_box wide = {s->x - 1, s->y, s->w + 2, s->h}, high = {s->x, s->y - 1, s->w, s->h + 2};
    return !step_overlaps(step, wide, box) && !step_overlaps(step, high, box);
}

void arrow_step(struct step *step)
{
    struct world *world = step->world;
    for (uint32_t slot = 0; slot < world->arrow_slots; slot++) {
        struct arrow *arrow = &world->arrows[slot];
        int32_t actor = (int32_t)actor_of(slot);
        if (arrow->burnt_tick != 0 && world->tick >= arrow->burnt_tick) {
            arrow_break(step, slot);
            continue;
        }
        if (arrow->state == ARROW_STUCK && is_torn_off(step, slot)) {
            release(world, arrow);
            continue; // it falls from the next tick on
        }
        if (arrow->state != ARROW_FLYING)
            continue;
        if (world->tick - arrow->since_tick >= TUNING.arrow_straight_ticks && arrow->vy < step->tuning->arrow_fall_max)
            arrow->vy += step->tuning->arrow_gravity;
        if (arrow->vx != 0)
            df_actor_move_x(&step->space, actor, arrow->vx, hit_x, step);
        if (arrow->state == ARROW_FLYING)
            df_actor_move_y(&step->space, actor, arrow->vy, hit_y, step);
        if (step_is_lost(step, step_actor_box(step, actor_of(slot))))
            arrow_remove(step, slot);
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

void arrow_begin_round(struct step *step)
{
    for (uint32_t slot = 0; slot < step->world->arrow_slots; slot++)
        arrow_remove(step, slot);
}

void arrow_forget(struct world *world, uint32_t reference)
{
    for (uint32_t slot = 0; slot < world->arrow_slots; slot++)
        if (world->arrows[slot].owner == reference)
            world->arrows[slot].owner = 0;
}

void arrow_explode(struct step *step, const struct explosion *explosion)
{
    tick soon = step->world->tick + TUNING.bomb_chain_ticks;
    for (uint32_t slot = 0; slot < step->world->arrow_slots; slot++) {
        struct arrow *arrow = &step->world->arrows[slot];
        bool sooner = arrow->burnt_tick == 0 || arrow->burnt_tick > soon;
        if (arrow->state != ARROW_ABSENT && ARROW_KIND_TABLE[arrow->kind].explodes && sooner &&
            step_explosion_hits(step, explosion, TUNING.bomb_kill_px, step_actor_box(step, actor_of(slot))))
            arrow->burnt_tick = soon;
    }
}

struct entity_sight arrow_show(const struct world *world, const struct map *map, uint32_t slot)
{
    const struct df_actor *body = &world->actors[PLAYER_CAPACITY + slot];
    const struct arrow *arrow = &world->arrows[slot];
    (void)map;
    if (arrow->state == ARROW_ABSENT)
        return (struct entity_sight){0};
    return (struct entity_sight){
        5, {body->x + body->w / 2, body->y + body->h / 2, arrow->vx, arrow->vy, (int32_t)arrow->kind}};
}

bool arrow_is_supply(const struct world *world, uint32_t slot)
{
    return world->arrows[slot].state == ARROW_STUCK && world->arrows[slot].burnt_tick == 0;
}

bool arrow_is_valid(const struct world *world, const struct map *map)
{
    if (world->arrow_slots > ARROW_CAPACITY ||
        (world->arrow_slots > 0 && world->arrows[world->arrow_slots - 1].state == ARROW_ABSENT))
        return false;
    for (uint32_t slot = 0; slot < world->arrow_slots; slot++) {
        const struct arrow *arrow = &world->arrows[slot];
        const struct df_actor *actor = &world->actors[actor_of(slot)];
        if (arrow->state == ARROW_ABSENT) {
            if (!valid_is_zero(arrow, sizeof *arrow) || !valid_is_zero(actor, sizeof *actor))
                return false;
            continue;
        }
        if (arrow->state > ARROW_STUCK || arrow->kind >= ARROW_KINDS ||
            (arrow->spent != 0 && !ARROW_KIND_TABLE[arrow->kind].drills) ||
            (arrow->burnt_tick != 0 && !ARROW_KIND_TABLE[arrow->kind].explodes) ||
            !valid_reference(world, arrow->owner) || !valid_speed(arrow->vx, arrow->vy) ||
            arrow->stuck_in > world->solid_count || (actor->flags & DF_ACTOR_ALIVE) == 0 ||
            !valid_actor(world, map, actor, TUNING.arrow_edge_px, TUNING.arrow_edge_px))
            return false;
    }
    return true;
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
        // It leaves flush with the middle of the side.
        const struct df_solid *s = &world->solids[i];
        int32_t edge = TUNING.arrow_edge_px, middle_y = s->y + (s->h - edge) / 2;
        struct df_box from = {aim_x < 0 ? s->x - edge : s->x + s->w, middle_y, edge, edge};
        if (aim_x == 0)
            from = (struct df_box){s->x + (s->w - edge) / 2, s->y + s->h, edge, edge};
        if (!df_space_blocked(&step->space, from))
            arrow_shoot(step, ARROW_NORMAL, EVENT_NOBODY, from, aim_x, aim_x == 0);
    }
}
