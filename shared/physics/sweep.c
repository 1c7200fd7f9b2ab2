// SPDX-License-Identifier: MIT
#include "sweep.h"

// Pixels until the actor meets the solid on its way: 0 or more ahead, -1 never, -2 it overlaps the solid now. Rarely
// asked, so it stays out of the way of those who meet nothing.
__attribute__((noinline)) static int32_t gap_to(const struct df_index *index, const struct df_actor *actor,
                                                const struct df_solid *solid, enum df_axis axis, int32_t direction)
{
    bool along_x = axis == DF_X, oneway = (solid->flags & DF_SOLID_ONEWAY) != 0;
    bool oneways_block = !along_x && direction > 0 && (actor->flags & DF_ACTOR_DROP_THROUGH) == 0;
    int32_t here = along_x ? actor->x : actor->y, length = along_x ? actor->w : actor->h;
    int32_t there = along_x ? solid->x : solid->y, there_length = along_x ? solid->w : solid->h;
    int32_t period = along_x ? index->period_x : index->period_y;
    bool across = along_x ? df_spans_overlap(actor->y, actor->h, solid->y, solid->h, index->period_y)
                          : df_spans_overlap(actor->x, actor->w, solid->x, solid->w, index->period_x);
    if (!df_solid_is_present(solid) || (oneway && !oneways_block) || !across)
        return -1;
    if (!oneway && df_spans_overlap(here, length, there, there_length, period))
        return -2;
    int32_t gap = direction > 0 ? there - (here + length) : here - (there + there_length);
    if (period == 0)
        return gap >= 0 ? gap : -1;
    return length + there_length <= period ? df_mod(gap, period) : -1;
}

static inline struct df_box hull(struct df_box box, enum df_axis axis, int32_t px)
{
    if (axis == DF_X)
        return (struct df_box){px < 0 ? box.x + px : box.x, box.y, box.w + (px < 0 ? -px : px), box.h};
    return (struct df_box){box.x, px < 0 ? box.y + px : box.y, box.w, box.h + (px < 0 ? -px : px)};
}

// One branch for most of what the index offers, which is not in the way.
static inline bool is_near(const struct df_box *swept, const struct df_solid *solid)
{
    return ((swept->x < solid->x + solid->w) & (solid->x < swept->x + swept->w) & (swept->y < solid->y + solid->h) &
            (solid->y < swept->y + swept->h)) != 0;
}

__attribute__((always_inline)) static inline int32_t sweep(const struct df_space *space, const struct df_actor *actor,
                                                           enum df_axis axis, int32_t px, struct df_hit *hit)
{
    const struct df_index *index = space->index;
    struct df_box box = df_actor_box(actor), swept = hull(box, axis, px);
    int32_t direction = px > 0 ? 1 : -1, whole = px > 0 ? px : -px, free_px = whole;
    bool oneways_block = axis == DF_Y && px > 0 && (actor->flags & DF_ACTOR_DROP_THROUGH) == 0;
    *hit = (struct df_hit){.kind = DF_HIT_NONE, .index = -1, .direction = direction};
    struct df_near_solids near = df_index_near(index, swept);
    for (int32_t i = df_index_next(&near); i >= 0; i = df_index_next(&near)) {
        const struct df_solid *solid = &space->solids[i];
        if (index->period_x == 0 && !is_near(&swept, solid))
            continue;
        int32_t gap = gap_to(index, actor, solid, axis, direction);
        if (gap == -1 || gap >= free_px)
            continue;
        hit->kind = DF_HIT_SOLID;
        hit->index = i;
        free_px = gap;
        if (gap == -2)
            break;
    }
    if (free_px >= 0)
        free_px = df_tiles_sweep(&space->tiles, box, axis, direction, free_px, oneways_block, hit);
    free_px = free_px < 0 ? 0 : free_px;
    hit->left_px = whole - free_px;
    return free_px;
}

int32_t df_sweep(const struct df_space *space, const struct df_actor *actor, enum df_axis axis, int32_t px,
                 struct df_hit *hit)
{
    return axis == DF_X ? sweep(space, actor, DF_X, px, hit) : sweep(space, actor, DF_Y, px, hit);
}

static bool full_overlaps(const struct df_space *space, int32_t solid, struct df_box box)
{
    const struct df_solid *body = &space->solids[solid];
    return df_solid_is_present(body) && (body->flags & DF_SOLID_ONEWAY) == 0 &&
           df_index_overlaps(space->index, df_solid_box(body), box);
}

bool df_place_blocked(const struct df_space *space, struct df_box box)
{
    struct df_near_solids near = df_index_near(space->index, box);
    for (int32_t i = df_index_next(&near); i >= 0; i = df_index_next(&near))
        if (full_overlaps(space, i, box))
            return true;
    return df_tiles_block(&space->tiles, box);
}

bool df_space_blocked(const struct df_space *space, struct df_box box)
{
    return !df_box_is_valid(box) || df_place_blocked(space, box);
}

void df_actor_shift(struct df_space *space, int32_t actor, enum df_axis axis, int32_t px)
{
    struct df_actor *body = &space->actors[actor];
    if (axis == DF_X)
        body->x = df_canonical(body->x + px, space->index->period_x);
    else
        body->y = df_canonical(body->y + px, space->index->period_y);
    df_index_actor(space, actor);
}
