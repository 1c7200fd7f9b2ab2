// SPDX-License-Identifier: MIT
//
// Sweeps (private): how far a box can go along one axis, and what stops it, found at once instead of pixel by pixel.
// Everything that steps (actors, pushes, carries, probes) goes through df_sweep(); everything that asks whether a place
// is free goes through df_sweep_blocked().
//
// Both look through a window: the tiles and solids near a short path, found once for all sweeps along it. It opens for
// nearly every path there is: that of a box of usual size, inside the grid, covers at most three rows of four tiles and
// meets few solids. A row of tiles is a word, so that a sweep tests them all without a branch for each, because which
// of them blocks is random to a processor. Everything else goes the general way (df_window_sweep_outside()): a larger
// box, the border and the outside, a block that may be broken, a box that is stuck.
#ifndef DF_SWEEP_H
#define DF_SWEEP_H

#include <assert.h>

#include "broadphase.h"

/// Bit 0 of each of four tiles: solid and block have it. Bit 1 is that of block and one-way.
#define DF_WINDOW_HARD   UINT32_C(0x01010101)
#define DF_WINDOW_ONEWAY UINT32_C(0x02020202)

static_assert((DF_TILE_SOLID & 3) == 1 && (DF_TILE_BLOCK & 3) == 3 && (DF_TILE_ONEWAY & 3) == 2 &&
                  (DF_TILE_HAZARD & 3) == 0 && (DF_TILE_EMPTY & 3) == 0,
              "the two bits tell the kinds apart");

/// Solids that a window holds at most.
#define DF_WINDOW_SOLIDS 6

/// What is near a path.
struct df_window {
    int32_t tile_shift;               ///< an edge of a tile is 1 << tile_shift px
    int32_t x, y;                     ///< corner of the first tile, px
    uint32_t rows[DF_WINDOW_ROWS];    ///< the kinds of four tiles each, the first lowest
    int32_t solid_count;              ///< -1: the window is shut, because the path needs the general way
    int32_t solids[DF_WINDOW_SOLIDS]; ///< those that overlap the path, in no order
};

/// Returns true if a window opens on a path: it lies within the grid, in few enough tiles wherever it begins in one,
/// and in one cell of each grid of the broadphase.
static inline bool df_window_covers(const struct df_broadphase *broadphase, struct df_box path)
{
    return ((uint32_t)path.w <= broadphase->window_w_max) & ((uint32_t)path.h <= broadphase->window_h_max) &
           ((uint32_t)path.x <= (uint32_t)broadphase->grid_w_px - (uint32_t)path.w) &
           ((uint32_t)path.y <= (uint32_t)broadphase->grid_h_px - (uint32_t)path.h);
}

/// Adds the solids of a cell that overlap the path, from a link on; shuts the window if there are too many. Not
/// inlined: most cells have none.
void df_window_add_solids(struct df_window *window, const struct df_space *space, const struct df_box *path,
                          int32_t link);

/// Returns all bits of the tiles of a row from one column to another.
static inline uint32_t df_window_columns(int32_t first, int32_t last)
{
    return UINT32_MAX << 8 * first & UINT32_MAX >> 8 * (DF_WINDOW_COLUMNS - 1 - last);
}

/// Returns all bits that are set in a row from one to another.
static inline uint32_t df_window_rows(const struct df_window *window, int32_t first, int32_t last)
{
    static_assert(DF_WINDOW_ROWS == 3, "the first, the last, and one between them");
    return window->rows[first] | window->rows[(first + last) / 2] | window->rows[last];
}

/// Opens a window on everything that a box may meet on a path, which covers the box and all places that it may come to;
/// or leaves it shut.
static inline void df_window_open(struct df_window *window, const struct df_space *space, struct df_box box,
                                  struct df_box path)
{
    const struct df_broadphase *broadphase = space->broadphase;
    window->solid_count = -1;
    if (!df_window_covers(broadphase, path) || box.w < 1 || box.h < 1)
        return;
    int32_t last_column = space->tiles.columns - DF_WINDOW_COLUMNS, last_row = space->tiles.rows - DF_WINDOW_ROWS;
    int32_t shift = broadphase->tile_shift, column = path.x >> shift, row = path.y >> shift;
    column = column < last_column ? column : last_column;
    row = row < last_row ? row : last_row;
    window->tile_shift = shift;
    window->x = column << shift;
    window->y = row << shift;
    const uint8_t *kinds = space->tiles.kinds + (size_t)row * (size_t)space->tiles.columns + (size_t)column;
    for (int32_t i = 0; i < DF_WINDOW_ROWS; i++, kinds += space->tiles.columns)
        window->rows[i] =
            (uint32_t)kinds[0] | (uint32_t)kinds[1] << 8 | (uint32_t)kinds[2] << 16 | (uint32_t)kinds[3] << 24;
    uint32_t covered = df_window_columns((box.x >> shift) - column, ((box.x + box.w - 1) >> shift) - column) &
                       df_window_rows(window, (box.y >> shift) - row, ((box.y + box.h - 1) >> shift) - row);
    if ((covered & DF_WINDOW_HARD) != 0)
        return; // it is stuck
    window->solid_count = 0;
    const struct df_grid *grid = broadphase->grids;
    for (uint32_t grids = broadphase->solid_grids; grids != 0; grids >>= 1, grid++) {
        int32_t link = broadphase->solid_first[df_broadphase_cell(grid, path.x >> grid->shift, path.y >> grid->shift)];
        if (link >= 0 && (grids & 1) != 0)
            df_window_add_solids(window, space, &path, link);
    }
}

/// Fills `hit` with the first of the marked tiles of a row; returns the pixels before it, or -1 if it may be broken.
static inline int32_t df_window_hit(const struct df_window *window, int32_t row, uint32_t marked, int32_t gap_px,
                                    struct df_hit *hit)
{
    int32_t bit = __builtin_ctz(marked) & ~7;
    if ((window->rows[row] >> bit & 0xff) == DF_TILE_BLOCK)
        return -1;
    *hit = (struct df_hit){.kind = DF_HIT_TILE,
                           .index = -1,
                           .column = (window->x >> window->tile_shift) + bit / 8,
                           .row = (window->y >> window->tile_shift) + row};
    return gap_px;
}

/// Returns how many of `free_px` pixels a box can go along x before a tile blocks it, and fills `hit` if it is not all.
/// Returns -1 if this needs df_tile_grid_sweep(): the path enters several columns, or meets a block.
static inline int32_t df_window_sweep_x(const struct df_window *window, struct df_box box, int32_t direction,
                                        int32_t free_px, struct df_hit *hit)
{
    int32_t shift = window->tile_shift, edge = box.x - window->x + (direction > 0 ? box.w - 1 : 0);
    int32_t column = (edge + direction * free_px) >> shift, entered = (column - (edge >> shift)) * direction;
    if (entered != 1)
        return entered == 0 ? free_px : -1;
    int32_t first = (box.y - window->y) >> shift, last = (box.y - window->y + box.h - 1) >> shift;
    uint32_t line = DF_WINDOW_HARD & UINT32_C(0xff) << 8 * column;
    if ((df_window_rows(window, first, last) & line) == 0)
        return free_px;
    while ((window->rows[first] & line) == 0)
        first++;
    int32_t gap_px = direction > 0 ? (column << shift) - edge - 1 : edge - ((column + 1) << shift);
    return df_window_hit(window, first, line, gap_px, hit);
}

/// The same along y. With `oneway`, one-way tiles block.
static inline int32_t df_window_sweep_y(const struct df_window *window, struct df_box box, int32_t direction,
                                        int32_t free_px, bool oneway, struct df_hit *hit)
{
    int32_t shift = window->tile_shift, edge = box.y - window->y + (direction > 0 ? box.h - 1 : 0);
    int32_t row = (edge + direction * free_px) >> shift, entered = (row - (edge >> shift)) * direction;
    if (entered != 1)
        return entered == 0 ? free_px : -1;
    uint32_t columns = df_window_columns((box.x - window->x) >> shift, (box.x - window->x + box.w - 1) >> shift);
    uint32_t line = window->rows[row] & columns & (oneway ? DF_WINDOW_HARD | DF_WINDOW_ONEWAY : DF_WINDOW_HARD);
    if (line == 0)
        return free_px;
    int32_t gap_px = direction > 0 ? (row << shift) - edge - 1 : edge - ((row + 1) << shift);
    return df_window_hit(window, row, line, gap_px, hit);
}

/// Returns the pixels until this solid, at most those that are free without it; less than 0 if the actor overlaps it.
/// Of solids at the same distance, the one of the lowest index is hit. Not inlined, because it would slow down the
/// actors that meet nothing.
int32_t df_window_meet(const struct df_space *space, const struct df_actor *actor, int32_t solid, enum df_axis axis,
                       int32_t direction, int32_t free_px, struct df_hit *hit);

/// Does every sweep of any box, as df_sweep().
int32_t df_window_sweep_outside(const struct df_space *space, const struct df_actor *actor, enum df_axis axis,
                                int32_t direction, int32_t px, struct df_hit *hit);

/// Returns true if one-ways block a move.
static inline bool df_window_oneways_block(const struct df_actor *actor, enum df_axis axis, int32_t direction)
{
    return axis == DF_Y && direction > 0 && (actor->flags & DF_ACTOR_DROP_THROUGH) == 0;
}

/// Does a sweep as df_sweep(), for an actor with this box along a path that an open window covers. Nothing near has
/// changed since it was opened.
static inline int32_t df_window_sweep(const struct df_window *window, const struct df_space *space,
                                      const struct df_actor *actor, struct df_box box, enum df_axis axis,
                                      int32_t direction, int32_t px, struct df_hit *hit)
{
    int32_t free_px = px;
    hit->kind = DF_HIT_NONE;
    for (int32_t i = 0; i < window->solid_count && free_px >= 0; i++)
        free_px = df_window_meet(space, actor, window->solids[i], axis, direction, free_px, hit);
    if (free_px > 0)
        free_px = axis == DF_X ? df_window_sweep_x(window, box, direction, free_px, hit)
                               : df_window_sweep_y(window, box, direction, free_px,
                                                   df_window_oneways_block(actor, axis, direction), hit);
    if (free_px == px)
        return free_px;
    if (free_px < 0)
        return df_window_sweep_outside(space, actor, axis, direction, px, hit);
    hit->direction = direction;
    hit->left_px = px - free_px;
    return free_px;
}

/// Returns how many of `px` pixels, at least 1, the actor can walk. Fills `hit` if not all, and else its kind with
/// DF_HIT_NONE. -1 if its box is beyond the limits. One for each direction, because the compiler then knows which edges
/// lead.
int32_t df_sweep_left(const struct df_space *space, const struct df_actor *actor, int32_t px, struct df_hit *hit);
int32_t df_sweep_right(const struct df_space *space, const struct df_actor *actor, int32_t px, struct df_hit *hit);
int32_t df_sweep_up(const struct df_space *space, const struct df_actor *actor, int32_t px, struct df_hit *hit);
int32_t df_sweep_down(const struct df_space *space, const struct df_actor *actor, int32_t px, struct df_hit *hit);

/// The same along an axis, `px` with a sign, not 0.
static inline int32_t df_sweep(const struct df_space *space, const struct df_actor *actor, enum df_axis axis,
                               int32_t px, struct df_hit *hit)
{
    if (axis == DF_X)
        return px > 0 ? df_sweep_right(space, actor, px, hit) : df_sweep_left(space, actor, -px, hit);
    return px > 0 ? df_sweep_down(space, actor, px, hit) : df_sweep_up(space, actor, -px, hit);
}

/// Returns true if the box overlaps a collidable solid or a tile that blocks (one-ways do not count), or is
/// beyond the limits.
bool df_sweep_blocked(const struct df_space *space, struct df_box box);

/// The same without the solids that an actor passes.
bool df_sweep_blocked_for(const struct df_space *space, const struct df_actor *actor, struct df_box box);

#endif
