// SPDX-License-Identifier: MIT
#include "ball_path.h"

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
    return df_ball_path_pixel_blocked(space, x.after, y.after) &&
           df_ball_path_pixel_blocked(space, x.before, y.after) &&
           df_ball_path_pixel_blocked(space, x.after, y.before) &&
           df_ball_path_pixel_blocked(space, x.before, y.before);
}

bool df_ball_path_is_enclosed(const struct df_space *space, const struct df_ball *ball)
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
    if (df_ball_path_pixel_blocked(space, x, y))
        return true;
    if (x == end_x || y == end_y)
        return false;
    int64_t until_x = to_line(ball->cx, x, end_x) * size(way.y), until_y = to_line(ball->cy, y, end_y) * size(way.x);
    return (until_x < until_y && df_ball_path_pixel_blocked(space, end_x, y)) ||
           (until_y < until_x && df_ball_path_pixel_blocked(space, x, end_y));
}

// A way along an axis is at most as long as a pixel, so its last pixel decides.
bool df_ball_path_is_blocked(const struct df_space *space, const struct df_ball *ball, struct df_ball_way way)
{
    struct pixels x = pixels_at_end(ball->cx, way.x), y = pixels_at_end(ball->cy, way.y);
    bool is_slanted = way.x != 0 && way.y != 0;
    return (all_block(space, x, y) || (is_slanted && begin_is_blocked(space, ball, way, x.after, y.after))) &&
           !df_ball_path_is_enclosed(space, ball);
}
