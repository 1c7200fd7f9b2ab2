// SPDX-License-Identifier: MIT
#include "solid_near.h"

#include "ball_push.h"

// Adds the actors of a cell that a path touches, from the first on, to those near.
static inline uint32_t look_in_cell(struct df_space *space, const struct df_box *swept, int32_t first)
{
    struct df_broadphase *broadphase = space->broadphase;
    uint32_t near = DF_NEAR_NOTHING;
    for (int32_t i = first; i >= 0; i = broadphase->in_cells.next[i])
        if (df_broadphase_overlaps(broadphase, *swept, df_actor_box(&space->actors[i]))) {
            df_bitset_add(&broadphase->near, i);
            near = DF_NEAR_ACTORS;
        }
    return near;
}

// Looks in all cells of a grid with actors that a path may touch.
static uint32_t look_in_grid(struct df_space *space, int32_t grid, const struct df_box *swept)
{
    const struct df_broadphase *broadphase = space->broadphase;
    struct df_cells cells = df_broadphase_actor_cells(broadphase, grid, *swept);
    uint32_t near = DF_NEAR_NOTHING;
    for (int32_t i = 0; i < cells.columns * cells.rows; i++) {
        int32_t actor = broadphase->in_cells.first[df_broadphase_nth_cell(broadphase, cells, i)];
        if (actor >= 0)
            near |= look_in_cell(space, swept, actor);
    }
    return near;
}

// Looks in the same cells of the finest grid, but only in those that have actors.
static uint32_t look_in_rows(struct df_space *space, const struct df_near_rows *rows, const struct df_box *swept)
{
    const struct df_broadphase *broadphase = space->broadphase;
    uint32_t near = DF_NEAR_NOTHING;
    for (uint32_t row = rows->row; row <= rows->last_row; row++) {
        uint64_t occupied;
        uint32_t cell = df_solid_near_row(rows, broadphase, row, &occupied);
        for (; occupied != 0; occupied &= occupied - 1) {
            int32_t first = broadphase->in_cells.first[cell + (uint32_t)__builtin_ctzll(occupied)];
            near |= look_in_cell(space, swept, first);
        }
    }
    return near;
}

uint32_t df_solid_near_find(struct df_space *space, int32_t solid, const struct df_box *swept)
{
    struct df_broadphase *broadphase = space->broadphase;
    uint32_t near = DF_NEAR_NOTHING, grids = broadphase->actor_grids;
    for (int32_t i = broadphase->on_solids.first[solid]; i >= 0; i = broadphase->on_solids.next[i]) {
        df_bitset_add(&broadphase->near, i);
        near = DF_NEAR_ACTORS;
    }
    struct df_near_rows rows;
    if (df_solid_near_rows(&rows, broadphase, swept)) {
        near |= look_in_rows(space, &rows, swept);
        grids &= ~1u; // the finest is done
    }
    for (; grids != 0; grids &= grids - 1)
        near |= look_in_grid(space, __builtin_ctz(grids), swept);
    if (space->ball_count > 0 && df_ball_push_is_near(space, *swept))
        near |= DF_NEAR_BALLS;
    return near;
}
