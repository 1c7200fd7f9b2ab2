// SPDX-License-Identifier: MIT
//
// The broadphase (private): what is near, in memory that the caller owns. Grids of square cells hold bodies by size;
// the cells of each grid are four times as wide as those of the grid before. A solid hangs in all cells that it covers,
// at most eight, of the finest grid where it covers no more; an actor hangs in the cell of its top-left corner. The
// memory of a grid is a torus, so long levels have small cells, too. The broadphase holds only candidates, in no order,
// and every one is tested again, so it changes the speed and never a result.
#ifndef DF_BROADPHASE_H
#define DF_BROADPHASE_H

#include "bitset.h"
#include "body.h"

/// Edge of a cell of the finest grid, px, as a power of two.
#define DF_CELL_SHIFT_MIN 5

/// Number of grids at most.
#define DF_GRID_CAPACITY 8

/// Number of cells in which a solid hangs at most.
#define DF_SOLID_LINKS 8

/// Cells of a grid that a box covers: the first, and how many from there on (around the world).
struct df_cells {
    uint16_t column, row;
    uint16_t columns, rows; ///< 0: covers nothing
    uint16_t grid;
};

/// Cells of one size.
struct df_grid {
    int32_t shift;                 ///< a cell is 1 << shift px wide and high
    int32_t columns, rows;         ///< around the world, or the torus where the world does not wrap
    int32_t column_mask, row_mask; ///< fold them into memory
    int32_t row_shift;             ///< a row in memory has 1 << row_shift cells
    int32_t first_cell;            ///< of this grid in memory
    int32_t solid_count;           ///< solids that hang here
    int32_t widest, tallest;       ///< the largest actor that ever hung here, px; 0: none did
};

/// Tiles of a window (sweep.h).
#define DF_WINDOW_COLUMNS 4
#define DF_WINDOW_ROWS    3

/// Chains of actors. An actor hangs in one of them, or in none.
struct df_chains {
    uint64_t *occupied; ///< one bit for each chain: it has an actor
    int32_t *first;     ///< first actor of each chain, or -1
    int32_t *next;      ///< of each actor, the next in its chain, or -1
    int32_t *prev;
    int32_t *chain; ///< of each actor its chain, or -1
};

/// The index of a space: shape, grids of cells, and the sets that a running move works with.
struct df_broadphase {
    int32_t period_x, period_y; ///< size of a world that wraps, px; else 0
    uint32_t width_px_max;      ///< of a body: that of the library, or less than a world that wraps
    uint32_t height_px_max;
    int32_t tile_shift;    ///< an edge of a tile is 1 << tile_shift px, where windows open
    uint32_t window_w_max; ///< windows open on paths up to so wide, px; 0: none opens
    uint32_t window_h_max; ///< and up to so high, px
    int32_t grid_w_px;     ///< width of the grid of tiles; 0: has none
    uint64_t loads;        ///< tiles, counted row by row, from which on all tiles of a window exist

    bool hides_moving;         ///< nothing collides with the members of the running move now
    struct df_bitset moving;   ///< those members
    struct df_bitset near;     ///< actors that the running move may carry or push
    struct df_bitset riders;   ///< of those, the ones that this step carries
    struct df_bitset pushed;   ///< of those, the ones that even steps push
    struct df_bitset squished; ///< of those, the ones for which the squish rule was called
    struct df_bitset embedded; ///< actors with the flag of that name
    struct df_bitset paddled;  ///< balls that the running move has hit on this axis
    struct df_bitset crushed;  ///< balls that it has squished

    int32_t grid_count, cell_count;
    uint32_t solid_grids; ///< bit g: solids hang in grid g
    uint32_t actor_grids; ///< bit g: an actor has hung there
    struct df_grid grids[DF_GRID_CAPACITY];
    struct df_cells *solid_cells;
    int32_t *solid_first;       ///< first link of each cell, or -1
    int32_t *solid_next;        ///< link s * DF_SOLID_LINKS + n hangs solid s in its n-th cell; next link there, or -1
    struct df_chains in_cells;  ///< each actor that takes part, in the chain of its cell
    struct df_chains on_solids; ///< each actor that is attached, in the chain of that solid
};

/// Lays the broadphase of a space out over `memory` (null: only counts). Returns the bytes that this takes, without
/// `broadphase` itself. df_broadphase_rebuild() makes it usable.
size_t df_broadphase_layout(struct df_broadphase *broadphase, const struct df_space *space, unsigned char *memory);

/// Hangs every body where it is now. Returns false if one that takes part is beyond the limits.
bool df_broadphase_rebuild(struct df_space *space);

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

/// Returns true if an actor that has moved from one canonical place to another may hang in another cell now, or is to
/// be considered by a running move. The lines between cells of every grid are also lines of the finest.
static inline bool df_broadphase_may_change_cell(const struct df_space *space, struct df_box before,
                                                 struct df_box after)
{
    return ((before.x ^ after.x) | (before.y ^ after.y)) >> DF_CELL_SHIFT_MIN != 0 || space->moving;
}

/// Moves an actor by whole pixels, canonical where the world wraps, and updates its cell.
static inline void df_broadphase_shift_actor(struct df_space *space, int32_t actor, enum df_axis axis, int32_t px)
{
    struct df_actor *body = &space->actors[actor];
    struct df_box before = df_actor_box(body);
    if (axis == DF_X)
        body->x = df_torus_canonical(body->x + px, space->broadphase->period_x);
    else
        body->y = df_torus_canonical(body->y + px, space->broadphase->period_y);
    if (space->broadphase->period_x != 0 || df_broadphase_may_change_cell(space, before, df_actor_box(body)))
        df_broadphase_update_actor(space, actor);
}

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

/// Cells along one axis: the first, and how many from there on, around the world.
struct df_cell_span {
    int32_t first, count;
};

/// Returns the cells that a span of pixels covers along one axis.
static inline struct df_cell_span df_broadphase_span(int32_t at_px, int32_t length_px, int32_t period, int32_t count,
                                                     int32_t shift)
{
    int32_t end_px = at_px + length_px - 1;
    if (period == 0) {
        int32_t first = (at_px + DF_CELL_BIAS_PX) >> shift, more = ((end_px + DF_CELL_BIAS_PX) >> shift) - first;
        return (struct df_cell_span){first & (count - 1), more < count ? more + 1 : count};
    }
    int32_t first = df_torus_mod(at_px, period) >> shift, last = df_torus_mod(end_px, period) >> shift;
    bool is_all = length_px > period - (1 << shift);
    return (struct df_cell_span){first, is_all ? count : last - first + 1 + (last < first ? count : 0)};
}

/// Returns the cells of a grid that a box covers.
static inline struct df_cells df_broadphase_cells(const struct df_broadphase *broadphase, int32_t grid,
                                                  struct df_box box)
{
    const struct df_grid *of = &broadphase->grids[grid];
    struct df_cell_span columns = df_broadphase_span(box.x, box.w, broadphase->period_x, of->columns, of->shift);
    struct df_cell_span rows = df_broadphase_span(box.y, box.h, broadphase->period_y, of->rows, of->shift);
    return (struct df_cells){.column = (uint16_t)columns.first,
                             .row = (uint16_t)rows.first,
                             .columns = (uint16_t)columns.count,
                             .rows = (uint16_t)rows.count,
                             .grid = (uint16_t)grid};
}

/// Returns the cells of a grid that may have actors which overlap a box: none if no actor ever hung in it.
static inline struct df_cells df_broadphase_actor_cells(const struct df_broadphase *broadphase, int32_t grid,
                                                        struct df_box box)
{
    int32_t w = broadphase->grids[grid].widest, h = broadphase->grids[grid].tallest;
    if (w == 0)
        return (struct df_cells){.grid = (uint16_t)grid};
    return df_broadphase_cells(broadphase, grid, (struct df_box){box.x - w, box.y - h, box.w + w, box.h + h});
}

/// Returns where a cell is in memory.
static inline int32_t df_broadphase_cell(const struct df_grid *grid, int32_t column, int32_t row)
{
    return grid->first_cell + ((row & grid->row_mask) << grid->row_shift) + (column & grid->column_mask);
}

/// Returns where the cell of a box's corner is in memory, in the finest grid, which is the first there. The box is
/// where coordinates are canonical, if the world wraps.
static inline size_t df_broadphase_finest_cell(const struct df_broadphase *broadphase, struct df_box box)
{
    const struct df_grid *grid = broadphase->grids;
    uint32_t column = (uint32_t)box.x >> DF_CELL_SHIFT_MIN, row = (uint32_t)box.y >> DF_CELL_SHIFT_MIN;
    return ((size_t)(row & (uint32_t)grid->row_mask) << grid->row_shift) + (column & (uint32_t)grid->column_mask);
}

/// Returns the solid that a link hangs in a cell.
static inline int32_t df_broadphase_linked(int32_t link)
{
    return (int32_t)((uint32_t)link / DF_SOLID_LINKS);
}

/// Returns where the n-th of some cells is in memory, row by row.
static inline int32_t df_broadphase_nth_cell(const struct df_broadphase *broadphase, struct df_cells cells, int32_t n)
{
    const struct df_grid *grid = &broadphase->grids[cells.grid];
    int32_t column = cells.column + n % cells.columns, row = cells.row + n / cells.columns;
    return df_broadphase_cell(grid, column >= grid->columns ? column - grid->columns : column,
                              row >= grid->rows ? row - grid->rows : row);
}

/// A solid also hangs in the cells this far to the left of it and above it. So a box up to one pixel larger finds all
/// that it may overlap in the one cell of its own top-left corner.
#define DF_CELL_REACH_PX 24

/// Returns true if a span that moves may cover other cells along its axis then. The lines between the cells of all
/// grids are also lines of the finest.
static inline bool df_broadphase_may_change_along(int32_t from_px, int32_t to_px, int32_t length_px)
{
    from_px += DF_CELL_BIAS_PX, to_px += DF_CELL_BIAS_PX;
    int32_t first = (from_px - DF_CELL_REACH_PX) ^ (to_px - DF_CELL_REACH_PX);
    int32_t last = (from_px + length_px - 1) ^ (to_px + length_px - 1);
    return from_px != to_px && (first | last) >> DF_CELL_SHIFT_MIN != 0;
}

/// Returns true if a solid that moves may cover other cells then.
static inline bool df_broadphase_may_change_cells(const struct df_broadphase *broadphase, struct df_box before,
                                                  struct df_box after)
{
    return df_broadphase_may_change_along(before.x, after.x, before.w) ||
           df_broadphase_may_change_along(before.y, after.y, before.h) || broadphase->period_x != 0;
}

/// A walk over the solids that may overlap a box, without hidden ones: in no order, and some more than once.
struct df_near_solids {
    const struct df_broadphase *broadphase;
    struct df_box box;
    uint32_t grids; ///< still to look into
    struct df_cells cells;
    int32_t cell; ///< the next of `cells`
    int32_t link; ///< the next of the present cell, or -1
};

/// Returns where the cell of a place is in memory.
static inline int32_t df_broadphase_cell_of(const struct df_broadphase *broadphase, int32_t grid, int32_t x_px,
                                            int32_t y_px)
{
    const struct df_grid *of = &broadphase->grids[grid];
    return df_broadphase_cell(of, df_broadphase_cell_along(x_px, broadphase->period_x, of->columns, of->shift),
                              df_broadphase_cell_along(y_px, broadphase->period_y, of->rows, of->shift));
}

/// Returns true if the one cell of a box's corner has all solids of a grid that the box may overlap.
static inline bool df_broadphase_is_one_cell(struct df_box box)
{
    return (uint32_t)box.w <= DF_CELL_REACH_PX + 1 && (uint32_t)box.h <= DF_CELL_REACH_PX + 1;
}

/// Returns true if nothing collides with a solid now, because it moves.
static inline bool df_broadphase_hides(const struct df_broadphase *broadphase, int32_t solid)
{
    return broadphase->hides_moving && df_bitset_has(&broadphase->moving, solid);
}

/// Begins a walk over the solids that may overlap a box.
static inline struct df_near_solids df_broadphase_near(const struct df_broadphase *broadphase, struct df_box box)
{
    if (df_broadphase_is_one_cell(box))
        box.w = box.h = 1;
    return (struct df_near_solids){.broadphase = broadphase, .box = box, .grids = broadphase->solid_grids, .link = -1};
}

/// Returns the next solid of a walk, or -1.
int32_t df_broadphase_next(struct df_near_solids *near);

/// Returns the solid of the lowest index above `last` that overlaps a box and is not hidden, or -1.
int32_t df_broadphase_next_overlapping(const struct df_space *space, struct df_box box, int32_t last);

/// Returns true if two boxes share a pixel where the world does not wrap. A box may be beyond the limits.
static inline bool df_broadphase_overlaps_plainly(struct df_box a, struct df_box b)
{
    uint32_t more_w = (uint32_t)a.w - 1, more_h = (uint32_t)a.h - 1;
    int32_t in_y = (uint32_t)a.y + more_h - (uint32_t)b.y < (uint32_t)b.h + more_h;
    int32_t in_x = (uint32_t)a.x + more_w - (uint32_t)b.x < (uint32_t)b.w + more_w;
    return (in_y & in_x) != 0;
}

/// Returns true if two boxes share a pixel, around the seam of a world that wraps too.
static inline bool df_broadphase_overlaps(const struct df_broadphase *broadphase, struct df_box a, struct df_box b)
{
    if (broadphase->period_x == 0)
        return df_broadphase_overlaps_plainly(a, b);
    return df_torus_spans_overlap(a.x, a.w, b.x, b.w, broadphase->period_x) &&
           df_torus_spans_overlap(a.y, a.h, b.y, b.h, broadphase->period_y);
}

#endif
