// SPDX-License-Identifier: MIT
//
// What actors and solids have in common (private): boxes that move along an axis, whether they take part, coordinates
// of a world that wraps, and who rides what. A period is the size of the world along an axis, px; 0 where the world
// does not wrap.
#ifndef DF_BODY_H
#define DF_BODY_H

#include "types.h"

/// The axis of a move.
enum df_axis {
    DF_X,
    DF_Y,
};

/// Returns true if the solid is in the world and collidable.
static inline bool df_body_is_present(const struct df_solid *solid)
{
    return (solid->flags & DF_SOLID_PRESENT) != 0;
}

/// Returns true if the actor takes part.
static inline bool df_body_is_alive(const struct df_actor *actor)
{
    return (actor->flags & DF_ACTOR_ALIVE) != 0;
}

/// Returns true if a solid is not there for an actor: they share a layer.
static inline bool df_body_passes(const struct df_actor *actor, const struct df_solid *solid)
{
    return (actor->flags & solid->flags & DF_LAYERS) != 0;
}

/// Returns the solid to which an actor is attached, or -1. It may be beyond those of the space.
static inline int32_t df_body_attached_to(const struct df_actor *actor)
{
    uint32_t solid = actor->ride - DF_RIDE_ATTACHED;
    return solid <= DF_COORDINATE_PX_MAX ? (int32_t)solid : -1;
}

/// Returns a box that is larger by `px` on every side.
static inline struct df_box df_body_box_grown(struct df_box box, int32_t px)
{
    return (struct df_box){box.x - px, box.y - px, box.w + 2 * px, box.h + 2 * px};
}

/// Returns a box some pixels further along an axis.
static inline struct df_box df_body_box_moved(struct df_box box, enum df_axis axis, int32_t px)
{
    *(axis == DF_X ? &box.x : &box.y) += px;
    return box;
}

/// Returns the end of a span. A body that its owner has just written by hand may lie anywhere, so nothing overflows.
static inline int32_t df_body_end(int32_t at, int32_t length)
{
    return (int32_t)((uint32_t)at + (uint32_t)length);
}

/// Returns the box that covers a whole path. Nothing overflows where the box is beyond the limits.
static inline struct df_box df_body_path(struct df_box box, enum df_axis axis, int32_t direction, int32_t px)
{
    int32_t back_px = direction < 0 ? -px : 0;
    if (axis == DF_X)
        return (struct df_box){df_body_end(box.x, back_px), box.y, df_body_end(box.w, px), box.h};
    return (struct df_box){box.x, df_body_end(box.y, back_px), box.w, df_body_end(box.h, px)};
}

/// Returns the whole pixels of a move: none for an amount of 0, even where half a pixel is owed. As df_round_px(), but
/// for sums within the limits, so it needs no branch. Amounts beyond the limits are many pixels, too.
static inline int32_t df_body_whole_px(int32_t rem_sub, int32_t amount_sub)
{
    int32_t sum_sub = df_body_end(rem_sub, amount_sub), bias_px = 1 << 16;
    uint32_t biased_sub = (uint32_t)sum_sub + (uint32_t)(bias_px * DF_SUB + DF_SUB / 2) - (uint32_t)(sum_sub < 0);
    return amount_sub == 0 ? 0 : (int32_t)(biased_sub / DF_SUB) - bias_px;
}

/// Returns true if a box is within the limits of the library.
static inline bool df_body_box_is_valid(struct df_box box)
{
    uint32_t far = DF_COORDINATE_PX_MAX;
    return (((uint32_t)box.x + far <= 2 * far) & ((uint32_t)box.y + far <= 2 * far) & ((uint32_t)box.w - 1 < far) &
            ((uint32_t)box.h - 1 < far)) != 0;
}

/// Returns true if a coordinate that moves stays within the limits; every one does where the world wraps.
static inline bool df_body_stays(int32_t at_px, int32_t px, int32_t period)
{
    uint32_t far = DF_COORDINATE_PX_MAX;
    return (uint32_t)at_px + (uint32_t)px + far <= 2 * far || period != 0;
}

/// Returns the remainder in [0, period). `period` > 0.
static inline int32_t df_torus_mod(int32_t value, int32_t period)
{
    if ((uint32_t)value < (uint32_t)period)
        return value;
    int32_t rest = value % period;
    return rest < 0 ? rest + period : rest;
}

/// Returns a coordinate in the canonical range of a world that wraps; unchanged where `period` is 0.
static inline int32_t df_torus_canonical(int32_t value, int32_t period)
{
    return period == 0 ? value : df_torus_mod(value, period);
}

/// Returns true if two half-open spans share a pixel, around the seam too.
static inline bool df_torus_spans_overlap(int32_t a, int32_t a_length, int32_t b, int32_t b_length, int32_t period)
{
    if (period == 0)
        return a < df_body_end(b, b_length) && b < df_body_end(a, a_length);
    int32_t to_b = (int32_t)((uint32_t)b - (uint32_t)a), to_a = (int32_t)((uint32_t)a - (uint32_t)b);
    return df_torus_mod(to_b, period) < a_length || df_torus_mod(to_a, period) < b_length;
}

/// Returns true if two spans side by side, whose edges are `gap` apart, share that edge. `lengths` is their sum: spans
/// that fill a wrapping world share no single edge.
static inline bool df_ride_is_flush(int32_t gap, int32_t lengths, int32_t period)
{
    return df_torus_canonical(gap, period) == 0 && (period == 0 || lengths <= period);
}

/// Returns true if an actor holds a solid that is flush with its left side, right side or top.
static inline bool df_ride_clings(const struct df_actor *actor, const struct df_solid *solid, int32_t period_x,
                                  int32_t period_y)
{
    int32_t gap = solid->x - (actor->x + actor->w);
    switch (actor->ride) {
    case DF_RIDE_CLING_UP:
        return df_ride_is_flush(actor->y - (solid->y + solid->h), actor->h + solid->h, period_y) &&
               df_torus_spans_overlap(actor->x, actor->w, solid->x, solid->w, period_x);
    case DF_RIDE_CLING_LEFT:
        gap = actor->x - (solid->x + solid->w);
        break;
    case DF_RIDE_CLING_RIGHT:
        break;
    default:
        return false;
    }
    return df_ride_is_flush(gap, actor->w + solid->w, period_x) &&
           df_torus_spans_overlap(actor->y, actor->h, solid->y, solid->h, period_y);
}

/// Returns true if an actor rides a solid by standing on it or clinging to it. Both are taken as taking part. An
/// attachment is not looked at.
static inline bool df_ride_holds(const struct df_actor *actor, const struct df_solid *solid, int32_t period_x,
                                 int32_t period_y)
{
    if (actor->ride == DF_RIDE_NEVER || actor->ride > DF_RIDE_CLING_UP || df_body_passes(actor, solid))
        return false;
    bool oneway = (solid->flags & DF_SOLID_ONEWAY) != 0;
    if (!(oneway && (actor->flags & DF_ACTOR_DROP_THROUGH) != 0) &&
        df_ride_is_flush(actor->y + actor->h - solid->y, actor->h + solid->h, period_y) &&
        df_torus_spans_overlap(actor->x, actor->w, solid->x, solid->w, period_x))
        return true;
    return !oneway && df_ride_clings(actor, solid, period_x, period_y);
}

/// Reads the exact place of a body's top-left corner, sub; changes nothing for one beyond the limits.
static inline void df_body_read_exact(struct df_box box, int32_t rem_x, int32_t rem_y, int32_t *x_sub, int32_t *y_sub)
{
    bool fits = rem_x >= -DF_SUB / 2 && rem_x <= DF_SUB / 2 && rem_y >= -DF_SUB / 2 && rem_y <= DF_SUB / 2;
    if (!df_body_box_is_valid(box) || !fits)
        return;
    *x_sub = box.x * DF_SUB + rem_x;
    *y_sub = box.y * DF_SUB + rem_y;
}

#endif
