// SPDX-License-Identifier: MIT
#include "sweep.h"

#include "tile_fast_path.h"
#include "tile_grid.h"

// Returns the pixels until the actor meets the solid: 0 or more ahead, -1 never, -2 if it overlaps the solid now. Not
// inlined, because it is rarely needed and would slow down the actors that meet nothing.
__attribute__((noinline)) static int32_t gap_to(const struct df_broadphase *broadphase, const struct df_actor *actor,
                                                const struct df_solid *solid, enum df_axis axis, int32_t direction)
{
    if (!df_broadphase_accepts(broadphase, df_body_solid_box(solid)))
        return -1;
    bool along_x = axis == DF_X, oneway = (solid->flags & DF_SOLID_ONEWAY) != 0;
    bool oneways_block = !along_x && direction > 0 && (actor->flags & DF_ACTOR_DROP_THROUGH) == 0;
    int32_t here = along_x ? actor->x : actor->y, length = along_x ? actor->w : actor->h;
    int32_t there = along_x ? solid->x : solid->y, there_length = along_x ? solid->w : solid->h;
    int32_t period = along_x ? broadphase->period_x : broadphase->period_y;
    bool across = along_x ? df_torus_spans_overlap(actor->y, actor->h, solid->y, solid->h, broadphase->period_y)
                          : df_torus_spans_overlap(actor->x, actor->w, solid->x, solid->w, broadphase->period_x);
    if (!df_body_is_present(solid) || (oneway && !oneways_block) || !across)
        return -1;
    if (!oneway && df_torus_spans_overlap(here, length, there, there_length, period))
        return -2;
    int32_t gap = direction > 0 ? there - (here + length) : here - (there + there_length);
    if (period == 0)
        return gap >= 0 ? gap : -1;
    return length + there_length <= period ? df_torus_mod(gap, period) : -1;
}

// Returns the box that covers a whole path.
static inline struct df_box hull(struct df_box box, enum df_axis axis, int32_t direction, int32_t px)
{
    if (axis == DF_X)
        return (struct df_box){direction < 0 ? box.x - px : box.x, box.y, box.w + px, box.h};
    return (struct df_box){box.x, direction < 0 ? box.y - px : box.y, box.w, box.h + px};
}

// One branch rules out most candidates of the broadphase, which are not in the way.
static inline bool is_near(const struct df_box *swept, const struct df_solid *solid)
{
    int32_t left = swept->x < df_body_end(solid->x, solid->w), right = solid->x < swept->x + swept->w;
    int32_t top = swept->y < df_body_end(solid->y, solid->h), bottom = solid->y < swept->y + swept->h;
    return (left & right & top & bottom) != 0;
}

static inline bool oneways_block(const struct df_actor *actor, enum df_axis axis, int32_t direction)
{
    return axis == DF_Y && direction > 0 && (actor->flags & DF_ACTOR_DROP_THROUGH) == 0;
}

// Returns the pixels until this solid, at most those that are free without it; less than 0 if the actor overlaps it. Of
// solids at the same distance, the one of the lowest index is hit.
static inline int32_t meet(const struct df_space *space, const struct df_actor *actor, const struct df_box *swept,
                           int32_t solid, enum df_axis axis, int32_t direction, int32_t free_px, struct df_hit *hit)
{
    const struct df_broadphase *broadphase = space->broadphase;
    if ((broadphase->period_x == 0 && !is_near(swept, &space->solids[solid])) || df_broadphase_hides(broadphase, solid))
        return free_px;
    int32_t gap_px = gap_to(broadphase, actor, &space->solids[solid], axis, direction);
    bool is_later = gap_px == free_px && (hit->kind == DF_HIT_NONE || hit->index < solid);
    if (gap_px == -1 || gap_px > free_px || is_later)
        return free_px;
    *hit = (struct df_hit){.kind = DF_HIT_SOLID, .index = solid};
    return gap_px;
}

// Returns true if something blocks a step of one pixel, wherever the actor is now.
static bool step_blocked(const struct df_space *space, const struct df_actor *actor, struct df_box there, bool oneways,
                         struct df_hit *hit)
{
    const struct df_broadphase *broadphase = space->broadphase;
    for (int32_t i = df_broadphase_next_overlapping(space, there, -1); i >= 0;
         i = df_broadphase_next_overlapping(space, there, i)) {
        const struct df_solid *solid = &space->solids[i];
        struct df_box box = df_body_solid_box(solid);
        bool oneway = (solid->flags & DF_SOLID_ONEWAY) != 0;
        if (!df_body_is_present(solid) ||
            (oneway && (!oneways || df_broadphase_overlaps(broadphase, box, df_body_actor_box(actor)))))
            continue;
        *hit = (struct df_hit){.kind = DF_HIT_SOLID, .index = i};
        return true;
    }
    return space->tiles.kinds != NULL && df_tile_grid_blocks_step(&space->tiles, there, oneways, hit);
}

// Walks an actor that overlaps something. It is free after the first pixel, or it cannot take that.
static int32_t walk_out(const struct df_space *space, const struct df_actor *actor, enum df_axis axis,
                        int32_t direction, int32_t px, struct df_hit *hit)
{
    struct df_box there = df_body_box_moved(df_body_actor_box(actor), axis, direction);
    *hit = (struct df_hit){.kind = DF_HIT_NONE, .index = -1};
    if (step_blocked(space, actor, there, oneways_block(actor, axis, direction), hit))
        return 0;
    struct df_actor out = *actor;
    out.x = there.x;
    out.y = there.y;
    return px == 1 ? 1 : 1 + df_sweep(space, &out, axis, direction * (px - 1), hit);
}

// Meets the solids near a path of any length, up to one that overlaps the actor now.
__attribute__((noinline)) static int32_t meet_far(const struct df_space *space, const struct df_actor *actor,
                                                  const struct df_box *swept, enum df_axis axis, int32_t direction,
                                                  int32_t free_px, struct df_hit *hit)
{
    struct df_near_solids near = df_broadphase_near(space->broadphase, *swept);
    for (int32_t i = df_broadphase_next(&near); i >= 0 && free_px >= 0; i = df_broadphase_next(&near))
        free_px = meet(space, actor, swept, i, axis, direction, free_px, hit);
    return free_px;
}

// The same for a small box on a short path: those solids are in one cell of each grid, which is mostly empty.
static inline int32_t meet_near(const struct df_space *space, const struct df_actor *actor, const struct df_box *swept,
                                enum df_axis axis, int32_t direction, int32_t free_px, struct df_hit *hit)
{
    const struct df_broadphase *broadphase = space->broadphase;
    for (uint32_t grids = broadphase->solid_grids; grids != 0; grids &= grids - 1) {
        int32_t cell = df_broadphase_cell_of(broadphase, __builtin_ctz(grids), swept->x, swept->y);
        for (int32_t link = broadphase->solid_first[cell]; link >= 0; link = broadphase->solid_next[link]) {
            free_px = meet(space, actor, swept, link / DF_SOLID_LINKS, axis, direction, free_px, hit);
            if (free_px < 0)
                return free_px;
        }
    }
    return free_px;
}

// Meets tiles on a path of any length, anywhere; returns less than 0 if the actor overlaps one.
__attribute__((noinline)) static int32_t meet_tiles(const struct df_space *space, const struct df_actor *actor,
                                                    enum df_axis axis, int32_t direction, int32_t free_px,
                                                    struct df_hit *hit)
{
    struct df_box box = df_body_actor_box(actor);
    if (space->tiles.kinds == NULL)
        return free_px;
    if (df_tile_grid_overlap(&space->tiles, box, hit))
        return -1;
    return df_tile_grid_sweep(&space->tiles, box, axis, direction, free_px, oneways_block(actor, axis, direction), hit);
}

__attribute__((always_inline)) static inline int32_t sweep(const struct df_space *space, const struct df_actor *actor,
                                                           enum df_axis axis, int32_t direction, int32_t px,
                                                           struct df_hit *hit)
{
    struct df_box box = df_body_actor_box(actor), swept = hull(box, axis, direction, px);
    hit->kind = DF_HIT_NONE;
    int32_t free_px = df_broadphase_is_one_cell(swept) ? meet_near(space, actor, &swept, axis, direction, px, hit)
                                                       : meet_far(space, actor, &swept, axis, direction, px, hit);
    if (free_px >= 0 && df_tile_fast_path_covers(space->broadphase, swept)) {
        int32_t tile_px = axis == DF_X ? df_tile_fast_path_x(space, box, swept, direction, free_px, hit)
                                       : df_tile_fast_path_y(space, box, swept, direction, free_px,
                                                             oneways_block(actor, axis, direction), hit);
        if (tile_px >= 0)
            return tile_px;
    }
    if (free_px >= 0)
        free_px = meet_tiles(space, actor, axis, direction, free_px, hit);
    return free_px >= 0 ? free_px : walk_out(space, actor, axis, direction, px, hit);
}

// One copy per direction, because the compiler then knows which edges lead.
#define SWEEP(way, axis, sign)                                                                                         \
    __attribute__((noinline)) static int32_t sweep_##way(const struct df_space *space, const struct df_actor *actor,   \
                                                         int32_t px, struct df_hit *hit)                               \
    {                                                                                                                  \
        int32_t free_px = sweep(space, actor, axis, sign, px, hit);                                                    \
        hit->direction = sign;                                                                                         \
        hit->left_px = px - free_px;                                                                                   \
        return free_px;                                                                                                \
    }
SWEEP(left, DF_X, -1)
SWEEP(right, DF_X, 1)
SWEEP(up, DF_Y, -1)
SWEEP(down, DF_Y, 1)

int32_t df_sweep(const struct df_space *space, const struct df_actor *actor, enum df_axis axis, int32_t px,
                 struct df_hit *hit)
{
    if (axis == DF_X)
        return px > 0 ? sweep_right(space, actor, px, hit) : sweep_left(space, actor, -px, hit);
    return px > 0 ? sweep_down(space, actor, px, hit) : sweep_up(space, actor, -px, hit);
}

static bool full_overlaps(const struct df_space *space, int32_t solid, struct df_box box)
{
    const struct df_solid *body = &space->solids[solid];
    return df_body_is_present(body) && (body->flags & DF_SOLID_ONEWAY) == 0 &&
           df_broadphase_overlaps(space->broadphase, df_body_solid_box(body), box);
}

bool df_sweep_blocked(const struct df_space *space, struct df_box box)
{
    if (!df_broadphase_accepts(space->broadphase, box))
        return true;
    struct df_near_solids near = df_broadphase_near(space->broadphase, box);
    for (int32_t i = df_broadphase_next(&near); i >= 0; i = df_broadphase_next(&near))
        if (full_overlaps(space, i, box))
            return true;
    struct df_hit hit;
    return space->tiles.kinds != NULL && df_tile_grid_overlap(&space->tiles, box, &hit);
}
