// SPDX-License-Identifier: MIT
#include "ball_contact.h"

#include "tile_grid.h"

#define RADIUS_PX_MAX 64

static int32_t gap_of(int32_t centre, int32_t at_px, int32_t length_px, int32_t *side)
{
    int32_t before = at_px * DF_SUB - centre, after = centre - (at_px + length_px) * DF_SUB;
    *side = before > after ? -1 : 1;
    return before > after ? before : after;
}

struct df_ball_gaps df_ball_contact_gaps(const struct df_ball *ball, struct df_box rectangle)
{
    struct df_ball_gaps gaps;
    gaps.gap_x = gap_of(ball->cx, rectangle.x, rectangle.w, &gaps.side_x);
    gaps.gap_y = gap_of(ball->cy, rectangle.y, rectangle.h, &gaps.side_y);
    return gaps;
}

struct df_box df_ball_contact_area(const struct df_ball *ball)
{
    int32_t reach = ball->radius_px + 1;
    return (struct df_box){df_floor_div(ball->cx, DF_SUB) - reach, df_floor_div(ball->cy, DF_SUB) - reach,
                           2 * reach + 1, 2 * reach + 1};
}

// In a world that wraps, a solid has up to four places around the ball: image 0 to 3, left to right, then downward.
static struct df_box image_of(const struct df_space *space, const struct df_ball *ball, struct df_box box,
                              int32_t image)
{
    struct df_box area = df_ball_contact_area(ball);
    int32_t period_x = space->broadphase->period_x, period_y = space->broadphase->period_y;
    if (period_x == 0)
        return box;
    box.x = area.x + df_torus_mod(box.x - area.x, period_x) - (image % 2 == 0 ? period_x : 0);
    box.y = area.y + df_torus_mod(box.y - area.y, period_y) - (image / 2 == 0 ? period_y : 0);
    return box;
}

static int32_t images(const struct df_space *space)
{
    return space->broadphase->period_x != 0 ? 4 : 1;
}

struct df_box df_ball_contact_image(const struct df_space *space, const struct df_ball *ball, struct df_box rectangle)
{
    struct df_box nearest = image_of(space, ball, rectangle, 0);
    struct df_ball_gaps least = df_ball_contact_gaps(ball, nearest);
    for (int32_t i = 1; i < images(space) && !df_ball_contact_is_inside(least); i++) {
        struct df_box image = image_of(space, ball, rectangle, i);
        struct df_ball_gaps gaps = df_ball_contact_gaps(ball, image);
        if (df_ball_contact_is_inside(gaps) ||
            df_ball_contact_distance_squared(gaps) < df_ball_contact_distance_squared(least)) {
            nearest = image;
            least = gaps;
        }
    }
    return nearest;
}

struct df_ball_gaps df_ball_contact_nearest(const struct df_space *space, const struct df_ball *ball,
                                            struct df_box rectangle)
{
    return df_ball_contact_gaps(ball, df_ball_contact_image(space, ball, rectangle));
}

struct df_ball_rectangles df_ball_contact_rectangles(const struct df_space *space, const struct df_ball *ball)
{
    struct df_box area = df_ball_contact_area(ball);
    struct df_ball_rectangles all = {.space = space, .ball = ball, .area = area};
    int32_t edge = space->tiles.kinds != NULL ? space->tiles.edge_px : DF_COORDINATE_PX_MAX;
    all.column_first = df_floor_div(area.x, edge);
    all.column_last = df_floor_div(area.x + area.w - 1, edge);
    all.row_last = df_floor_div(area.y + area.h - 1, edge);
    all.column = all.column_first - 1;
    all.row = df_floor_div(area.y, edge);
    all.solid = df_broadphase_next_overlapping(space, area, -1);
    return all;
}

static bool next_tile(struct df_ball_rectangles *all)
{
    const struct df_tiles *tiles = &all->space->tiles;
    while (tiles->kinds != NULL) {
        if (++all->column > all->column_last) {
            all->column = all->column_first;
            all->row++;
        }
        if (all->row > all->row_last)
            return false;
        enum df_tile kind = df_tile_grid_at(tiles, all->column, all->row);
        int32_t edge = tiles->edge_px;
        all->box = (struct df_box){all->column * edge, all->row * edge, edge, edge};
        if (kind == DF_TILE_SOLID || kind == DF_TILE_BLOCK)
            return true;
    }
    return false;
}

bool df_ball_contact_next(struct df_ball_rectangles *all)
{
    const struct df_space *space = all->space;
    while (all->solid >= 0) {
        if (all->image >= images(space)) {
            all->solid = df_broadphase_next_overlapping(space, all->area, all->solid);
            all->image = 0;
            continue;
        }
        int32_t image = all->image++;
        if (!df_ball_contact_is_full(space, &space->solids[all->solid]))
            continue;
        all->box = image_of(space, all->ball, df_solid_box(&space->solids[all->solid]), image);
        return true;
    }
    return next_tile(all);
}

bool df_ball_contact_is_valid(const struct df_ball *ball)
{
    int32_t place = DF_COORDINATE_PX_MAX * DF_SUB;
    return ball->cx >= -place && ball->cx <= place && ball->cy >= -place && ball->cy <= place && ball->radius_px >= 1 &&
           ball->radius_px <= RADIUS_PX_MAX && ball->vx >= -DF_BALL_SPEED_MAX && ball->vx <= DF_BALL_SPEED_MAX &&
           ball->vy >= -DF_BALL_SPEED_MAX && ball->vy <= DF_BALL_SPEED_MAX;
}

// The pixels on both sides of a place along an axis; the same twice between two lines.
struct pixels {
    int32_t before, after;
};

static struct pixels pixels_at(int32_t at_sub)
{
    return (struct pixels){df_floor_div(at_sub - 1, DF_SUB), df_floor_div(at_sub, DF_SUB)};
}

// Returns the pixels in which a way ends along an axis: on a line, the one that it comes through.
static struct pixels pixels_at_end(int32_t at_sub, int32_t way_sub)
{
    struct pixels pixels = pixels_at(at_sub + way_sub);
    if (way_sub > 0)
        pixels.after = pixels.before;
    if (way_sub < 0)
        pixels.before = pixels.after;
    return pixels;
}

// Returns the pixel in which a way begins along an axis: on a line, the one that it goes into.
static int32_t pixel_at_begin(int32_t at_sub, int32_t way_sub)
{
    return way_sub < 0 ? pixels_at(at_sub).before : pixels_at(at_sub).after;
}

static bool all_block(const struct df_space *space, struct pixels x, struct pixels y)
{
    return df_ball_contact_pixel_blocked(space, x.after, y.after) &&
           df_ball_contact_pixel_blocked(space, x.before, y.after) &&
           df_ball_contact_pixel_blocked(space, x.after, y.before) &&
           df_ball_contact_pixel_blocked(space, x.before, y.before);
}

bool df_ball_contact_is_enclosed(const struct df_space *space, const struct df_ball *ball)
{
    return all_block(space, pixels_at(ball->cx), pixels_at(ball->cy));
}

// Returns the distance to the line between two pixels that are neighbours.
static int64_t to_line(int32_t at_sub, int32_t from_px, int32_t to_px)
{
    int32_t line_sub = (from_px > to_px ? from_px : to_px) * DF_SUB;
    return at_sub < line_sub ? line_sub - at_sub : at_sub - line_sub;
}

static int64_t size(int32_t way_sub)
{
    return way_sub < 0 ? -way_sub : way_sub;
}

// Returns true if the pixel in which a slanted way begins blocks, or the one between that and its last pixel.
static bool begin_is_blocked(const struct df_space *space, const struct df_ball *ball, struct df_ball_way way,
                             int32_t end_x, int32_t end_y)
{
    int32_t x = pixel_at_begin(ball->cx, way.x), y = pixel_at_begin(ball->cy, way.y);
    if (df_ball_contact_pixel_blocked(space, x, y))
        return true;
    if (x == end_x || y == end_y)
        return false;
    int64_t until_x = to_line(ball->cx, x, end_x) * size(way.y), until_y = to_line(ball->cy, y, end_y) * size(way.x);
    return (until_x < until_y && df_ball_contact_pixel_blocked(space, end_x, y)) ||
           (until_y < until_x && df_ball_contact_pixel_blocked(space, x, end_y));
}

// A way along an axis is at most as long as a pixel, so its last pixel decides.
bool df_ball_contact_is_blocked(const struct df_space *space, const struct df_ball *ball, struct df_ball_way way)
{
    struct pixels x = pixels_at_end(ball->cx, way.x), y = pixels_at_end(ball->cy, way.y);
    bool is_slanted = way.x != 0 && way.y != 0;
    return (all_block(space, x, y) || (is_slanted && begin_is_blocked(space, ball, way, x.after, y.after))) &&
           !df_ball_contact_is_enclosed(space, ball);
}
