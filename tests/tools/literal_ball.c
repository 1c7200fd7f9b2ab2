// SPDX-License-Identifier: MIT
#include "literal.h"

#include <stdlib.h>

// ---- the table: one circle, one rectangle ----------------------------------------------------------------------

// How a centre lies to a rectangle: per axis the gap in sub (negative: between the edges) and the side it is on.
struct lie {
    int64_t gap_x, gap_y;
    int32_t side_x, side_y;
};

static void lie_on_axis(int64_t centre, int64_t low, int64_t high, int64_t *gap, int32_t *side)
{
    *gap = centre <= low ? low - centre : centre >= high ? centre - high : -1;
    *side = centre <= low ? -1 : centre >= high ? 1 : 0;
}

static struct lie lie_of(int32_t cx, int32_t cy, struct df_box box)
{
    struct lie lie;
    lie_on_axis(cx, (int64_t)box.x * DF_SUB, ((int64_t)box.x + box.w) * DF_SUB, &lie.gap_x, &lie.side_x);
    lie_on_axis(cy, (int64_t)box.y * DF_SUB, ((int64_t)box.y + box.h) * DF_SUB, &lie.gap_y, &lie.side_y);
    return lie;
}

static int64_t distance_squared(struct lie lie)
{
    int64_t x = lie.gap_x > 0 ? lie.gap_x : 0, y = lie.gap_y > 0 ? lie.gap_y : 0;
    return x * x + y * y;
}

static int64_t radius_squared(const struct df_ball *ball)
{
    return (int64_t)ball->radius_px * ball->radius_px * DF_SUB * DF_SUB;
}

// The mirrored speed: how fast the ball approaches the side it is on.
static int32_t approach(int32_t speed, int32_t side)
{
    return -side * speed;
}

static enum df_bounce table(const struct df_ball *ball, struct lie lie)
{
    bool touches = distance_squared(lie) <= radius_squared(ball);
    bool u = approach(ball->vx, lie.side_x) >= 0, v = approach(ball->vy, lie.side_y) >= 0;
    if (lie.gap_x < 0 && lie.gap_y < 0)
        return DF_BOUNCE_INSIDE;
    if (lie.gap_x < 0)
        return touches && v ? DF_BOUNCE_TOP_BOTTOM : DF_BOUNCE_NONE;
    if (lie.gap_y < 0)
        return touches && u ? DF_BOUNCE_LEFT_RIGHT : DF_BOUNCE_NONE;
    if (!touches || (!u && !v))
        return DF_BOUNCE_NONE;
    return u && v ? DF_BOUNCE_CORNER : u ? DF_BOUNCE_LEFT_RIGHT : DF_BOUNCE_TOP_BOTTOM;
}

static void turn(struct df_ball *ball, struct lie lie)
{
    int32_t u = approach(ball->vx, lie.side_x), v = approach(ball->vy, lie.side_y);
    ball->vx = approach(-v, lie.side_x);
    ball->vy = approach(-u, lie.side_y);
}

enum df_bounce literal_ball_against(const struct df_ball *ball, struct df_box rectangle)
{
    return table(ball, lie_of(ball->cx, ball->cy, rectangle));
}

enum df_bounce literal_ball_bounce(struct df_ball *ball, struct df_box rectangle)
{
    enum df_bounce bounce = literal_ball_against(ball, rectangle);
    switch (bounce) {
    case DF_BOUNCE_CORNER:
        turn(ball, lie_of(ball->cx, ball->cy, rectangle));
        break;
    case DF_BOUNCE_LEFT_RIGHT:
        ball->vx = -ball->vx;
        break;
    case DF_BOUNCE_TOP_BOTTOM:
        ball->vy = -ball->vy;
        break;
    case DF_BOUNCE_NONE:
    case DF_BOUNCE_INSIDE:
        break;
    }
    return bounce;
}

// ---- all rectangles a ball can meet, in order: solids, then tiles row by row ---------------------------------------

struct obstacle {
    struct df_box box;
    int32_t solid, column, row;
};

struct round {
    const struct df_space *space;
    int32_t next_solid, image; // with wrap each solid is met in 25 places: it and the ball may reach over the seam
    int32_t first_column, last_column, next_column, next_row, last_row;
};

static struct round round_begin(const struct df_space *space, const struct df_ball *ball)
{
    struct round round = {.space = space};
    if (space->tiles.kinds != NULL) {
        int32_t x = df_floor_div(ball->cx, DF_SUB), y = df_floor_div(ball->cy, DF_SUB);
        int32_t edge = space->tiles.edge_px, reach = ball->radius_px + 2;
        round.first_column = df_floor_div(x - reach, edge);
        round.last_column = df_floor_div(x + reach, edge);
        round.next_column = round.first_column;
        round.next_row = df_floor_div(y - reach, edge);
        round.last_row = df_floor_div(y + reach, edge);
    } else {
        round.last_row = -1;
    }
    return round;
}

static bool next_solid(struct round *round, struct obstacle *obstacle)
{
    const struct df_space *space = round->space;
    int32_t period_x = literal_period_x_px(space), period_y = literal_period_y_px(space);
    int32_t images = period_x > 0 ? 25 : 1;
    while (round->next_solid < space->solid_count) {
        int32_t image = round->image++, index = round->next_solid;
        if (image == images) {
            round->image = 0;
            round->next_solid++;
            continue;
        }
        const struct df_solid *solid = &space->solids[index];
        if ((solid->flags & DF_SOLID_PRESENT) != 0 && (solid->flags & DF_SOLID_ONEWAY) == 0) {
            *obstacle = (struct obstacle){.solid = index, .box = {solid->x, solid->y, solid->w, solid->h}};
            if (images > 1) {
                obstacle->box.x = literal_wrap(solid->x, period_x) + (image % 5 - 2) * period_x;
                obstacle->box.y = literal_wrap(solid->y, period_y) + (image / 5 - 2) * period_y;
            }
            return true;
        }
    }
    return false;
}

static bool next_tile(struct round *round, struct obstacle *obstacle)
{
    const struct df_tiles *tiles = &round->space->tiles;
    while (round->next_row <= round->last_row) {
        int32_t column = round->next_column++, row = round->next_row, edge = tiles->edge_px;
        if (column > round->last_column) {
            round->next_column = round->first_column;
            round->next_row++;
            continue;
        }
        enum df_tile tile = literal_tile_at(tiles, column, row);
        if (tile == DF_TILE_SOLID || tile == DF_TILE_BLOCK) {
            bool wraps = tiles->outside == DF_OUTSIDE_WRAP;
            *obstacle = (struct obstacle){.solid = -1,
                                          .box = {column * edge, row * edge, edge, edge},
                                          .column = wraps ? literal_wrap(column, tiles->columns) : column,
                                          .row = wraps ? literal_wrap(row, tiles->rows) : row};
            return true;
        }
    }
    return false;
}

static bool next_obstacle(struct round *round, struct obstacle *obstacle)
{
    return next_solid(round, obstacle) || next_tile(round, obstacle);
}

// ---- seams -----------------------------------------------------------------------------------------------------

// What of the other three pixels around a rectangle's corner is blocked, so that the surface goes on there.
struct corner {
    bool beside_x, beside_y, across;
};

static struct corner corner_of(const struct df_space *space, struct df_box box, struct lie lie)
{
    int32_t x = lie.side_x < 0 ? box.x : box.x + box.w - 1;
    int32_t y = lie.side_y < 0 ? box.y : box.y + box.h - 1;
    return (struct corner){
        .beside_x = literal_space_blocked(space, (struct df_box){x + lie.side_x, y, 1, 1}),
        .beside_y = literal_space_blocked(space, (struct df_box){x, y + lie.side_y, 1, 1}),
        .across = literal_space_blocked(space, (struct df_box){x + lie.side_x, y + lie.side_y, 1, 1}),
    };
}

static bool is_seam(struct corner corner)
{
    return corner.beside_x || corner.beside_y || corner.across;
}

// The table among other rectangles: a corner that is a seam is passed over, or is the face that goes on there.
static enum df_bounce table_among(const struct df_space *space, const struct df_ball *ball, struct df_box box)
{
    struct lie lie = lie_of(ball->cx, ball->cy, box);
    enum df_bounce bounce = table(ball, lie);
    if (bounce == DF_BOUNCE_NONE || lie.gap_x < 0 || lie.gap_y < 0)
        return bounce;
    struct corner corner = corner_of(space, box, lie);
    if (!is_seam(corner))
        return bounce;
    if (lie.gap_x == 0 && corner.beside_x)
        return approach(ball->vy, lie.side_y) >= 0 ? DF_BOUNCE_TOP_BOTTOM : DF_BOUNCE_NONE;
    if (lie.gap_y == 0 && corner.beside_y)
        return approach(ball->vx, lie.side_x) >= 0 ? DF_BOUNCE_LEFT_RIGHT : DF_BOUNCE_NONE;
    return DF_BOUNCE_NONE;
}

// ---- one sub-step ----------------------------------------------------------------------------------------------

// All that one sub-step meets.
struct met {
    struct df_ball_hit hits[DF_BALL_HITS_CAPACITY];
    int32_t count;
    bool left_right, top_bottom;
    bool corner_left, corner_right, corner_above, corner_below; // sides of rectangles that the ball meets corners from
    struct lie corner;
};

static bool meets_corner(const struct met *met)
{
    return met->corner_left || met->corner_right;
}

static void meet(struct met *met, const struct df_space *space, struct df_ball *ball, const struct obstacle *obstacle)
{
    enum df_bounce bounce = table_among(space, ball, obstacle->box);
    struct lie lie = lie_of(ball->cx, ball->cy, obstacle->box);
    switch (bounce) {
    case DF_BOUNCE_NONE:
        return;
    case DF_BOUNCE_CORNER:
        met->corner = lie;
        met->corner_left |= lie.side_x < 0;
        met->corner_right |= lie.side_x > 0;
        met->corner_above |= lie.side_y < 0;
        met->corner_below |= lie.side_y > 0;
        break;
    case DF_BOUNCE_LEFT_RIGHT:
        met->left_right = true;
        break;
    case DF_BOUNCE_TOP_BOTTOM:
        met->top_bottom = true;
        break;
    case DF_BOUNCE_INSIDE:
        ball->flags |= DF_BALL_INSIDE;
        break;
    }
    if (met->count < DF_BALL_HITS_CAPACITY) {
        met->hits[met->count++] = (struct df_ball_hit){
            .bounce = bounce, .solid = obstacle->solid, .column = obstacle->column, .row = obstacle->row};
    }
}

// What the corners act as, beside the faces that were met.
static enum df_bounce corners_act_as(const struct met *met)
{
    if (met->left_right && met->top_bottom)
        return DF_BOUNCE_NONE;
    if (met->top_bottom)
        return DF_BOUNCE_LEFT_RIGHT;
    if (met->left_right || (met->corner_left && met->corner_right))
        return DF_BOUNCE_TOP_BOTTOM;
    return met->corner_above && met->corner_below ? DF_BOUNCE_LEFT_RIGHT : DF_BOUNCE_CORNER;
}

// True if its centre is inside of what blocks, or on a seam in it: around it is no pixel that is free. Members of a
// move count, which are not collidable while it runs.
static bool is_among(const struct df_space *space, const struct df_ball *ball, const int32_t *members, int32_t count)
{
    for (int32_t side = 0; side < 4; side++) {
        struct df_box pixel = {df_floor_div(ball->cx - side % 2, DF_SUB), df_floor_div(ball->cy - side / 2, DF_SUB), 1,
                               1};
        bool blocks = literal_space_blocked(space, pixel);
        for (int32_t i = 0; i < count; i++) {
            const struct df_solid *member = &space->solids[members[i]];
            blocks |=
                (member->flags & DF_SOLID_ONEWAY) == 0 && literal_overlaps(space, pixel, literal_solid_box(member));
        }
        if (!blocks)
            return false;
    }
    return true;
}

static bool is_in_something(const struct df_space *space, const struct df_ball *ball)
{
    return is_among(space, ball, NULL, 0);
}

static void bounce(struct df_space *space, int32_t index)
{
    struct df_ball *ball = &space->balls[index];
    struct met met = {0};
    struct round round = round_begin(space, ball);
    struct obstacle obstacle;
    while (next_obstacle(&round, &obstacle))
        meet(&met, space, ball, &obstacle);
    enum df_bounce corners = corners_act_as(&met);
    if (meets_corner(&met)) {
        met.left_right |= corners == DF_BOUNCE_LEFT_RIGHT;
        met.top_bottom |= corners == DF_BOUNCE_TOP_BOTTOM;
        if (corners == DF_BOUNCE_CORNER)
            turn(ball, met.corner);
    }
    ball->vx = met.left_right ? -ball->vx : ball->vx;
    ball->vy = met.top_bottom ? -ball->vy : ball->vy;
    for (int32_t i = 0; i < met.count; i++) {
        struct df_ball_hit hit = met.hits[i];
        hit.bounce = hit.bounce == DF_BOUNCE_CORNER ? corners : hit.bounce;
        if (hit.bounce != DF_BOUNCE_NONE && space->rules.ball_hit != NULL)
            space->rules.ball_hit(space, index, hit, space->context);
    }
}

static int32_t share_sub(int32_t speed, int32_t i, int32_t n)
{
    int32_t size = abs(speed);
    int32_t share = size * i / n - size * (i - 1) / n;
    return speed < 0 ? -share : share;
}

static void wrap_ball(const struct df_space *space, struct df_ball *ball)
{
    ball->cx = literal_wrap(ball->cx, literal_period_x_px(space) * DF_SUB);
    ball->cy = literal_wrap(ball->cy, literal_period_y_px(space) * DF_SUB);
}

static bool is_valid(const struct df_ball *ball)
{
    int32_t place = DF_COORDINATE_PX_MAX * DF_SUB, speed = 64 * DF_SUB;
    return ball->radius_px >= 1 && ball->radius_px <= 64 && ball->cx >= -place && ball->cx <= place &&
           ball->cy >= -place && ball->cy <= place && ball->vx >= -speed && ball->vx <= speed && ball->vy >= -speed &&
           ball->vy <= speed;
}

// True if a sub-step is at most a pixel long.
static bool is_short(int64_t x, int64_t y)
{
    return x * x + y * y <= (int64_t)DF_SUB * DF_SUB;
}

// True if no two of the shares of n sub-steps make one that is too long.
static bool is_fine_enough(const struct df_ball *ball, int32_t n)
{
    return is_short((abs(ball->vx) + n - 1) / n, (abs(ball->vy) + n - 1) / n);
}

// True if a straight way leads through the open square of a pixel: no side of it, and no line along the way, has the
// two on different sides.
static bool crosses_pixel(const struct df_ball *ball, int64_t dx, int64_t dy, int32_t x, int32_t y)
{
    int64_t left = (int64_t)x * DF_SUB - ball->cx, top = (int64_t)y * DF_SUB - ball->cy;
    int64_t right = left + DF_SUB, bottom = top + DF_SUB;
    bool beside_x = (left >= 0 && left >= dx) || (right <= 0 && right <= dx);
    bool beside_y = (top >= 0 && top >= dy) || (bottom <= 0 && bottom <= dy);
    int64_t sides[4] = {dx * top - dy * left, dx * top - dy * right, dx * bottom - dy * left, dx * bottom - dy * right};
    int32_t one = 0, other = 0;
    for (int32_t i = 0; i < 4; i++) {
        one += sides[i] > 0;
        other += sides[i] < 0;
    }
    return !beside_x && !beside_y && one > 0 && other > 0;
}

// True if the centre gets into something on its way: at its end, on a seam halfway, or through any pixel.
static bool gets_into_something(const struct df_space *space, const struct df_ball *ball, int64_t dx, int64_t dy)
{
    struct df_ball end = *ball, middle = *ball;
    end.cx += (int32_t)dx;
    end.cy += (int32_t)dy;
    middle.cx += (int32_t)dx / 2;
    middle.cy += (int32_t)dy / 2;
    bool gets = is_in_something(space, &end) || is_in_something(space, &middle);
    for (int32_t i = 0; i < 25; i++) {
        int32_t x = df_floor_div(ball->cx, DF_SUB) + i % 5 - 2, y = df_floor_div(ball->cy, DF_SUB) + i / 5 - 2;
        gets = gets || (crosses_pixel(ball, dx, dy, x, y) && literal_space_blocked(space, (struct df_box){x, y, 1, 1}));
    }
    return gets && !is_in_something(space, ball);
}

static void fly(const struct df_space *space, struct df_ball *ball, int32_t i, int32_t n)
{
    struct df_ball there = *ball;
    int64_t dx = share_sub(ball->vx, i, n), dy = share_sub(ball->vy, i, n);
    while (!is_short(dx, dy)) {
        dx /= 2;
        dy /= 2;
    }
    there.cx += (int32_t)dx;
    there.cy += (int32_t)dy;
    wrap_ball(space, &there);
    if (is_valid(&there) && !gets_into_something(space, ball, dx, dy))
        *ball = there;
}

enum df_result literal_ball_step(struct df_space *space, int32_t index)
{
    if (index < 0 || index >= space->ball_count)
        return DF_OUT_OF_RANGE;
    struct df_ball *ball = &space->balls[index];
    if ((ball->flags & DF_BALL_ALIVE) == 0)
        return DF_OK;
    if (!is_valid(ball))
        return DF_OUT_OF_RANGE;
    ball->flags &= ~(uint32_t)DF_BALL_INSIDE;
    int32_t n = 1;
    while (!is_fine_enough(ball, n))
        n++;
    for (int32_t i = 1; i <= n && (ball->flags & DF_BALL_ALIVE) != 0 && is_valid(ball); i++) {
        fly(space, ball, i, n);
        bounce(space, index);
    }
    return DF_OK;
}

// ---- pushed by a solid -----------------------------------------------------------------------------------------

static bool is_inside(struct lie lie)
{
    return lie.gap_x < 0 && lie.gap_y < 0;
}

// How the ball lies to a solid; of its images at the seams the nearest.
static struct lie lie_to(const struct df_space *space, const struct df_ball *ball, struct df_solid solid)
{
    struct df_ball here = *ball;
    wrap_ball(space, &here);
    solid.flags = DF_SOLID_PRESENT; // alone in a space of its own
    struct df_space alone = {.tiles = space->tiles, .solids = &solid, .solid_count = 1};
    struct round round = round_begin(&alone, &here);
    struct obstacle obstacle;
    next_solid(&round, &obstacle);
    struct lie nearest = lie_of(here.cx, here.cy, obstacle.box);
    while (next_solid(&round, &obstacle)) {
        struct lie lie = lie_of(here.cx, here.cy, obstacle.box);
        if (is_inside(lie) || (!is_inside(nearest) && distance_squared(lie) < distance_squared(nearest)))
            nearest = lie;
    }
    return nearest;
}

// Within reach of the centre and nearer to it than before, or around it.
static bool is_run_into(struct lie now, struct lie before, int32_t reach_px)
{
    int64_t reach_sub = (int64_t)reach_px * DF_SUB;
    return is_inside(now) ||
           (distance_squared(now) < reach_sub * reach_sub && distance_squared(now) < distance_squared(before));
}

static bool came_onto(const struct df_space *space, const struct df_ball *ball, const struct df_solid *solid,
                      struct literal_step step)
{
    struct df_solid before = *solid;
    before.x -= step.x;
    before.y -= step.y;
    return (solid->flags & DF_SOLID_ONEWAY) == 0 &&
           is_run_into(lie_to(space, ball, *solid), lie_to(space, ball, before), ball->radius_px);
}

static bool overlaps_any(const struct df_space *space, const struct df_ball *ball, const int32_t *solids, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (distance_squared(lie_to(space, ball, space->solids[solids[i]])) < radius_squared(ball))
            return true;
    return false;
}

// More than one pixel deep in something, which is as deep as a bounce may leave a ball.
static bool is_held(const struct df_space *space, const struct df_ball *ball, const struct df_ball *from)
{
    struct df_ball here = *ball;
    wrap_ball(space, &here);
    int32_t from_x = from->cx + here.cx - ball->cx, from_y = from->cy + here.cy - ball->cy;
    struct round round = round_begin(space, &here);
    struct obstacle obstacle;
    while (next_obstacle(&round, &obstacle))
        if (is_run_into(lie_of(here.cx, here.cy, obstacle.box), lie_of(from_x, from_y, obstacle.box),
                        ball->radius_px - 1))
            return true;
    return false;
}

enum literal_push literal_ball_push(const struct df_space *space, struct df_ball *ball, const int32_t *members,
                                    int32_t count, struct literal_step step, int32_t *pusher)
{
    int32_t pushers[DF_GROUP_CAPACITY], pusher_count = 0;
    for (int32_t i = 0; i < count; i++)
        if (came_onto(space, ball, &space->solids[members[i]], step))
            pushers[pusher_count++] = members[i];
    if (pusher_count == 0)
        return LITERAL_PUSH_NONE;
    *pusher = pushers[0];
    struct df_ball pushed = *ball;
    int32_t period = step.x != 0 ? literal_period_x_px(space) : literal_period_y_px(space);
    for (int32_t px = 0; overlaps_any(space, &pushed, pushers, pusher_count); px++) {
        if (period > 0 && px == period)
            return LITERAL_PUSH_HELD; // there is no room beside them in the whole round
        pushed.cx += step.x * DF_SUB;
        pushed.cy += step.y * DF_SUB;
        if (period == 0 && !is_valid(&pushed))
            return LITERAL_PUSH_HELD; // the coordinates end before
    }
    for (int32_t i = 0; i < count; i++) {
        const struct df_solid *member = &space->solids[members[i]];
        if ((member->flags & DF_SOLID_ONEWAY) == 0 &&
            is_run_into(lie_to(space, &pushed, *member), lie_to(space, ball, *member), ball->radius_px - 1))
            return LITERAL_PUSH_HELD;
    }
    if (is_held(space, &pushed, ball))
        return LITERAL_PUSH_HELD;
    wrap_ball(space, &pushed);
    if (is_among(space, &pushed, members, count) && !is_in_something(space, ball))
        return LITERAL_PUSH_HELD;
    *ball = pushed;
    return LITERAL_PUSH_DONE;
}
