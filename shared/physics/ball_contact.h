// SPDX-License-Identifier: MIT
//
// Where a ball is relative to rectangles (private): its gaps to one, the walk over all rectangles near it, and where
// its centre may be and go, in terms of pixels that block: a seam between two solids or tiles is inside of them like
// any other place. Used by the ball's own step (ball.c) and by the solids that push it (ball_push.c).
#ifndef DF_BALL_CONTACT_H
#define DF_BALL_CONTACT_H

#include "sweep.h"

/// Largest speed of a ball on each axis, sub per tick.
#define DF_BALL_SPEED_MAX (64 * DF_SUB)

/// Where a ball is relative to a rectangle. Gaps from its centre in sub, negative inside; a side points from the
/// rectangle to the ball.
struct df_ball_gaps {
    int32_t gap_x, gap_y;
    int32_t side_x, side_y; ///< -1 or +1
};

/// The rectangles near a ball: solids in index order, then blocking tiles row by row.
struct df_ball_rectangles {
    const struct df_space *space;
    const struct df_ball *ball;
    struct df_box area; ///< around the ball, px
    int32_t column_first, column_last, row_last;
    int32_t column, row;
    struct df_box box; ///< the present rectangle, px
    int32_t solid;     ///< its index, or -1: the tile at column, row
    int32_t image;     ///< of the solid, the next to be visited
};

/// Returns a ball's gaps to a rectangle.
struct df_ball_gaps df_ball_contact_gaps(const struct df_ball *ball, struct df_box rectangle);

/// Returns a solid's rectangle; in a world that wraps, the nearest to the ball of its images.
struct df_box df_ball_contact_image(const struct df_space *space, const struct df_ball *ball, struct df_box rectangle);

/// Returns a ball's gaps to a solid, in a world that wraps to the nearest image of it.
struct df_ball_gaps df_ball_contact_nearest(const struct df_space *space, const struct df_ball *ball,
                                            struct df_box rectangle);

/// Begins a walk over the rectangles near a ball.
struct df_ball_rectangles df_ball_contact_rectangles(const struct df_space *space, const struct df_ball *ball);

/// Steps to the next rectangle; false after the last.
bool df_ball_contact_next(struct df_ball_rectangles *all);

/// Returns the box that contains a ball and one pixel around it, px.
struct df_box df_ball_contact_area(const struct df_ball *ball);

/// Returns true if a ball's place, radius and speed are within the limits.
bool df_ball_contact_is_valid(const struct df_ball *ball);

/// Returns true if a solid is present and blocks from all sides.
static inline bool df_ball_contact_is_full(const struct df_space *space, const struct df_solid *solid)
{
    return df_body_is_present(solid) && (solid->flags & DF_SOLID_ONEWAY) == 0 &&
           df_broadphase_accepts(space->broadphase, df_solid_box(solid));
}

/// Returns the square of the distance from the rectangle to the ball's centre, sub²; 0 inside.
static inline int64_t df_ball_contact_distance_squared(struct df_ball_gaps gaps)
{
    int64_t x = gaps.gap_x > 0 ? gaps.gap_x : 0, y = gaps.gap_y > 0 ? gaps.gap_y : 0;
    return x * x + y * y;
}

/// Returns true if the ball's centre is inside the rectangle.
static inline bool df_ball_contact_is_inside(struct df_ball_gaps gaps)
{
    return gaps.gap_x < 0 && gaps.gap_y < 0;
}

/// Returns a ball's coordinate in the canonical range of a world that wraps.
static inline int32_t df_ball_contact_canonical(int32_t at_sub, int32_t period_px)
{
    return df_torus_canonical(at_sub, period_px * DF_SUB);
}

/// A straight way of a centre, at most a pixel long, sub.
struct df_ball_way {
    int32_t x, y;
};

/// Returns true if a pixel blocks.
static inline bool df_ball_contact_pixel_blocked(const struct df_space *space, int32_t x, int32_t y)
{
    return df_sweep_blocked(space, (struct df_box){x, y, 1, 1});
}

/// Returns true if the centre is inside of what blocks: all pixels that it touches do, two or four of them on a seam.
bool df_ball_contact_is_enclosed(const struct df_space *space, const struct df_ball *ball);

/// Returns true if a way leads the centre through what blocks, if only through the tip of a corner. None is blocked
/// that begins inside.
bool df_ball_contact_is_blocked(const struct df_space *space, const struct df_ball *ball, struct df_ball_way way);

#endif
