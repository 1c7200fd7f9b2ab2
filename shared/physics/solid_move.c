// SPDX-License-Identifier: MIT
#include "solid_move.h"

#include "ball_push.h"
#include "sweep.h"

static int32_t sign(int32_t value)
{
    return (value > 0) - (value < 0);
}

static bool is_oneway(const struct df_solid *solid)
{
    return (solid->flags & DF_SOLID_ONEWAY) != 0;
}

// Rules may write bodies by hand while the move runs. Returns true if the actor still takes part.
static bool takes_part(const struct df_solid_move_run *move, int32_t actor)
{
    const struct df_actor *body = &move->space->actors[actor];
    return df_body_is_alive(body) && df_broadphase_accepts(move->broadphase, df_actor_box(body));
}

// Returns the solid of a member that still takes part, else null.
static struct df_solid *member(const struct df_solid_move_run *move, int32_t i)
{
    struct df_solid *solid = &move->space->solids[move->members[i]];
    bool stays = df_body_is_present(solid) && df_broadphase_accepts(move->broadphase, df_solid_box(solid));
    return stays ? solid : NULL;
}

static int32_t period_of(const struct df_solid_move_run *move, enum df_axis axis)
{
    return axis == DF_X ? move->broadphase->period_x : move->broadphase->period_y;
}

// --- riding

// Returns true if the rule decides whether an actor rides a solid.
static bool is_asked(const struct df_solid_move_run *move, const struct df_actor *actor, const struct df_solid *solid)
{
    return move->space->rules.rides != NULL && actor->ride < DF_RIDE_ATTACHED && !df_body_passes(actor, solid) &&
           df_broadphase_overlaps(move->broadphase, df_body_box_grown(df_solid_box(solid), 1), df_actor_box(actor));
}

static bool is_asked_of_any(const struct df_solid_move_run *move, const struct df_actor *actor)
{
    for (int32_t i = 0; i < move->count; i++) {
        const struct df_solid *solid = member(move, i);
        if (solid != NULL && is_asked(move, actor, solid))
            return true;
    }
    return false;
}

static bool rides(const struct df_solid_move_run *move, int32_t actor, int32_t solid)
{
    const struct df_space *space = move->space;
    const struct df_actor *body = &space->actors[actor];
    const struct df_solid *carrier = &space->solids[solid];
    if (df_body_attached_to(body) == solid)
        return true;
    if (is_asked(move, body, carrier)) {
        int answer = space->rules.rides(space, actor, solid, space->context);
        if (answer >= 0)
            return answer > 0;
    }
    return df_ride_holds(body, carrier, move->broadphase->period_x, move->broadphase->period_y);
}

static bool rides_any(const struct df_solid_move_run *move, int32_t actor)
{
    bool any = false;
    for (int32_t i = 0; i < move->count; i++)
        any = (member(move, i) != NULL && rides(move, actor, move->members[i])) || any;
    return any;
}

// --- carry

static bool has_other_carrier(const struct df_solid_move_run *move, const struct df_actor *actor)
{
    return actor->carrier != 0 && actor->carried_tick == move->space->tick && actor->carrier != move->carrier;
}

static void stamp(const struct df_solid_move_run *move, struct df_actor *actor)
{
    actor->carrier = move->carrier;
    actor->carried_tick = move->space->tick;
}

static void give_lift(const struct df_solid_move_run *move, struct df_actor *actor)
{
    int32_t x = move->asked->dx_sub, y = move->asked->dy_sub;
    actor->lift_x = x > DF_LIFT_X_MAX ? DF_LIFT_X_MAX : x < -DF_LIFT_X_MAX ? -DF_LIFT_X_MAX : x;
    actor->lift_y = y > 0 ? 0 : y < DF_LIFT_UP_MAX ? DF_LIFT_UP_MAX : y;
    actor->lift_tick = move->space->tick;
}

// Returns how many pixels, without the sign, an actor can be pushed or carried: to the end of the coordinates at most.
static int32_t walkable_px(const struct df_solid_move_run *move, const struct df_actor *body, enum df_axis axis,
                           int32_t px, struct df_hit *hit)
{
    if (period_of(move, axis) == 0) {
        int32_t at = axis == DF_X ? body->x : body->y, to = at + px;
        to = to > DF_COORDINATE_PX_MAX ? DF_COORDINATE_PX_MAX : to < -DF_COORDINATE_PX_MAX ? -DF_COORDINATE_PX_MAX : to;
        px = to - at;
    }
    *hit = (struct df_hit){.kind = DF_HIT_NONE, .index = -1};
    return px == 0 ? 0 : df_sweep(move->space, body, axis, px, hit);
}

static int32_t walk(const struct df_solid_move_run *move, int32_t actor, enum df_axis axis, int32_t px,
                    struct df_hit *hit)
{
    int32_t walked = walkable_px(move, &move->space->actors[actor], axis, px, hit);
    if (walked != 0)
        df_broadphase_shift_actor(move->space, actor, axis, sign(px) * walked);
    return walked;
}

static void carry(const struct df_solid_move_run *move, int32_t actor, enum df_axis axis, int32_t direction)
{
    struct df_actor *body = &move->space->actors[actor];
    if (has_other_carrier(move, body))
        return;
    stamp(move, body);
    give_lift(move, body);
    struct df_hit unread;
    walk(move, actor, axis, direction, &unread);
}

// --- push

static void squish(const struct df_solid_move_run *move, int32_t actor, int32_t solid, enum df_axis axis,
                   int32_t missing_px, struct df_hit by)
{
    struct df_space *space = move->space;
    struct df_actor *body = &space->actors[actor];
    if (df_bitset_has(&move->broadphase->squished, actor))
        return;
    df_bitset_add(&move->broadphase->squished, actor);
    struct df_box target = df_body_box_moved(df_actor_box(body), axis, missing_px);
    struct df_squish squish = {.actor = actor,
                               .solid = solid,
                               .direction_x = axis == DF_X ? sign(missing_px) : 0,
                               .direction_y = axis == DF_Y ? sign(missing_px) : 0,
                               .missing_px = missing_px < 0 ? -missing_px : missing_px,
                               .target_x = df_torus_canonical(target.x, move->broadphase->period_x),
                               .target_y = df_torus_canonical(target.y, move->broadphase->period_y),
                               .by = by};
    enum df_squish_answer answer = DF_SQUISH_DESTROY;
    if (space->rules.squish != NULL) {
        df_broadphase_show_moving(space);
        space->squishing = &squish;
        answer = space->rules.squish(space, squish, space->context);
        space->squishing = NULL;
        df_broadphase_hide_moving(space);
    }
    if (answer == DF_SQUISH_DESTROY)
        body->flags &= ~(uint32_t)DF_ACTOR_ALIVE;
}

static int32_t overlapping_member(const struct df_solid_move_run *move, const struct df_actor *actor, struct df_box box)
{
    for (int32_t i = 0; i < move->count; i++) {
        const struct df_solid *solid = member(move, i);
        if (solid != NULL && !is_oneway(solid) && !df_body_passes(actor, solid) &&
            df_broadphase_overlaps(move->broadphase, box, df_solid_box(solid)))
            return move->members[i];
    }
    return -1;
}

// Returns true if a one-way that has just risen by a pixel lifts a box that was fully above it.
static bool is_lifted(const struct df_solid_move_run *move, const struct df_actor *actor, struct df_box box)
{
    for (int32_t i = 0; i < move->count; i++) {
        const struct df_solid *solid = member(move, i);
        if (solid != NULL && is_oneway(solid) && !df_body_passes(actor, solid) &&
            df_ride_is_flush(box.y + box.h - 1 - solid->y, box.h + solid->h, move->broadphase->period_y) &&
            df_torus_spans_overlap(box.x, box.w, solid->x, solid->w, move->broadphase->period_x))
            return true;
    }
    return false;
}

// Returns the pixels from the box to the leading edge of a member that overlaps it; a whole turn around the world where
// there is no room beside the member.
static int32_t edge_px(const struct df_solid_move_run *move, int32_t solid, struct df_box box, enum df_axis axis,
                       int32_t direction)
{
    struct df_box member = df_solid_box(&move->space->solids[solid]);
    int32_t ahead = axis == DF_X ? member.x + member.w - box.x : member.y + member.h - box.y;
    int32_t behind = axis == DF_X ? box.x + box.w - member.x : box.y + box.h - member.y;
    int32_t lengths = axis == DF_X ? box.w + member.w : box.h + member.h, period = period_of(move, axis);
    if (period != 0 && lengths > period)
        return period;
    return df_torus_canonical(direction > 0 ? ahead : behind, period);
}

// Returns the whole pixels by which the members, which have just made a step, push the actor; 0 if none overlaps it.
static int32_t push_px(const struct df_solid_move_run *move, const struct df_actor *actor, struct df_box box,
                       enum df_axis axis, int32_t direction)
{
    bool lifts = axis == DF_Y && direction < 0 && (actor->flags & DF_ACTOR_DROP_THROUGH) == 0;
    int32_t pushed = lifts && is_lifted(move, actor, box) ? 1 : 0, period = period_of(move, axis);
    box = df_body_box_moved(box, axis, direction * pushed);
    for (int32_t i = overlapping_member(move, actor, box); i >= 0; i = overlapping_member(move, actor, box)) {
        int32_t more = edge_px(move, i, box, axis, direction);
        pushed += more;
        if (period != 0 && pushed >= period)
            return period;
        box = df_body_box_moved(box, axis, direction * more);
    }
    return pushed;
}

static bool push(const struct df_solid_move_run *move, int32_t actor, enum df_axis axis, int32_t direction)
{
    struct df_actor *body = &move->space->actors[actor];
    int32_t distance = push_px(move, body, df_actor_box(body), axis, direction);
    if (distance == 0)
        return false;
    give_lift(move, body);
    struct df_hit by;
    int32_t missing = distance - walk(move, actor, axis, direction * distance, &by);
    int32_t pusher = missing > 0 ? overlapping_member(move, body, df_actor_box(body)) : -1;
    if (pusher >= 0)
        squish(move, actor, pusher, axis, direction * missing, by);
    return true;
}

// --- steps: as many unit steps at once as have the same effect on every actor that is near

static int32_t next_near(const struct df_solid_move_run *move, int32_t actor)
{
    return df_bitset_next(&move->broadphase->near, actor);
}

// Returns the steps until two edges are in line.
static int32_t steps_to_line(int32_t distance, int32_t direction, int32_t period)
{
    int32_t steps = df_torus_canonical(distance * direction, period);
    return steps < 0 ? INT32_MAX : steps;
}

// Returns for how many steps an actor that the next step neither pushes nor carries is left alone: until edges come in
// line.
static int32_t idle_steps(const struct df_solid_move_run *move, struct df_box box, enum df_axis axis, int32_t direction)
{
    int32_t least = INT32_MAX, period = period_of(move, axis);
    for (int32_t i = 0; i < move->count; i++) {
        const struct df_solid *body = member(move, i);
        if (body == NULL)
            continue;
        struct df_box solid = df_solid_box(body), wide = df_body_box_grown(solid, 1);
        bool meets = axis == DF_X ? df_torus_spans_overlap(box.y, box.h, wide.y, wide.h, move->broadphase->period_y)
                                  : df_torus_spans_overlap(box.x, box.w, wide.x, wide.w, move->broadphase->period_x);
        if (!meets)
            continue;
        int32_t behind = axis == DF_X ? box.x - (solid.x + solid.w) : box.y - (solid.y + solid.h);
        int32_t ahead = axis == DF_X ? box.x + box.w - solid.x : box.y + box.h - solid.y;
        int32_t first = steps_to_line(behind, direction, period), second = steps_to_line(ahead, direction, period);
        first = first < second ? first : second;
        least = first < least ? first : least;
    }
    return least - 1;
}

// Returns how many steps have the same effect on the actor, at most `left`. Adds it to the pushed or the riders if they
// push or carry it.
static int32_t even_steps(const struct df_solid_move_run *move, int32_t actor, enum df_axis axis, int32_t direction,
                          int32_t left)
{
    const struct df_actor *body = &move->space->actors[actor];
    struct df_box box = df_actor_box(body);
    if (is_asked_of_any(move, body))
        return 1; // the rule may answer otherwise before each step
    int32_t distance = push_px(move, body, df_body_box_moved(box, axis, -direction), axis, direction), steps;
    bool carried = distance == 0 && rides_any(move, actor) && !has_other_carrier(move, body);
    if (distance == 1)
        df_bitset_add(&move->broadphase->pushed, actor);
    if (carried)
        df_bitset_add(&move->broadphase->riders, actor);
    struct df_hit unread;
    if (distance == 1 || carried)
        steps = walkable_px(move, body, axis, left * direction, &unread);
    else
        steps = distance == 0 ? idle_steps(move, box, axis, direction) : 1;
    return steps < 1 ? 1 : steps < left ? steps : left;
}

static int32_t even_steps_of_all(const struct df_solid_move_run *move, enum df_axis axis, int32_t direction,
                                 int32_t left)
{
    if (move->balls_are_near || left == 1)
        return 1;
    df_bitset_clear(&move->broadphase->riders);
    df_bitset_clear(&move->broadphase->pushed);
    for (int32_t i = next_near(move, 0); i >= 0 && left > 1; i = next_near(move, i + 1))
        if (takes_part(move, i))
            left = even_steps(move, i, axis, direction, left);
    return left;
}

static void find_riders(const struct df_solid_move_run *move)
{
    bool asks = move->space->rules.rides != NULL;
    if (asks)
        df_broadphase_show_moving(move->space);
    df_bitset_clear(&move->broadphase->riders);
    for (int32_t i = next_near(move, 0); i >= 0; i = next_near(move, i + 1))
        if (takes_part(move, i) && rides_any(move, i))
            df_bitset_add(&move->broadphase->riders, i);
    if (asks)
        df_broadphase_hide_moving(move->space);
}

static void shift_members(const struct df_solid_move_run *move, enum df_axis axis, int32_t px)
{
    for (int32_t i = 0; i < move->count; i++) {
        struct df_solid *solid = member(move, i);
        if (solid == NULL)
            continue;
        int32_t *at = axis == DF_X ? &solid->x : &solid->y;
        *at = df_torus_canonical(*at + px, period_of(move, axis));
    }
}

// Makes several even steps at once: nothing blocks any actor.
static void glide(const struct df_solid_move_run *move, enum df_axis axis, int32_t px)
{
    shift_members(move, axis, px);
    for (int32_t i = next_near(move, 0); i >= 0; i = next_near(move, i + 1)) {
        struct df_actor *body = &move->space->actors[i];
        bool carried = df_bitset_has(&move->broadphase->riders, i);
        if (!takes_part(move, i) || (!carried && !df_bitset_has(&move->broadphase->pushed, i)))
            continue;
        if (carried)
            stamp(move, body);
        give_lift(move, body);
        df_broadphase_shift_actor(move->space, i, axis, px);
    }
}

static void step(const struct df_solid_move_run *move, enum df_axis axis, int32_t direction)
{
    find_riders(move);
    shift_members(move, axis, direction);
    for (int32_t i = next_near(move, 0); i >= 0; i = next_near(move, i + 1)) {
        if (!takes_part(move, i) || push(move, i, axis, direction))
            continue;
        if (df_bitset_has(&move->broadphase->riders, i))
            carry(move, i, axis, direction);
    }
    struct df_unit_step made = {move->members, move->count, axis, direction,
                                axis == DF_X ? move->asked->dx_sub : move->asked->dy_sub};
    if (move->balls_are_near)
        df_ball_push_all(move->space, &made);
}

void df_solid_move_along(const struct df_solid_move_run *move, enum df_axis axis, int32_t px)
{
    int32_t left = px < 0 ? -px : px;
    if ((!move->actors_are_near && !move->balls_are_near) || px == 0) {
        shift_members(move, axis, px); // makes the place canonical, too, if it was not
        return;
    }
    df_bitset_clear(&move->broadphase->paddled);
    while (left > 0) {
        int32_t steps = even_steps_of_all(move, axis, sign(px), left);
        if (steps > 1)
            glide(move, axis, sign(px) * steps);
        else
            step(move, axis, sign(px));
        left -= steps;
    }
}
