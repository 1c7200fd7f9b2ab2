// SPDX-License-Identifier: MIT
#include "ball.h"

#include <assert.h>

#include "ball_contact.h"

static_assert(sizeof(struct df_ball) == 6 * 4, "no padding");

static bool is_corner(struct df_ball_gaps gaps)
{
    return gaps.gap_x >= 0 && gaps.gap_y >= 0;
}

static enum df_bounce bounce_of(const struct df_ball *ball, struct df_ball_gaps gaps)
{
    int64_t radius = (int64_t)ball->radius_px * DF_SUB;
    bool towards_x = -gaps.side_x * ball->vx >= 0, towards_y = -gaps.side_y * ball->vy >= 0;
    if (df_ball_contact_is_inside(gaps))
        return DF_BOUNCE_INSIDE;
    if (df_ball_contact_distance_squared(gaps) > radius * radius)
        return DF_BOUNCE_NONE;
    if (!is_corner(gaps)) {
        if (gaps.gap_y >= 0)
            return towards_y ? DF_BOUNCE_TOP_BOTTOM : DF_BOUNCE_NONE;
        return towards_x ? DF_BOUNCE_LEFT_RIGHT : DF_BOUNCE_NONE;
    }
    if (towards_x)
        return towards_y ? DF_BOUNCE_CORNER : DF_BOUNCE_LEFT_RIGHT;
    return towards_y ? DF_BOUNCE_TOP_BOTTOM : DF_BOUNCE_NONE;
}

enum df_bounce df_ball_against(const struct df_ball *ball, struct df_box rectangle)
{
    if (!df_ball_contact_is_valid(ball) || !df_body_box_is_valid(rectangle))
        return DF_BOUNCE_NONE;
    return bounce_of(ball, df_ball_contact_gaps(ball, rectangle));
}

// The mirrored speeds (u, v) become (-v, -u); which of the two speeds is mirrored is the side.
static void turn_at_corner(struct df_ball *ball, struct df_ball_gaps gaps)
{
    int32_t vx = ball->vx, same = gaps.side_x * gaps.side_y;
    ball->vx = -same * ball->vy;
    ball->vy = -same * vx;
}

enum df_bounce df_ball_bounce(struct df_ball *ball, struct df_box rectangle)
{
    enum df_bounce bounce = df_ball_against(ball, rectangle);
    if (bounce == DF_BOUNCE_LEFT_RIGHT)
        ball->vx = -ball->vx;
    if (bounce == DF_BOUNCE_TOP_BOTTOM)
        ball->vy = -ball->vy;
    if (bounce == DF_BOUNCE_CORNER)
        turn_at_corner(ball, df_ball_contact_gaps(ball, rectangle));
    return bounce;
}

// Returns the corner's row of the table, unless the surface continues past its point.
static enum df_bounce corner_of(const struct df_space *space, const struct df_ball *ball, struct df_box box,
                                struct df_ball_gaps gaps)
{
    int32_t in_x = gaps.side_x < 0 ? box.x : box.x + box.w - 1, in_y = gaps.side_y < 0 ? box.y : box.y + box.h - 1;
    int32_t out_x = in_x + gaps.side_x, out_y = in_y + gaps.side_y;
    bool beside = df_ball_contact_pixel_blocked(space, out_x, in_y),
         above = df_ball_contact_pixel_blocked(space, in_x, out_y);
    bool across = df_ball_contact_pixel_blocked(space, out_x, out_y);
    if (gaps.gap_x == 0 && beside)
        gaps.gap_x = -1;
    else if (gaps.gap_y == 0 && above)
        gaps.gap_y = -1;
    else if (beside || above || across)
        return DF_BOUNCE_NONE;
    return bounce_of(ball, gaps);
}

// Everything that a ball meets in one sub-step.
struct met {
    struct df_ball_hit hits[DF_BALL_HITS_CAPACITY];
    int32_t count;
    bool touches, flips_x, flips_y, inside;
    bool left, right, above, below; ///< sides of rectangles on which corners are met
    struct df_ball_gaps corner;
};

static void meet(struct met *met, const struct df_ball_rectangles *all, enum df_bounce bounce, struct df_ball_gaps gaps)
{
    const struct df_tiles *tiles = &all->space->tiles;
    bool wraps = all->solid < 0 && tiles->outside == DF_OUTSIDE_WRAP;
    if (bounce == DF_BOUNCE_CORNER) {
        met->corner = gaps;
        met->left = met->left || gaps.side_x < 0;
        met->right = met->right || gaps.side_x > 0;
        met->above = met->above || gaps.side_y < 0;
        met->below = met->below || gaps.side_y > 0;
    }
    met->flips_x = met->flips_x || bounce == DF_BOUNCE_LEFT_RIGHT;
    met->flips_y = met->flips_y || bounce == DF_BOUNCE_TOP_BOTTOM;
    met->inside = met->inside || bounce == DF_BOUNCE_INSIDE;
    if (met->count == DF_BALL_HITS_CAPACITY)
        return;
    struct df_ball_hit hit = {bounce, all->solid, 0, 0};
    if (all->solid < 0) {
        hit.column = wraps ? df_torus_mod(all->column, tiles->columns) : all->column;
        hit.row = wraps ? df_torus_mod(all->row, tiles->rows) : all->row;
    }
    met->hits[met->count++] = hit;
}

static void meet_all(const struct df_space *space, const struct df_ball *ball, struct met *met)
{
    struct df_ball_rectangles all = df_ball_contact_rectangles(space, ball);
    int64_t radius = (int64_t)ball->radius_px * DF_SUB;
    while (df_ball_contact_next(&all)) {
        struct df_ball_gaps gaps = df_ball_contact_gaps(ball, all.box);
        if (df_ball_contact_distance_squared(gaps) > radius * radius)
            continue;
        met->touches = true;
        enum df_bounce bounce = is_corner(gaps) ? corner_of(space, ball, all.box, gaps) : bounce_of(ball, gaps);
        if (bounce != DF_BOUNCE_NONE)
            meet(met, &all, bounce, gaps);
    }
}

// Returns what the corners act as, given the faces that the ball met.
static enum df_bounce corners_act_as(const struct met *met)
{
    if (met->flips_x && met->flips_y)
        return DF_BOUNCE_NONE;
    if (met->flips_x || met->flips_y)
        return met->flips_x ? DF_BOUNCE_TOP_BOTTOM : DF_BOUNCE_LEFT_RIGHT;
    if (met->left && met->right)
        return DF_BOUNCE_TOP_BOTTOM;
    return met->above && met->below ? DF_BOUNCE_LEFT_RIGHT : DF_BOUNCE_CORNER;
}

static void bounce_off(struct df_ball *ball, const struct met *met, enum df_bounce corners)
{
    bool meets_corner = met->left || met->right;
    if (met->inside)
        ball->flags |= DF_BALL_INSIDE;
    if (met->flips_x || (meets_corner && corners == DF_BOUNCE_LEFT_RIGHT))
        ball->vx = -ball->vx;
    if (met->flips_y || (meets_corner && corners == DF_BOUNCE_TOP_BOTTOM))
        ball->vy = -ball->vy;
    if (meets_corner && corners == DF_BOUNCE_CORNER)
        turn_at_corner(ball, met->corner);
}

static void report(struct df_space *space, int32_t ball, const struct met *met, enum df_bounce corners)
{
    for (int32_t i = 0; i < met->count; i++) {
        struct df_ball_hit hit = met->hits[i];
        if (hit.bounce == DF_BOUNCE_CORNER)
            hit.bounce = corners;
        if (hit.bounce != DF_BOUNCE_NONE && space->rules.ball_hit != NULL)
            space->rules.ball_hit(space, ball, hit, space->context);
    }
}

// Returns true if a sub-step is at most a pixel long: no radius is shorter, so a ball outside of a rectangle is led
// onto it at most, and not inside.
static bool is_short(int32_t x_sub, int32_t y_sub)
{
    return (int64_t)x_sub * x_sub + (int64_t)y_sub * y_sub <= DF_SUB * DF_SUB;
}

// Returns the fewest sub-steps that are short.
static int32_t sub_steps(const struct df_ball *ball)
{
    int32_t vx = ball->vx < 0 ? -ball->vx : ball->vx, vy = ball->vy < 0 ? -ball->vy : ball->vy;
    int32_t n = ((vx > vy ? vx : vy) + DF_SUB - 1) / DF_SUB;
    n = n < 1 ? 1 : n;
    while (!is_short((vx + n - 1) / n, (vy + n - 1) / n))
        n++;
    return n;
}

// Returns the share of sub-step i of n, i from 1; the shares of a tick add up to the speed.
static int32_t share(int32_t speed, int32_t i, int32_t n)
{
    int32_t whole = speed < 0 ? -speed : speed, part = whole * i / n - whole * (i - 1) / n;
    return speed < 0 ? -part : part;
}

// Returns the way of sub-step i of n.
static struct df_ball_way way_of(const struct df_ball *ball, int32_t i, int32_t n)
{
    struct df_ball_way way = {share(ball->vx, i, n), share(ball->vy, i, n)};
    while (!is_short(way.x, way.y)) { // a rule has sped it up since the tick began
        way.x /= 2;
        way.y /= 2;
    }
    return way;
}

// Returns the ball at the end of a way. It stays where it is if that is beyond the coordinates.
static struct df_ball flown(const struct df_space *space, const struct df_ball *ball, struct df_ball_way way)
{
    struct df_ball there = *ball;
    there.cx = df_ball_contact_canonical(there.cx + way.x, space->broadphase->period_x);
    there.cy = df_ball_contact_canonical(there.cy + way.y, space->broadphase->period_y);
    return df_ball_contact_is_valid(&there) ? there : *ball;
}

// Flies and meets what is there. A ball does not fly through anything: it meets again what it touches where it is.
static void sub_step(struct df_space *space, struct df_ball *ball, int32_t i, int32_t n, struct met *met)
{
    struct df_ball_way way = way_of(ball, i, n);
    struct df_ball there = flown(space, ball, way);
    meet_all(space, &there, met);
    if (met->touches && df_ball_contact_is_blocked(space, ball, way)) {
        *met = (struct met){.count = 0};
        meet_all(space, ball, met);
        return;
    }
    *ball = there;
}

enum df_result df_ball_step(struct df_space *space, int32_t ball)
{
    if (ball < 0 || ball >= space->ball_count)
        return DF_OUT_OF_RANGE;
    struct df_ball *body = &space->balls[ball];
    if ((body->flags & DF_BALL_ALIVE) == 0)
        return DF_OK;
    if (!df_ball_contact_is_valid(body))
        return DF_OUT_OF_RANGE;
    int32_t steps = sub_steps(body);
    body->flags &= ~(uint32_t)DF_BALL_INSIDE;
    for (int32_t i = 1; i <= steps && (body->flags & DF_BALL_ALIVE) != 0 && df_ball_contact_is_valid(body); i++) {
        struct met met = {.count = 0};
        sub_step(space, body, i, steps, &met);
        enum df_bounce corners = corners_act_as(&met);
        bounce_off(body, &met, corners);
        report(space, ball, &met, corners);
    }
    return DF_OK;
}
