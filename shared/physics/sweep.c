// SPDX-License-Identifier: MIT
#include "glance.h"

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

// What a box covers on its way.
static inline struct df_box hull(struct df_box box, enum df_axis axis, int32_t direction, int32_t px)
{
    if (axis == DF_X)
        return (struct df_box){direction < 0 ? box.x - px : box.x, box.y, box.w + px, box.h};
    return (struct df_box){box.x, direction < 0 ? box.y - px : box.y, box.w, box.h + px};
}

// One branch for most of what the index offers, which is not in the way.
static inline bool is_near(const struct df_box *swept, const struct df_solid *solid)
{
    return ((swept->x < solid->x + solid->w) & (solid->x < swept->x + swept->w) & (swept->y < solid->y + solid->h) &
            (solid->y < swept->y + swept->h)) != 0;
}

static inline bool oneways_block(const struct df_actor *actor, enum df_axis axis, int32_t direction)
{
    return axis == DF_Y && direction > 0 && (actor->flags & DF_ACTOR_DROP_THROUGH) == 0;
}

// Pixels until this solid is met, at most those that are free without it; less than 0 if the actor overlaps it now.
static inline int32_t meet(const struct df_space *space, const struct df_actor *actor, const struct df_box *swept,
                           int32_t solid, enum df_axis axis, int32_t direction, int32_t free_px, struct df_hit *hit)
{
    if (space->index->period_x == 0 && !is_near(swept, &space->solids[solid]))
        return free_px;
    int32_t gap_px = gap_to(space->index, actor, &space->solids[solid], axis, direction);
    if (gap_px == -1 || gap_px >= free_px)
        return free_px;
    *hit = (struct df_hit){.kind = DF_HIT_SOLID, .index = solid};
    return gap_px;
}

// Every sweep, wherever it goes.
__attribute__((noinline)) static int32_t sweep_far(const struct df_space *space, const struct df_actor *actor,
                                                   enum df_axis axis, int32_t direction, int32_t free_px,
                                                   struct df_hit *hit)
{
    struct df_box box = df_actor_box(actor), swept = hull(box, axis, direction, free_px);
    struct df_near_solids near = df_index_near(space->index, swept);
    for (int32_t i = df_index_next(&near); i >= 0 && free_px >= 0; i = df_index_next(&near))
        free_px = meet(space, actor, &swept, i, axis, direction, free_px, hit);
    if (free_px < 0)
        return 0;
    return df_tiles_sweep(&space->tiles, box, axis, direction, free_px, oneways_block(actor, axis, direction), hit);
}

// The solids of one cell in index order, up to one that overlaps the actor now.
__attribute__((always_inline)) static inline int32_t meet_cell(const struct df_space *space,
                                                               const struct df_actor *actor, const uint64_t *cell,
                                                               enum df_axis axis, int32_t direction, int32_t free_px,
                                                               struct df_hit *hit)
{
    struct df_box swept = hull(df_actor_box(actor), axis, direction, free_px);
    for (int32_t word = 0; word < space->index->solid_words; word++) {
        if (cell[word] == 0)
            continue;
        for (uint64_t bits = cell[word] & ~space->index->hidden[word]; bits != 0; bits &= bits - 1) {
            free_px = meet(space, actor, &swept, word * 64 + __builtin_ctzll(bits), axis, direction, free_px, hit);
            if (free_px < 0)
                return free_px;
        }
    }
    return free_px;
}

// The set of the solids that a box may meet, if it is one for a glance; null if there are none.
static inline const uint64_t *cell_at_a_glance(const struct df_index *index, struct df_box box)
{
    int32_t words = index->solid_words, shift = index->cell_shift;
    const uint64_t *cell = &index->cells[((box.y >> shift) * index->columns + (box.x >> shift)) * words];
    uint64_t any = 0;
    for (int32_t word = 0; word < words; word++)
        any |= cell[word];
    return any != 0 ? cell : NULL;
}

typedef int32_t meet_way(const struct df_space *space, const struct df_actor *actor, const uint64_t *cell,
                         int32_t free_px, struct df_hit *hit);

// Nearly every sweep: a small box inside the grid, on a short way. What it may meet is in one cell, which most find
// empty, and its tiles are seen at a glance.
__attribute__((always_inline)) static inline int32_t sweep(const struct df_space *space, const struct df_actor *actor,
                                                           enum df_axis axis, int32_t direction, int32_t whole_px,
                                                           meet_way *meet_solids, struct df_hit *hit)
{
    struct df_box box = df_actor_box(actor), swept = hull(box, axis, direction, whole_px);
    if (!df_is_at_a_glance(space->index, swept))
        return sweep_far(space, actor, axis, direction, whole_px, hit);
    int32_t free_px = whole_px;
    const uint64_t *cell = cell_at_a_glance(space->index, swept);
    if (cell != NULL)
        free_px = meet_solids(space, actor, cell, whole_px, hit);
    if (free_px < 0)
        return 0;
    int32_t seen_px =
        axis == DF_X ? df_glance_x(space, box, swept, direction, free_px, hit)
                     : df_glance_y(space, box, swept, direction, free_px, oneways_block(actor, axis, direction), hit);
    return seen_px >= 0 ? seen_px : sweep_far(space, actor, axis, direction, whole_px, hit);
}

// One copy for each way, because the compiler then knows which edges lead.
#define SWEEP(way, axis, sign)                                                                                         \
    __attribute__((noinline)) static int32_t meet_##way(const struct df_space *space, const struct df_actor *actor,    \
                                                        const uint64_t *cell, int32_t px, struct df_hit *hit)          \
    {                                                                                                                  \
        return meet_cell(space, actor, cell, axis, sign, px, hit);                                                     \
    }                                                                                                                  \
    __attribute__((noinline)) static int32_t sweep_##way(const struct df_space *space, const struct df_actor *actor,   \
                                                         int32_t px, struct df_hit *hit)                               \
    {                                                                                                                  \
        int32_t free_px = sweep(space, actor, axis, sign, px, meet_##way, hit);                                        \
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
    if (df_index_cell_of(space->index, body->x, body->y) != space->index->actor_cell[actor] || space->moving)
        df_index_actor(space, actor);
}
