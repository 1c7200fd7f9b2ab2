// SPDX-License-Identifier: MIT
#include <assert.h>

#include "bounce.h"

#define RADIUS_PX_MAX 64
#define SPEED_MAX     (64 * DF_SUB)

static_assert(sizeof(struct df_ball) == 6 * 4, "no padding");

// Where a ball stands to a rectangle. Gaps in sub, negative inside; `side` points from the rectangle to the ball.
struct stand {
    int32_t gap_x, gap_y;
    int32_t side_x, side_y;
};

static int32_t gap_of(int32_t centre, int32_t at_px, int32_t length_px, int32_t *side)
{
    int32_t before = at_px * DF_SUB - centre, after = centre - (at_px + length_px) * DF_SUB;
    *side = before > after ? -1 : 1;
    return before > after ? before : after;
}

static struct stand stand_of(const struct df_ball *ball, struct df_box box)
{
    struct stand stand;
    stand.gap_x = gap_of(ball->cx, box.x, box.w, &stand.side_x);
    stand.gap_y = gap_of(ball->cy, box.y, box.h, &stand.side_y);
    return stand;
}

// Square of the distance from the centre; 0 inside.
static int64_t distance_squared(struct stand stand)
{
    int64_t x = stand.gap_x > 0 ? stand.gap_x : 0, y = stand.gap_y > 0 ? stand.gap_y : 0;
    return x * x + y * y;
}

static bool is_inside(struct stand stand)
{
    return stand.gap_x < 0 && stand.gap_y < 0;
}

static bool is_corner(struct stand stand)
{
    return stand.gap_x >= 0 && stand.gap_y >= 0;
}

static enum df_bounce bounce_of(const struct df_ball *ball, struct stand stand)
{
    int64_t radius = (int64_t)ball->radius_px * DF_SUB;
    bool towards_x = -stand.side_x * ball->vx >= 0, towards_y = -stand.side_y * ball->vy >= 0;
    if (is_inside(stand))
        return DF_BOUNCE_INSIDE;
    if (distance_squared(stand) > radius * radius)
        return DF_BOUNCE_NONE;
    if (!is_corner(stand)) {
        if (stand.gap_y >= 0)
            return towards_y ? DF_BOUNCE_TOP_BOTTOM : DF_BOUNCE_NONE;
        return towards_x ? DF_BOUNCE_LEFT_RIGHT : DF_BOUNCE_NONE;
    }
    if (towards_x)
        return towards_y ? DF_BOUNCE_CORNER : DF_BOUNCE_LEFT_RIGHT;
    return towards_y ? DF_BOUNCE_TOP_BOTTOM : DF_BOUNCE_NONE;
}

enum df_bounce df_ball_against(const struct df_ball *ball, struct df_box rectangle)
{
    return bounce_of(ball, stand_of(ball, rectangle));
}

// The mirrored speeds (u, v) become (-v, -u); which of the two speeds is mirrored is the side.
static void turn_at_corner(struct df_ball *ball, struct stand stand)
{
    int32_t vx = ball->vx, same = stand.side_x * stand.side_y;
    ball->vx = -same * ball->vy;
    ball->vy = -same * vx;
}

enum df_bounce df_ball_bounce(struct df_ball *ball, struct df_box rectangle)
{
    struct stand stand = stand_of(ball, rectangle);
    enum df_bounce bounce = bounce_of(ball, stand);
    if (bounce == DF_BOUNCE_LEFT_RIGHT)
        ball->vx = -ball->vx;
    if (bounce == DF_BOUNCE_TOP_BOTTOM)
        ball->vy = -ball->vy;
    if (bounce == DF_BOUNCE_CORNER)
        turn_at_corner(ball, stand);
    return bounce;
}

// --- what is around
// ---------------------------------------------------------------------------------------------------

static struct df_box around(const struct df_ball *ball)
{
    int32_t reach = ball->radius_px + 1;
    return (struct df_box){df_floor_div(ball->cx, DF_SUB) - reach, df_floor_div(ball->cy, DF_SUB) - reach,
                           2 * reach + 1, 2 * reach + 1};
}

static bool is_full(const struct df_solid *solid)
{
    return df_solid_is_present(solid) && (solid->flags & DF_SOLID_ONEWAY) == 0;
}

// In a world that wraps a solid is met in up to four places around the ball: image 0 to 3, left to right, then
// downward.
static struct df_box image_of(const struct df_space *space, const struct df_ball *ball, struct df_box box,
                              int32_t image)
{
    struct df_box area = around(ball);
    int32_t period_x = space->index->period_x, period_y = space->index->period_y;
    if (period_x == 0)
        return box;
    box.x = area.x + df_mod(box.x - area.x, period_x) - (image % 2 == 0 ? period_x : 0);
    box.y = area.y + df_mod(box.y - area.y, period_y) - (image / 2 == 0 ? period_y : 0);
    return box;
}

static int32_t images(const struct df_space *space)
{
    return space->index->period_x != 0 ? 4 : 1;
}

// Walks over the rectangles near a ball: solids in index order, then blocking tiles row by row.
struct rectangles {
    const struct df_space *space;
    const struct df_ball *ball;
    struct df_near_solids near;
    int32_t column_first, column_last, row_last;
    int32_t column, row;
    struct df_box box;
    int32_t solid; ///< or -1: the tile at column, row
    int32_t image; ///< of the solid, the next to be met
};

static struct rectangles rectangles_near(const struct df_space *space, const struct df_ball *ball)
{
    struct df_box area = around(ball);
    struct rectangles all = {.space = space, .ball = ball, .near = df_index_near(space->index, area), .image = 4};
    int32_t edge = space->tiles.kinds != NULL ? space->tiles.edge_px : DF_COORDINATE_PX_MAX;
    all.column_first = df_floor_div(area.x, edge);
    all.column_last = df_floor_div(area.x + area.w - 1, edge);
    all.row_last = df_floor_div(area.y + area.h - 1, edge);
    all.column = all.column_first - 1;
    all.row = df_floor_div(area.y, edge);
    return all;
}

static bool next_tile(struct rectangles *all)
{
    const struct df_tiles *tiles = &all->space->tiles;
    while (tiles->kinds != NULL) {
        if (++all->column > all->column_last) {
            all->column = all->column_first;
            all->row++;
        }
        if (all->row > all->row_last)
            return false;
        enum df_tile kind = df_tiles_at(tiles, all->column, all->row);
        int32_t edge = tiles->edge_px;
        all->box = (struct df_box){all->column * edge, all->row * edge, edge, edge};
        if (kind == DF_TILE_SOLID || kind == DF_TILE_BLOCK)
            return true;
    }
    return false;
}

static bool next_rectangle(struct rectangles *all)
{
    const struct df_space *space = all->space;
    while (all->solid >= 0) {
        if (all->image >= images(space)) {
            all->solid = df_index_next(&all->near);
            all->image = 0;
            continue;
        }
        int32_t image = all->image++;
        if (!is_full(&space->solids[all->solid]))
            continue;
        all->box = image_of(space, all->ball, df_solid_box(&space->solids[all->solid]), image);
        return true;
    }
    return next_tile(all);
}

// --- one tick
// ---------------------------------------------------------------------------------------------------------

static bool pixel_blocked(const struct df_space *space, int32_t x, int32_t y)
{
    return df_space_blocked(space, (struct df_box){x, y, 1, 1});
}

// The corner's row of the table, unless the surface goes on past its point.
static enum df_bounce corner_of(const struct df_space *space, const struct df_ball *ball, struct df_box box,
                                struct stand stand)
{
    int32_t in_x = stand.side_x < 0 ? box.x : box.x + box.w - 1, in_y = stand.side_y < 0 ? box.y : box.y + box.h - 1;
    int32_t out_x = in_x + stand.side_x, out_y = in_y + stand.side_y;
    bool beside = pixel_blocked(space, out_x, in_y), above = pixel_blocked(space, in_x, out_y);
    bool across = pixel_blocked(space, out_x, out_y);
    if (stand.gap_x == 0 && beside)
        stand.gap_x = -1;
    else if (stand.gap_y == 0 && above)
        stand.gap_y = -1;
    else if (beside || above || across)
        return DF_BOUNCE_NONE;
    return bounce_of(ball, stand);
}

// What one sub-step meets.
struct met {
    struct df_ball_hit hits[DF_BALL_HITS_CAPACITY];
    int32_t count;
    bool flips_x, flips_y, inside;
    bool left, right, above, below; ///< sides of rectangles from which corners are met
    struct stand corner;
};

static void meet(struct met *met, const struct rectangles *all, enum df_bounce bounce, struct stand stand)
{
    const struct df_tiles *tiles = &all->space->tiles;
    bool wraps = all->solid < 0 && tiles->outside == DF_OUTSIDE_WRAP;
    if (bounce == DF_BOUNCE_CORNER) {
        met->corner = stand;
        met->left = met->left || stand.side_x < 0;
        met->right = met->right || stand.side_x > 0;
        met->above = met->above || stand.side_y < 0;
        met->below = met->below || stand.side_y > 0;
    }
    met->flips_x = met->flips_x || bounce == DF_BOUNCE_LEFT_RIGHT;
    met->flips_y = met->flips_y || bounce == DF_BOUNCE_TOP_BOTTOM;
    met->inside = met->inside || bounce == DF_BOUNCE_INSIDE;
    if (met->count == DF_BALL_HITS_CAPACITY)
        return;
    struct df_ball_hit hit = {bounce, all->solid, 0, 0};
    if (all->solid < 0) {
        hit.column = wraps ? df_mod(all->column, tiles->columns) : all->column;
        hit.row = wraps ? df_mod(all->row, tiles->rows) : all->row;
    }
    met->hits[met->count++] = hit;
}

static void look(const struct df_space *space, const struct df_ball *ball, struct met *met)
{
    struct rectangles all = rectangles_near(space, ball);
    int64_t radius = (int64_t)ball->radius_px * DF_SUB;
    while (next_rectangle(&all)) {
        struct stand stand = stand_of(ball, all.box);
        if (distance_squared(stand) > radius * radius)
            continue;
        enum df_bounce bounce = is_corner(stand) ? corner_of(space, ball, all.box, stand) : bounce_of(ball, stand);
        if (bounce != DF_BOUNCE_NONE)
            meet(met, &all, bounce, stand);
    }
}

// What the corners act as beside the faces that were met.
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

static void answer(struct df_ball *ball, const struct met *met, enum df_bounce corners)
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

static void tell(struct df_space *space, int32_t ball, const struct met *met, enum df_bounce corners)
{
    for (int32_t i = 0; i < met->count; i++) {
        struct df_ball_hit hit = met->hits[i];
        if (hit.bounce == DF_BOUNCE_CORNER)
            hit.bounce = corners;
        if (hit.bounce != DF_BOUNCE_NONE && space->rules.ball_hit != NULL)
            space->rules.ball_hit(space, ball, hit, space->context);
    }
}

// The share of sub-step i of n, i from 1; the shares of a tick add up to the speed.
static int32_t share(int32_t speed, int32_t i, int32_t n)
{
    int32_t whole = speed < 0 ? -speed : speed;
    int32_t part = whole * i / n - whole * (i - 1) / n;
    part = part < DF_SUB ? part : DF_SUB;
    return speed < 0 ? -part : part;
}

static bool ball_is_valid(const struct df_ball *ball)
{
    int32_t place = DF_COORDINATE_PX_MAX * DF_SUB;
    return ball->cx >= -place && ball->cx <= place && ball->cy >= -place && ball->cy <= place && ball->radius_px >= 1 &&
           ball->radius_px <= RADIUS_PX_MAX && ball->vx >= -SPEED_MAX && ball->vx <= SPEED_MAX &&
           ball->vy >= -SPEED_MAX && ball->vy <= SPEED_MAX;
}

static int32_t canonical_sub(int32_t at_sub, int32_t period_px)
{
    return df_canonical(at_sub, period_px * DF_SUB);
}

enum df_result df_ball_step(struct df_space *space, int32_t ball)
{
    if (ball < 0 || ball >= space->ball_count)
        return DF_OUT_OF_RANGE;
    struct df_ball *body = &space->balls[ball];
    if ((body->flags & DF_BALL_ALIVE) == 0)
        return DF_OK;
    if (!ball_is_valid(body))
        return DF_OUT_OF_RANGE;
    int32_t vx = body->vx < 0 ? -body->vx : body->vx, vy = body->vy < 0 ? -body->vy : body->vy;
    int32_t steps = ((vx > vy ? vx : vy) + DF_SUB - 1) / DF_SUB;
    steps = steps < 1 ? 1 : steps;
    body->flags &= ~(uint32_t)DF_BALL_INSIDE;
    for (int32_t i = 1; i <= steps && (body->flags & DF_BALL_ALIVE) != 0 && ball_is_valid(body); i++) {
        body->cx = canonical_sub(body->cx + share(body->vx, i, steps), space->index->period_x);
        body->cy = canonical_sub(body->cy + share(body->vy, i, steps), space->index->period_y);
        struct met met = {.count = 0};
        look(space, body, &met);
        enum df_bounce corners = corners_act_as(&met);
        answer(body, &met, corners);
        tell(space, ball, &met, corners);
    }
    return DF_OK;
}

// --- pushed by a solid
// --------------------------------------------------------------------------------------------------

static bool covers(struct stand stand, int32_t radius_sub)
{
    return is_inside(stand) || distance_squared(stand) < (int64_t)radius_sub * radius_sub;
}

// Where the ball stands to the nearest image of a box.
static struct stand stand_in(const struct df_space *space, const struct df_ball *ball, struct df_box box)
{
    struct stand nearest = stand_of(ball, image_of(space, ball, box, 0));
    for (int32_t i = 1; i < images(space) && !is_inside(nearest); i++) {
        struct stand stand = stand_of(ball, image_of(space, ball, box, i));
        if (is_inside(stand) || distance_squared(stand) < distance_squared(nearest))
            nearest = stand;
    }
    return nearest;
}

// The circle of this radius is covered, and the centre nearer than it was before, or inside.
static bool is_run_into(struct stand now, struct stand before, int32_t radius_px)
{
    return covers(now, radius_px * DF_SUB) && (is_inside(now) || distance_squared(now) < distance_squared(before));
}

// The solids of one unit step that came onto a ball.
struct pushers {
    int32_t solids[DF_GROUP_CAPACITY];
    int32_t count;
};

static void find_pushers(const struct df_space *space, const struct df_ball *ball, const struct df_unit_step *step,
                         struct pushers *pushers)
{
    for (int32_t i = 0; i < step->count; i++) {
        const struct df_solid *solid = &space->solids[step->members[i]];
        struct df_box box = df_solid_box(solid), before = df_box_moved(box, step->axis, -step->direction);
        if (is_full(solid) && is_run_into(stand_in(space, ball, box), stand_in(space, ball, before), ball->radius_px))
            pushers->solids[pushers->count++] = step->members[i];
    }
}

static bool is_clear(const struct df_space *space, const struct df_ball *ball, const struct pushers *pushers)
{
    for (int32_t i = 0; i < pushers->count; i++)
        if (covers(stand_in(space, ball, df_solid_box(&space->solids[pushers->solids[i]])), ball->radius_px * DF_SUB))
            return false;
    return true;
}

// Moves the ball clear of the pushers; false if there is no room beside them in the whole round.
static bool clear(const struct df_space *space, struct df_ball *ball, const struct pushers *pushers,
                  const struct df_unit_step *step)
{
    int32_t period = step->axis == DF_X ? space->index->period_x : space->index->period_y;
    for (int32_t px = 0; !is_clear(space, ball, pushers); px++) {
        if (period != 0 && px == period)
            return false;
        *(step->axis == DF_X ? &ball->cx : &ball->cy) += step->direction * DF_SUB;
    }
    return true;
}

// A bounce leaves a ball up to one pixel deep in what it touches, so that much is no obstacle.
static bool is_held(const struct df_space *space, const struct df_ball *ball, const struct df_ball *from)
{
    struct rectangles all = rectangles_near(space, ball);
    while (next_rectangle(&all))
        if (is_run_into(stand_of(ball, all.box), stand_of(from, all.box), ball->radius_px - 1))
            return true;
    return false;
}

static void squish_ball(struct df_space *space, int32_t ball, int32_t solid)
{
    if (df_set_has(space->index->crushed, ball))
        return;
    df_set_add(space->index->crushed, ball);
    if (space->rules.ball_squish == NULL) {
        space->balls[ball].flags &= ~(uint32_t)DF_BALL_ALIVE;
        return;
    }
    df_moving_show(space);
    space->rules.ball_squish(space, ball, solid, space->context);
    df_moving_hide(space);
}

static void hit_like_a_paddle(struct df_space *space, int32_t ball, const struct df_unit_step *step)
{
    int32_t *speed = step->axis == DF_X ? &space->balls[ball].vx : &space->balls[ball].vy;
    if (df_set_has(space->index->paddled, ball))
        return;
    df_set_add(space->index->paddled, ball);
    if (*speed * step->direction > 0)
        return;
    *speed += step->speed_sub;
    *speed = *speed > SPEED_MAX ? SPEED_MAX : *speed < -SPEED_MAX ? -SPEED_MAX : *speed;
}

static void push(struct df_space *space, int32_t ball, const struct df_unit_step *step)
{
    struct df_ball *body = &space->balls[ball], there = *body;
    struct pushers pushers = {.count = 0};
    find_pushers(space, body, step, &pushers);
    if (pushers.count == 0)
        return;
    if (!clear(space, &there, &pushers, step) || is_held(space, &there, body)) {
        squish_ball(space, ball, pushers.solids[0]);
        return;
    }
    body->cx = canonical_sub(there.cx, space->index->period_x);
    body->cy = canonical_sub(there.cy, space->index->period_y);
    hit_like_a_paddle(space, ball, step);
}

static bool can_be_pushed(const struct df_ball *ball)
{
    return (ball->flags & DF_BALL_ALIVE) != 0 && ball_is_valid(ball);
}

bool df_balls_are_near(const struct df_space *space, struct df_box box)
{
    for (int32_t i = 0; i < space->ball_count; i++)
        if (can_be_pushed(&space->balls[i]) && df_index_overlaps(space->index, around(&space->balls[i]), box))
            return true;
    return false;
}

void df_balls_push(struct df_space *space, const struct df_unit_step *step)
{
    for (int32_t i = 0; i < space->ball_count; i++)
        if (can_be_pushed(&space->balls[i]))
            push(space, i, step);
}
