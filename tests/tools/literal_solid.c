// SPDX-License-Identifier: MIT
#include "literal.h"

#include <stdlib.h>
#include <string.h>

// One call: the members in index order, what of them is collidable when a rule looks, and who was met already.
struct move {
    struct df_space *space;
    int32_t members[DF_GROUP_CAPACITY];
    bool present[DF_GROUP_CAPACITY];
    int32_t count;
    uint32_t carrier;
    int32_t dx_sub, dy_sub;
    bool *rides;    // of each actor, in the present step
    bool *squished; // of each actor, in this call
    bool *ball_squished;
    bool *ball_pushed[2]; // along x, along y, in this call
};

static int32_t clamp(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

// The members are collidable while a rule runs, and at no other time of the call.
static void show_members(struct move *move)
{
    for (int32_t i = 0; i < move->count; i++)
        if (move->present[i])
            move->space->solids[move->members[i]].flags |= DF_SOLID_PRESENT;
}

static void hide_members(struct move *move)
{
    for (int32_t i = 0; i < move->count; i++) {
        struct df_solid *solid = &move->space->solids[move->members[i]];
        move->present[i] = (solid->flags & DF_SOLID_PRESENT) != 0;
        solid->flags &= ~(uint32_t)DF_SOLID_PRESENT;
    }
}

// ---- riders ----------------------------------------------------------------------------------------------------

static struct df_box shifted(struct df_box box, int32_t dx, int32_t dy)
{
    return (struct df_box){box.x + dx, box.y + dy, box.w, box.h};
}

// Flush on one side: apart now, and one pixel to that side there would be an overlap.
static bool touches(const struct df_space *space, struct df_box box, int32_t dx, int32_t dy, struct df_box solid)
{
    return !literal_overlaps(space, box, solid) && literal_overlaps(space, shifted(box, dx, dy), solid);
}

static bool rides_by_kind(const struct df_space *space, const struct df_actor *actor, const struct df_solid *solid)
{
    struct df_box box = literal_actor_box(actor), other = literal_solid_box(solid);
    bool oneway = (solid->flags & DF_SOLID_ONEWAY) != 0;
    bool stands = touches(space, box, 0, 1, other) && !(oneway && (actor->flags & DF_ACTOR_DROP_THROUGH) != 0);
    switch (actor->ride) {
    case DF_RIDE_STAND:
        return stands;
    case DF_RIDE_CLING_LEFT:
        return stands || (!oneway && touches(space, box, -1, 0, other));
    case DF_RIDE_CLING_RIGHT:
        return stands || (!oneway && touches(space, box, 1, 0, other));
    case DF_RIDE_CLING_UP:
        return stands || (!oneway && touches(space, box, 0, -1, other));
    case DF_RIDE_NEVER:
        return false;
    }
    return false;
}

static bool rides(const struct df_space *space, int32_t actor, int32_t solid)
{
    struct df_box box = literal_actor_box(&space->actors[actor]);
    struct df_box near = {box.x - 1, box.y - 1, box.w + 2, box.h + 2};
    uint32_t ride = space->actors[actor].ride;
    if (ride >= DF_RIDE_ATTACHED)
        return ride == DF_RIDE_ATTACHED + (uint32_t)solid;
    if (literal_passes(space->actors[actor].flags, &space->solids[solid]))
        return false;
    if (space->rules.rides != NULL && literal_overlaps(space, near, literal_solid_box(&space->solids[solid]))) {
        int answer = space->rules.rides(space, actor, solid, space->context);
        if (answer >= 0)
            return answer > 0;
    }
    return rides_by_kind(space, &space->actors[actor], &space->solids[solid]);
}

static void find_riders(struct move *move)
{
    for (int32_t actor = 0; actor < move->space->actor_count; actor++) {
        move->rides[actor] = false;
        for (int32_t i = 0; i < move->count && (move->space->actors[actor].flags & DF_ACTOR_ALIVE) != 0; i++)
            move->rides[actor] |= move->present[i] && rides(move->space, actor, move->members[i]);
    }
}

// ---- one actor in one step -------------------------------------------------------------------------------------

static void give_lift(const struct move *move, struct df_actor *actor)
{
    actor->lift_x = clamp(move->dx_sub, -DF_LIFT_X_MAX, DF_LIFT_X_MAX);
    actor->lift_y = clamp(move->dy_sub, DF_LIFT_UP_MAX, 0);
    actor->lift_tick = move->space->tick;
}

// How many of some pixels lead to places within the coordinates.
static int32_t before_rim(const struct df_space *space, const struct df_actor *actor, struct literal_step step,
                          int32_t count)
{
    int32_t at = step.x != 0 ? actor->x * step.x : actor->y * step.y;
    int32_t period = step.x != 0 ? literal_period_x_px(space) : literal_period_y_px(space);
    return period == 0 && at + count > DF_COORDINATE_PX_MAX ? DF_COORDINATE_PX_MAX - at : count;
}

static void carry(struct move *move, struct df_actor *actor, struct literal_step step)
{
    if (actor->carrier != 0 && actor->carried_tick == move->space->tick && actor->carrier != move->carrier)
        return;
    actor->carried_tick = move->space->tick;
    actor->carrier = move->carrier;
    give_lift(move, actor);
    struct df_hit ignored;
    literal_walk(move->space, actor, step, before_rim(move->space, actor, step, 1), &ignored);
}

// The first full solid among the members that overlaps the box of an actor with these flags, or -1.
static int32_t overlapping_member(const struct move *move, struct df_box box, uint32_t flags)
{
    for (int32_t i = 0; i < move->count; i++) {
        const struct df_solid *solid = &move->space->solids[move->members[i]];
        if (move->present[i] && (solid->flags & DF_SOLID_ONEWAY) == 0 && !literal_passes(flags, solid) &&
            literal_overlaps(move->space, box, literal_solid_box(solid)))
            return move->members[i];
    }
    return -1;
}

// A one-way member that has just risen into an actor that was above it.
static bool lifted_by_oneway(const struct move *move, const struct df_actor *actor, struct literal_step step)
{
    for (int32_t i = 0; i < move->count; i++) {
        const struct df_solid *solid = &move->space->solids[move->members[i]];
        struct df_box after = literal_solid_box(solid), box = literal_actor_box(actor);
        if (move->present[i] && (solid->flags & DF_SOLID_ONEWAY) != 0 && step.y < 0 &&
            (actor->flags & DF_ACTOR_DROP_THROUGH) == 0 && !literal_passes(actor->flags, solid) &&
            literal_overlaps(move->space, box, after) && !literal_overlaps(move->space, box, shifted(after, 0, 1)))
            return true;
    }
    return false;
}

static int32_t clearing_distance_px(const struct move *move, const struct df_actor *actor, struct literal_step step)
{
    int32_t period = step.x != 0 ? literal_period_x_px(move->space) : literal_period_y_px(move->space);
    struct df_box box = literal_actor_box(actor);
    int32_t px = 1; // also what a one-way needs
    while (overlapping_member(move, shifted(box, step.x * px, step.y * px), actor->flags) >= 0 &&
           (period == 0 || px < period))
        px++;
    return px;
}

static void squish(struct move *move, struct df_squish squish)
{
    struct df_space *space = move->space;
    if (move->squished[squish.actor])
        return;
    move->squished[squish.actor] = true;
    enum df_squish_answer answer = DF_SQUISH_DESTROY;
    if (space->rules.squish != NULL) {
        show_members(move);
        space->squishing = &squish;
        answer = space->rules.squish(space, squish, space->context);
        space->squishing = NULL;
        hide_members(move);
    }
    if (answer == DF_SQUISH_DESTROY)
        space->actors[squish.actor].flags &= ~(uint32_t)DF_ACTOR_ALIVE;
}

static void push(struct move *move, int32_t index, struct literal_step step)
{
    struct df_actor *actor = &move->space->actors[index];
    int32_t distance = clearing_distance_px(move, actor, step);
    int32_t target_x = literal_wrap(actor->x + step.x * distance, literal_period_x_px(move->space));
    int32_t target_y = literal_wrap(actor->y + step.y * distance, literal_period_y_px(move->space));
    give_lift(move, actor);
    int32_t most = before_rim(move->space, actor, step, distance);
    struct df_hit by = {.kind = DF_HIT_NONE, .index = -1};
    int32_t walked = literal_walk(move->space, actor, step, most, &by);
    if (walked < most) {
        by.direction = step.x + step.y;
        by.left_px = most - walked;
    }
    int32_t pusher =
        overlapping_member(move, literal_actor_box(actor), actor->flags); // none: a one-way, which lets it sink in
    if (walked < distance && pusher >= 0)
        squish(move, (struct df_squish){.actor = index,
                                        .solid = pusher,
                                        .direction_x = step.x,
                                        .direction_y = step.y,
                                        .missing_px = distance - walked,
                                        .target_x = target_x,
                                        .target_y = target_y,
                                        .by = by});
}

static void meet_actor(struct move *move, int32_t index, struct literal_step step)
{
    struct df_actor *actor = &move->space->actors[index];
    if ((actor->flags & DF_ACTOR_ALIVE) == 0)
        return;
    if (overlapping_member(move, literal_actor_box(actor), actor->flags) >= 0 || lifted_by_oneway(move, actor, step))
        push(move, index, step);
    else if (move->rides[index])
        carry(move, actor, step);
}

// ---- one ball in one step --------------------------------------------------------------------------------------

static void hit_like_a_paddle(struct move *move, int32_t index, struct literal_step step)
{
    struct df_ball *ball = &move->space->balls[index];
    bool *pushed = &move->ball_pushed[step.x != 0 ? 0 : 1][index];
    int32_t *speed = step.x != 0 ? &ball->vx : &ball->vy;
    if (!*pushed && *speed * (step.x + step.y) <= 0)
        *speed = clamp(*speed + (step.x != 0 ? move->dx_sub : move->dy_sub), -64 * DF_SUB, 64 * DF_SUB);
    *pushed = true;
}

static void squish_ball(struct move *move, int32_t index, int32_t pusher)
{
    struct df_space *space = move->space;
    if (move->ball_squished[index])
        return;
    move->ball_squished[index] = true;
    if (space->rules.ball_squish == NULL) {
        space->balls[index].flags &= ~(uint32_t)DF_BALL_ALIVE;
        return;
    }
    show_members(move);
    space->rules.ball_squish(space, index, pusher, space->context);
    hide_members(move);
}

static void meet_ball(struct move *move, int32_t index, struct literal_step step)
{
    int32_t present[DF_GROUP_CAPACITY], count = 0, pusher;
    for (int32_t i = 0; i < move->count; i++)
        if (move->present[i])
            present[count++] = move->members[i];
    if ((move->space->balls[index].flags & DF_BALL_ALIVE) == 0)
        return;
    switch (literal_ball_push(move->space, &move->space->balls[index], present, count, step, &pusher)) {
    case LITERAL_PUSH_NONE:
        break;
    case LITERAL_PUSH_DONE:
        hit_like_a_paddle(move, index, step);
        break;
    case LITERAL_PUSH_HELD:
        squish_ball(move, index, pusher);
        break;
    }
}

// ---- the call --------------------------------------------------------------------------------------------------

static void unit_step(struct move *move, struct literal_step step)
{
    struct df_space *space = move->space;
    find_riders(move);
    hide_members(move);
    for (int32_t i = 0; i < move->count; i++) {
        struct df_solid *solid = &space->solids[move->members[i]];
        if (move->present[i]) {
            solid->x = literal_wrap(solid->x + step.x, literal_period_x_px(space));
            solid->y = literal_wrap(solid->y + step.y, literal_period_y_px(space));
        }
    }
    for (int32_t actor = 0; actor < space->actor_count; actor++)
        meet_actor(move, actor, step);
    for (int32_t ball = 0; ball < space->ball_count; ball++)
        meet_ball(move, ball, step);
    show_members(move);
}

static void mark_embedded(struct move *move)
{
    for (int32_t i = 0; i < move->space->actor_count; i++) {
        struct df_actor *actor = &move->space->actors[i];
        if ((actor->flags & DF_ACTOR_ALIVE) == 0)
            continue;
        if (!literal_actor_is_embedded(move->space, i))
            actor->flags &= ~(uint32_t)DF_ACTOR_EMBEDDED;
        else if (move->squished[i])
            actor->flags |= DF_ACTOR_EMBEDDED;
    }
}

static int by_index(const void *a, const void *b)
{
    return *(const int32_t *)a - *(const int32_t *)b;
}

// The whole pixels of an amount: none of 0, even where half a pixel is owed.
static int32_t whole_px(int32_t rem_sub, int32_t amount_sub)
{
    return amount_sub == 0 ? 0 : df_round_px(rem_sub + amount_sub);
}

// Adds the amounts to the remainders, which the first in `solids` gives and all share; returns the whole pixels.
static void take_amounts(struct move *move, int32_t first, int32_t *px_x, int32_t *px_y)
{
    struct df_solid *solids = move->space->solids;
    int32_t rem_x = solids[first].rem_x + move->dx_sub, rem_y = solids[first].rem_y + move->dy_sub;
    *px_x = whole_px(solids[first].rem_x, move->dx_sub);
    *px_y = whole_px(solids[first].rem_y, move->dy_sub);
    for (int32_t i = 0; i < move->count; i++) {
        solids[move->members[i]].rem_x = rem_x - *px_x * DF_SUB;
        solids[move->members[i]].rem_y = rem_y - *px_y * DF_SUB;
    }
}

static void run(struct df_space *space, const struct df_waiting_move *asked)
{
    struct move move = {.space = space,
                        .carrier = df_group_carrier(asked->solids, asked->count),
                        .dx_sub = asked->dx_sub,
                        .dy_sub = asked->dy_sub};
    for (int32_t i = 0; i < asked->count; i++) {
        if ((space->solids[asked->solids[i]].flags & DF_SOLID_PRESENT) != 0) {
            move.present[move.count] = true;
            move.members[move.count++] = asked->solids[i];
        }
    }
    qsort(move.members, (size_t)move.count, sizeof move.members[0], by_index);
    size_t actors = (size_t)space->actor_count, balls = (size_t)space->ball_count;
    bool *marks = calloc(2 * actors + 3 * balls + 1, sizeof *marks);
    if (marks == NULL)
        abort();
    move.rides = marks;
    move.squished = marks + actors;
    move.ball_squished = marks + 2 * actors;
    move.ball_pushed[0] = move.ball_squished + balls;
    move.ball_pushed[1] = move.ball_pushed[0] + balls;

    int32_t px_x, px_y;
    take_amounts(&move, asked->solids[0], &px_x, &px_y);
    for (int32_t i = 0; i < abs(px_x); i++)
        unit_step(&move, (struct literal_step){px_x < 0 ? -1 : 1, 0});
    for (int32_t i = 0; i < abs(px_y); i++)
        unit_step(&move, (struct literal_step){0, px_y < 0 ? -1 : 1});
    if (px_x != 0 || px_y != 0)
        mark_embedded(&move);
    free(marks);
}

static bool in_coordinates(int32_t coordinate, int32_t period)
{
    return period > 0 || (coordinate >= -DF_COORDINATE_PX_MAX && coordinate <= DF_COORDINATE_PX_MAX);
}

static bool is_possible(const struct df_space *space, const int32_t *solids, int32_t count, int32_t dx_sub,
                        int32_t dy_sub)
{
    if (count < 1 || count > DF_GROUP_CAPACITY || dx_sub < -DF_AMOUNT_SUB_MAX || dx_sub > DF_AMOUNT_SUB_MAX ||
        dy_sub < -DF_AMOUNT_SUB_MAX || dy_sub > DF_AMOUNT_SUB_MAX)
        return false;
    for (int32_t i = 0; i < count; i++) {
        if (solids[i] < 0 || solids[i] >= space->solid_count)
            return false;
        for (int32_t j = 0; j < i; j++)
            if (solids[i] == solids[j])
                return false;
        const struct df_solid *solid = &space->solids[solids[i]], *first = &space->solids[solids[0]];
        if ((solid->flags & DF_SOLID_PRESENT) != 0 &&
            (!in_coordinates(solid->x + whole_px(first->rem_x, dx_sub), literal_period_x_px(space)) ||
             !in_coordinates(solid->y + whole_px(first->rem_y, dy_sub), literal_period_y_px(space))))
            return false;
    }
    return true;
}

enum df_result literal_group_move(struct df_space *space, const int32_t *solids, int32_t count, int32_t dx_sub,
                                  int32_t dy_sub)
{
    if (!is_possible(space, solids, count, dx_sub, dy_sub))
        return DF_OUT_OF_RANGE;
    struct df_waiting_move asked = {.count = count, .dx_sub = dx_sub, .dy_sub = dy_sub};
    memcpy(asked.solids, solids, (size_t)count * sizeof solids[0]);
    if (space->moving) {
        if (space->waiting_count == DF_QUEUE_CAPACITY)
            return DF_QUEUE_FULL;
        space->waiting[space->waiting_count++] = asked;
        return DF_QUEUED;
    }
    space->moving = true;
    run(space, &asked);
    while (space->waiting_count > 0) {
        asked = space->waiting[0];
        space->waiting_count--;
        memmove(&space->waiting[0], &space->waiting[1], (size_t)space->waiting_count * sizeof space->waiting[0]);
        if (is_possible(space, asked.solids, asked.count, asked.dx_sub, asked.dy_sub))
            run(space, &asked);
    }
    space->moving = false;
    return DF_OK;
}

enum df_result literal_solid_move(struct df_space *space, int32_t solid, int32_t dx_sub, int32_t dy_sub)
{
    return literal_group_move(space, &solid, 1, dx_sub, dy_sub);
}
