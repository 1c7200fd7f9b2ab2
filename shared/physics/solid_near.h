// SPDX-License-Identifier: MIT
//
// What is near a solid that moves (private): the actors that it may push or carry, and whether balls are. Mostly
// nothing is. That is known after a look at one bit for each cell around the solid, without looking at any actor.
#ifndef DF_SOLID_NEAR_H
#define DF_SOLID_NEAR_H

#include "broadphase.h"

/// What a move may meet, as bits.
enum df_near {
    DF_NEAR_NOTHING = 0,
    DF_NEAR_ACTORS = 1 << 0,
    DF_NEAR_BALLS = 1 << 1,
};

/// Adds the actors that a solid may push or carry to those near: its path touches them, or they are attached to it.
/// Returns an enum df_near. `swept` is the path, and a pixel around it.
uint32_t df_solid_near_find(struct df_space *space, int32_t solid, const struct df_box *swept);

/// Cells of the finest grid with actors that a path may touch, if each row of them has its bits in one word.
/// Nearly always they are.
struct df_near_rows {
    uint32_t column, row, last_row; ///< those of the first cell, in memory and in the world, and the last row
    uint64_t bits;                  ///< of the cells of a row, from the first on
};

/// Returns false around the end of the world, or of its memory: then the cells are not in such rows.
static inline bool df_solid_near_rows(struct df_near_rows *rows, const struct df_broadphase *broadphase,
                                      const struct df_box *swept)
{
    const struct df_grid *grid = broadphase->grids;
    int32_t x_px = swept->x - grid->widest, end_x_px = swept->x + swept->w - 1;
    int32_t y_px = swept->y - grid->tallest, end_y_px = swept->y + swept->h - 1;
    if (broadphase->period_x != 0 &&
        (x_px < 0 || y_px < 0 || end_x_px >= broadphase->period_x || end_y_px >= broadphase->period_y))
        return false;
    uint32_t column = (uint32_t)(x_px + DF_CELL_BIAS_PX) >> DF_CELL_SHIFT_MIN;
    uint32_t more_columns = ((uint32_t)(end_x_px + DF_CELL_BIAS_PX) >> DF_CELL_SHIFT_MIN) - column;
    rows->column = column & (uint32_t)grid->column_mask;
    rows->row = (uint32_t)(y_px + DF_CELL_BIAS_PX) >> DF_CELL_SHIFT_MIN;
    rows->last_row = (uint32_t)(end_y_px + DF_CELL_BIAS_PX) >> DF_CELL_SHIFT_MIN;
    rows->bits = (UINT64_C(2) << more_columns % 64) - 1;
    return rows->column % 64 + more_columns <= (uint32_t)grid->column_mask % 64 &&
           rows->last_row - rows->row <= (uint32_t)grid->row_mask;
}

/// Returns where the first cell of a row is in memory, and in `occupied` which ones have actors, from that on.
static inline uint32_t df_solid_near_row(const struct df_near_rows *rows, const struct df_broadphase *broadphase,
                                         uint32_t row, uint64_t *occupied)
{
    const struct df_grid *grid = broadphase->grids;
    uint32_t cell = ((row & (uint32_t)grid->row_mask) << grid->row_shift) + rows->column;
    *occupied = broadphase->in_cells.occupied[cell / 64] >> cell % 64 & rows->bits;
    return cell;
}

/// Returns true if df_solid_near_find() would find nothing, and no actor is embedded, which may be free after the move.
/// Returns false also where that is not so soon known.
static inline bool df_solid_near_is_empty(const struct df_space *space, int32_t solid, const struct df_box *swept)
{
    const struct df_broadphase *broadphase = space->broadphase;
    struct df_near_rows rows;
    if (broadphase->on_solids.first[solid] >= 0 || space->ball_count > 0 ||
        !df_bitset_is_empty(&broadphase->embedded) || broadphase->actor_grids > 1 ||
        !df_solid_near_rows(&rows, broadphase, swept))
        return false;
    uint64_t any = 0, occupied;
    do {
        df_solid_near_row(&rows, broadphase, rows.row, &occupied);
        any |= occupied;
    } while (rows.row++ != rows.last_row);
    return any == 0;
}

#endif
