// SPDX-License-Identifier: MIT
#include "ball_push.h"

#include "ball_contact.h"

static bool covers(struct df_ball_gaps gaps, int32_t radius_sub)
{
    return df_ball_contact_is_inside(gaps) || df_ball_contact_distance_squared(gaps) < (int64_t)radius_sub * radius_sub;
}

// The rectangle covers part of the circle of this radius, and is nearer to its centre than before, or around it.
static bool is_run_into(struct df_ball_gaps now, struct df_ball_gaps before, int32_t radius_px)
{
    return covers(now, radius_px * DF_SUB) &&
           (df_ball_contact_is_inside(now) ||
            df_ball_contact_distance_squared(now) < df_ball_contact_distance_squared(before));
}

// The solids of one unit step that ran into a ball.
struct pushers {
    int32_t solids[DF_GROUP_CAPACITY];
    int32_t count;
};

static void find_pushers(const struct df_space *space, const struct df_ball *ball, const struct df_unit_step *step,
                         struct pushers *pushers)
{
    for (int32_t i = 0; i < step->count; i++) {
        const struct df_solid *solid = &space->solids[step->members[i]];
        struct df_box box = df_solid_box(solid), before = df_body_box_moved(box, step->axis, -step->direction);
        if (df_ball_contact_is_full(space, solid) &&
            is_run_into(df_ball_contact_nearest(space, ball, box), df_ball_contact_nearest(space, ball, before),
                        ball->radius_px))
            pushers->solids[pushers->count++] = step->members[i];
    }
}

// Returns the pixels until the centre is at the leading edge, at least 1: until then the rectangle covers the ball.
static int32_t ahead_px(const struct df_ball *ball, struct df_box box, const struct df_unit_step *step)
{
    int32_t at_sub = step->axis == DF_X ? ball->cx : ball->cy, edge_px = step->axis == DF_X ? box.x : box.y;
    if (step->direction > 0)
        edge_px += step->axis == DF_X ? box.w : box.h;
    int32_t way_sub = (edge_px * DF_SUB - at_sub) * step->direction;
    return way_sub <= DF_SUB ? 1 : (way_sub + DF_SUB - 1) / DF_SUB;
}

// Returns how far a pusher that covers the ball pushes it at least, px; 0 if none does.
static int32_t push_px(const struct df_space *space, const struct df_ball *ball, const struct pushers *pushers,
                       const struct df_unit_step *step)
{
    for (int32_t i = 0; i < pushers->count; i++) {
        struct df_box box = df_ball_contact_image(space, ball, df_solid_box(&space->solids[pushers->solids[i]]));
        if (covers(df_ball_contact_gaps(ball, box), ball->radius_px * DF_SUB))
            return ahead_px(ball, box, step);
    }
    return 0;
}

// Moves the ball clear of the pushers. Returns false if a world that wraps has no room beside them, or the coordinates
// end before.
static bool push_clear(const struct df_space *space, struct df_ball *ball, const struct pushers *pushers,
                       const struct df_unit_step *step)
{
    int32_t period = step->axis == DF_X ? space->broadphase->period_x : space->broadphase->period_y, pushed = 0;
    for (int32_t px = push_px(space, ball, pushers, step); px != 0; px = push_px(space, ball, pushers, step)) {
        pushed += px;
        *(step->axis == DF_X ? &ball->cx : &ball->cy) += step->direction * px * DF_SUB;
        if (period != 0 ? pushed >= period : !df_ball_contact_is_valid(ball))
            return false;
    }
    return true;
}

// Returns true if something other than the pushers holds the ball: the rest of their group, too. A bounce leaves a ball
// up to one pixel deep in what it touches, so that much is no obstacle.
static bool is_held(const struct df_space *space, const struct df_ball *ball, const struct df_ball *from,
                    const struct df_unit_step *step)
{
    for (int32_t i = 0; i < step->count; i++) {
        const struct df_solid *solid = &space->solids[step->members[i]];
        struct df_box box = df_solid_box(solid);
        if (df_ball_contact_is_full(space, solid) &&
            is_run_into(df_ball_contact_nearest(space, ball, box), df_ball_contact_nearest(space, from, box),
                        ball->radius_px - 1))
            return true;
    }
    struct df_ball_rectangles all = df_ball_contact_rectangles(space, ball);
    while (df_ball_contact_next(&all))
        if (is_run_into(df_ball_contact_gaps(ball, all.box), df_ball_contact_gaps(from, all.box), ball->radius_px - 1))
            return true;
    return false;
}

// Returns true if a push leads the centre onto a seam, which is inside of no single rectangle. Where it comes from, the
// pushers are around it now.
static bool is_pushed_onto_seam(struct df_space *space, const struct df_ball *ball, const struct df_ball *from)
{
    struct df_ball there = *ball;
    there.cx = df_ball_contact_canonical(there.cx, space->broadphase->period_x);
    there.cy = df_ball_contact_canonical(there.cy, space->broadphase->period_y);
    if (df_ball_contact_is_enclosed(space, from))
        return false;
    df_broadphase_show_moving(space);
    bool is_enclosed = df_ball_contact_is_enclosed(space, &there);
    df_broadphase_hide_moving(space);
    return is_enclosed;
}

static void squish_ball(struct df_space *space, int32_t ball, int32_t solid)
{
    if (df_bitset_has(&space->broadphase->crushed, ball))
        return;
    df_bitset_add(&space->broadphase->crushed, ball);
    if (space->rules.ball_squish == NULL) {
        space->balls[ball].flags &= ~(uint32_t)DF_BALL_ALIVE;
        return;
    }
    df_broadphase_show_moving(space);
    space->rules.ball_squish(space, ball, solid, space->context);
    df_broadphase_hide_moving(space);
}

static void hit_like_paddle(struct df_space *space, int32_t ball, const struct df_unit_step *step)
{
    int32_t *speed = step->axis == DF_X ? &space->balls[ball].vx : &space->balls[ball].vy;
    if (df_bitset_has(&space->broadphase->paddled, ball))
        return;
    df_bitset_add(&space->broadphase->paddled, ball);
    if (*speed * step->direction > 0)
        return;
    *speed += step->speed_sub;
    *speed = *speed > DF_BALL_SPEED_MAX ? DF_BALL_SPEED_MAX : *speed < -DF_BALL_SPEED_MAX ? -DF_BALL_SPEED_MAX : *speed;
}

static void push(struct df_space *space, int32_t ball, const struct df_unit_step *step)
{
    struct df_ball *body = &space->balls[ball], there = *body;
    struct pushers pushers = {.count = 0};
    find_pushers(space, body, step, &pushers);
    if (pushers.count == 0)
        return;
    if (!push_clear(space, &there, &pushers, step) || is_held(space, &there, body, step) ||
        is_pushed_onto_seam(space, &there, body)) {
        squish_ball(space, ball, pushers.solids[0]);
        return;
    }
    body->cx = df_ball_contact_canonical(there.cx, space->broadphase->period_x);
    body->cy = df_ball_contact_canonical(there.cy, space->broadphase->period_y);
    hit_like_paddle(space, ball, step);
}

static bool can_be_pushed(const struct df_ball *ball)
{
    return (ball->flags & DF_BALL_ALIVE) != 0 && df_ball_contact_is_valid(ball);
}

bool df_ball_push_is_near(const struct df_space *space, struct df_box box)
{
    for (int32_t i = 0; i < space->ball_count; i++)
        if (can_be_pushed(&space->balls[i]) &&
            df_broadphase_overlaps(space->broadphase, df_ball_contact_area(&space->balls[i]), box))
            return true;
    return false;
}

void df_ball_push_all(struct df_space *space, const struct df_unit_step *step)
{
    for (int32_t i = 0; i < space->ball_count; i++)
        if (can_be_pushed(&space->balls[i]))
            push(space, i, step);
}
