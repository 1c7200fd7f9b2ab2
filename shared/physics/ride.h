// SPDX-License-Identifier: MIT
//
// Who rides what (private): the library's own rule by an actor's enum df_ride, before `rules.rides` is asked.
#ifndef DF_RIDE_H
#define DF_RIDE_H

#include "body.h"
#include "torus.h"

/// Returns true if two spans side by side, whose edges are `gap` apart, share that edge. `lengths` is their sum: spans
/// that fill a wrapping world share no single edge.
static inline bool df_ride_is_flush(int32_t gap, int32_t lengths, int32_t period)
{
    return df_torus_canonical(gap, period) == 0 && (period == 0 || lengths <= period);
}

/// Returns true if an actor rides a solid by standing on it or clinging to it. Both are taken as taking part.
static inline bool df_ride_holds(const struct df_actor *actor, const struct df_solid *solid, int32_t period_x,
                                 int32_t period_y)
{
    if (actor->ride == DF_RIDE_NEVER)
        return false;
    bool oneway = (solid->flags & DF_SOLID_ONEWAY) != 0;
    if (!(oneway && (actor->flags & DF_ACTOR_DROP_THROUGH) != 0) &&
        df_ride_is_flush(actor->y + actor->h - solid->y, actor->h + solid->h, period_y) &&
        df_torus_spans_overlap(actor->x, actor->w, solid->x, solid->w, period_x))
        return true;
    bool left = actor->ride == DF_RIDE_CLING_LEFT;
    if ((!left && actor->ride != DF_RIDE_CLING_RIGHT) || oneway)
        return false;
    int32_t gap = left ? actor->x - (solid->x + solid->w) : solid->x - (actor->x + actor->w);
    return df_ride_is_flush(gap, actor->w + solid->w, period_x) &&
           df_torus_spans_overlap(actor->y, actor->h, solid->y, solid->h, period_y);
}

#endif
