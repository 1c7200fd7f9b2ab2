// SPDX-License-Identifier: MIT
#include "sweep.h"

// One sweep: the actor's span along the axis of travel and across it.
struct path {
    int32_t near, length, period;
    int32_t across, across_length, across_period;
    int32_t direction;
    bool oneways; ///< one-ways block: a downward step of an actor that does not drop through
};

// Pixels until the path meets the solid: 0 or more ahead, -1 never, -2 it overlaps the solid now.
static inline int32_t gap_to(const struct path *path, const struct df_solid *solid, enum df_axis axis)
{
    int32_t near = axis == DF_X ? solid->x : solid->y, length = axis == DF_X ? solid->w : solid->h;
    int32_t across = axis == DF_X ? solid->y : solid->x, across_length = axis == DF_X ? solid->h : solid->w;
    bool oneway = (solid->flags & DF_SOLID_ONEWAY) != 0;
    if (!df_solid_is_present(solid) || (oneway && !path->oneways) ||
        !df_spans_overlap(path->across, path->across_length, across, across_length, path->across_period))
        return -1;
    if (!oneway && df_spans_overlap(path->near, path->length, near, length, path->period))
        return -2;
    int32_t gap = path->direction > 0 ? near - (path->near + path->length) : path->near - (near + length);
    if (path->period == 0)
        return gap >= 0 ? gap : -1;
    return path->length + length <= path->period ? df_mod(gap, path->period) : -1;
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
    struct df_box box = df_actor_box(actor);
    bool along_x = axis == DF_X;
    struct path path = {along_x ? box.x : box.y,
                        along_x ? box.w : box.h,
                        along_x ? index->period_x : index->period_y,
                        along_x ? box.y : box.x,
                        along_x ? box.h : box.w,
                        along_x ? index->period_y : index->period_x,
                        px > 0 ? 1 : -1,
                        false};
    path.oneways = !along_x && px > 0 && (actor->flags & DF_ACTOR_DROP_THROUGH) == 0;
    int32_t whole = px > 0 ? px : -px, free_px = whole;
    *hit = (struct df_hit){.kind = DF_HIT_NONE, .index = -1, .direction = path.direction};
    struct df_box swept = hull(box, axis, px);
    struct df_near_solids near = df_index_near(index, swept);
    for (int32_t i = df_index_next(&near); i >= 0; i = df_index_next(&near)) {
        const struct df_solid *solid = &space->solids[i];
        if (path.period == 0 && !is_near(&swept, solid))
            continue;
        int32_t gap = gap_to(&path, solid, axis);
        if (gap == -1 || gap >= free_px)
            continue;
        hit->kind = DF_HIT_SOLID;
        hit->index = i;
        free_px = gap;
        if (gap == -2)
            break;
    }
    if (free_px >= 0)
        free_px = df_tiles_sweep(&space->tiles, box, axis, path.direction, free_px, path.oneways, hit);
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
