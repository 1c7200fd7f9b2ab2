// SPDX-License-Identifier: MIT
//
// The broadphase (private): what is near, in memory that the caller owns. A torus of square cells: a solid is a bit in
// every cell that it covers, so solids always come in index order; an actor hangs in the one cell of its top-left
// corner. It holds only candidates, and every one is tested again, so it changes the speed and never a result.
#ifndef DF_BROADPHASE_H
#define DF_BROADPHASE_H

#include "bitset.h"
#include "body.h"

/// Cells covered by a box: the first, and how many from there on (around the torus).
struct df_cells {
    int32_t column, row;
    int32_t columns, rows; ///< 0: covers nothing
};

/// Tiles that the fast path looks at, at most (tile_fast_path.h).
#define DF_FAST_PATH_COLUMNS 4
#define DF_FAST_PATH_ROWS    3

/// The index of a space: shape, grid of cells, and the sets that a running move works with.
struct df_broadphase {
    int32_t period_x, period_y; ///< size of a world that wraps, px; else 0
    int32_t cell_shift;         ///< a cell is 1 << cell_shift px wide and high
    int32_t columns, rows;      ///< of cells; powers of two where the world does not wrap
    int32_t solid_words;        ///< 64-bit words of a set of solids
    int32_t actor_words;
    int32_t ball_words;
    uint32_t width_px_max; ///< of a body: that of the library, or less than a world that wraps
    uint32_t height_px_max;
    int32_t widest, tallest; ///< the largest actor ever added, px
    int32_t tile_shift;      ///< an edge of a tile is 1 << tile_shift px, where the fast path applies

    uint32_t fast_path_x_end; ///< the fast path takes boxes whose corner is in [0, end), px
    uint32_t fast_path_y_end; ///< 0: none

    uint64_t *cells;    ///< a set of solids for each cell
    uint64_t *moving;   ///< members of the running move
    uint64_t *hidden;   ///< members of it that nothing collides with now
    uint64_t *near;     ///< actors that the running move may carry or push
    uint64_t *riders;   ///< of those, the ones that this step carries
    uint64_t *embedded; ///< actors with the flag of that name
    uint64_t *pushed;   ///< of those, the ones that even steps push
    uint64_t *squished; ///< of those, the ones whose squish rule was called
    uint64_t *paddled;  ///< balls that the running move has hit on this axis
    uint64_t *crushed;  ///< balls that it has squished
    struct df_cells *solid_cells;
    int32_t *actor_first; ///< first actor of each cell, or -1
    int32_t *actor_next;  ///< next actor in the same cell, or -1
    int32_t *actor_prev;
    int32_t *actor_cell; ///< cell of the actor, or -1
};

/// Lays the broadphase of a space out over `memory` (null: only counts). Returns the bytes that this takes, without
/// `broadphase` itself.
size_t df_broadphase_layout(struct df_broadphase *broadphase, const struct df_space *space, unsigned char *memory);

/// Returns true if a box is within the limits of a space: those of the library, and smaller than a world that wraps.
static inline bool df_broadphase_accepts(const struct df_broadphase *broadphase, struct df_box box)
{
    uint32_t far = DF_COORDINATE_PX_MAX;
    return (((uint32_t)box.x + far <= 2 * far) & ((uint32_t)box.y + far <= 2 * far) &
            ((uint32_t)box.w - 1 < broadphase->width_px_max) & ((uint32_t)box.h - 1 < broadphase->height_px_max)) != 0;
}

/// Updates one solid's cells; cheap if it covers the same cells as before.
void df_broadphase_update_solid(struct df_space *space, int32_t solid);

/// Updates one actor's cell. During a solid's move, that move also considers the actor from now on.
void df_broadphase_update_actor(struct df_space *space, int32_t actor);

/// Moves an actor by whole pixels, canonical where the world wraps, and updates its cell.
void df_broadphase_shift_actor(struct df_space *space, int32_t actor, enum df_axis axis, int32_t px);

/// Makes the moving solids collidable where they stand, before a rule runs inside their move.
void df_broadphase_show_moving(struct df_space *space);

/// Hides the moving solids again, after the rule.
void df_broadphase_hide_moving(struct df_space *space);

/// Added to a coordinate before its cell is computed, so that none is negative; a multiple of every torus.
#define DF_CELL_BIAS_PX (1 << 22)

/// Returns the cell of a coordinate along one axis.
static inline int32_t df_broadphase_cell_along(int32_t at_px, int32_t period, int32_t count, int32_t shift)
{
    if (period != 0)
        return df_torus_mod(at_px, period) >> shift;
    return ((at_px + DF_CELL_BIAS_PX) >> shift) & (count - 1);
}

/// Returns the first cell of a span along one axis, and in `cells` how many it covers from there on.
static inline int32_t df_broadphase_cells_along(int32_t at_px, int32_t length_px, int32_t period, int32_t count,
                                                int32_t shift, int32_t *cells)
{
    int32_t end_px = at_px + length_px - 1;
    if (period == 0) {
        int32_t first = (at_px + DF_CELL_BIAS_PX) >> shift, more = ((end_px + DF_CELL_BIAS_PX) >> shift) - first;
        *cells = more < count ? more + 1 : count;
        return first & (count - 1);
    }
    int32_t first = df_torus_mod(at_px, period) >> shift, last = df_torus_mod(end_px, period) >> shift;
    *cells = length_px > period - (1 << shift) ? count : last - first + 1 + (last < first ? count : 0);
    return first;
}

/// Returns the cells that a box covers.
static inline struct df_cells df_broadphase_cells(const struct df_broadphase *broadphase, struct df_box box)
{
    struct df_cells cells;
    int32_t shift = broadphase->cell_shift;
    cells.column =
        df_broadphase_cells_along(box.x, box.w, broadphase->period_x, broadphase->columns, shift, &cells.columns);
    cells.row = df_broadphase_cells_along(box.y, box.h, broadphase->period_y, broadphase->rows, shift, &cells.rows);
    return cells;
}

/// A solid is also a bit in the cells this far to the left of it and above it. So a box up to one pixel larger finds
/// all that it may overlap in the one cell of its own top-left corner.
#define DF_CELL_REACH_PX 24

/// A walk over the solids that may overlap a box, in index order, without hidden ones.
struct df_near_solids {
    const struct df_broadphase *broadphase;
    const uint64_t *only; ///< the one cell to look into; null: all of `cells`
    struct df_cells cells;
    int32_t word;
    uint64_t bits;
};

/// Returns the cell of a place.
static inline int32_t df_broadphase_cell_of(const struct df_broadphase *broadphase, int32_t x_px, int32_t y_px)
{
    return df_broadphase_cell_along(y_px, broadphase->period_y, broadphase->rows, broadphase->cell_shift) *
               broadphase->columns +
           df_broadphase_cell_along(x_px, broadphase->period_x, broadphase->columns, broadphase->cell_shift);
}

/// Returns true if df_broadphase_cell() has all solids that a box may overlap.
static inline bool df_broadphase_is_one_cell(struct df_box box)
{
    return ((box.w <= DF_CELL_REACH_PX + 1) & (box.h <= DF_CELL_REACH_PX + 1)) != 0;
}

/// Returns the set of solids in the cell of a box's corner.
static inline const uint64_t *df_broadphase_cell(const struct df_broadphase *broadphase, struct df_box box)
{
    return &broadphase->cells[df_broadphase_cell_of(broadphase, box.x, box.y) * broadphase->solid_words];
}

/// Begins a walk over the solids that may overlap a box.
static inline struct df_near_solids df_broadphase_near(const struct df_broadphase *broadphase, struct df_box box)
{
    struct df_near_solids near = {.broadphase = broadphase, .word = -1};
    if (df_broadphase_is_one_cell(box))
        near.only = df_broadphase_cell(broadphase, box);
    else
        near.cells = df_broadphase_cells(broadphase, box);
    return near;
}

/// Returns one word of the set of solids in some cells.
static inline uint64_t df_broadphase_word(const struct df_broadphase *broadphase, struct df_cells cells, int32_t word)
{
    uint64_t bits = 0;
    for (int32_t i = 0, row = cells.row; i < cells.rows; i++, row = row + 1 == broadphase->rows ? 0 : row + 1)
        for (int32_t j = 0, column = cells.column; j < cells.columns;
             j++, column = column + 1 == broadphase->columns ? 0 : column + 1)
            bits |= broadphase->cells[(row * broadphase->columns + column) * broadphase->solid_words + word];
    return bits;
}

/// Returns the next solid of a walk, or -1.
static inline int32_t df_broadphase_next(struct df_near_solids *near)
{
    while (near->bits == 0) {
        if (++near->word >= near->broadphase->solid_words)
            return -1;
        near->bits =
            near->only ? near->only[near->word] : df_broadphase_word(near->broadphase, near->cells, near->word);
        if (near->bits != 0)
            near->bits &= ~near->broadphase->hidden[near->word];
    }
    int32_t solid = near->word * 64 + __builtin_ctzll(near->bits);
    near->bits &= near->bits - 1;
    return solid;
}

/// Returns true if two boxes share a pixel, around the seam of a world that wraps too.
static inline bool df_broadphase_overlaps(const struct df_broadphase *broadphase, struct df_box a, struct df_box b)
{
    return df_torus_spans_overlap(a.x, a.w, b.x, b.w, broadphase->period_x) &&
           df_torus_spans_overlap(a.y, a.h, b.y, b.h, broadphase->period_y);
}

#endif
