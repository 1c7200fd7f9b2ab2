// SPDX-License-Identifier: MIT
//
// The index (private): what is near, in memory that the caller owns. A torus of square cells: solids are bits
// in every cell they cover, so that they are always met in index order; an actor hangs in the one cell of its
// top-left corner. It holds candidates only, every one is tested again, so it can change speed but no result.
// Also here: the arithmetic of a world that wraps.
#ifndef DF_INDEX_H
#define DF_INDEX_H

#include "space.h"

enum df_axis {
    DF_X,
    DF_Y,
};

/// Cells covered by a box: the first, and how many from there on (around the torus).
struct df_cells {
    int32_t column, row;
    int32_t columns, rows; ///< 0: covers nothing
};

/// What a glance covers at most (glance.h).
#define DF_GLANCE_COLUMNS 4
#define DF_GLANCE_ROWS    3

struct df_index {
    int32_t period_x, period_y; ///< size of a world that wraps, px; else 0
    int32_t cell_shift;         ///< a cell is 1 << cell_shift px wide and high
    int32_t columns, rows;      ///< of cells; powers of two where the world does not wrap
    int32_t solid_words;        ///< 64-bit words of a set of solids
    int32_t actor_words;
    int32_t ball_words;
    int32_t widest, tallest; ///< of all actors ever indexed, px
    int32_t tile_shift;      ///< an edge of a tile is 1 << tile_shift px, where a glance is possible

    uint32_t glance_x_end; ///< a box whose corner is in [0, end) can be looked at at a glance, px (glance.h)
    uint32_t glance_y_end; ///< 0: none can

    uint64_t *cells;    ///< a set of solids for each cell
    uint64_t *moving;   ///< members of the running move
    uint64_t *hidden;   ///< those of them that nothing collides with now
    uint64_t *near;     ///< actors that the running move looks at
    uint64_t *riders;   ///< of those, who is carried by this step
    uint64_t *embedded; ///< actors with the flag of that name
    uint64_t *pushed;   ///< of those, who is pushed by even steps
    uint64_t *squished; ///< of those, whose squish rule was asked
    uint64_t *paddled;  ///< balls that the running move already hit on this axis
    uint64_t *crushed;  ///< balls that it already squished
    struct df_cells *solid_cells;
    int32_t *actor_first; ///< first actor of each cell, or -1
    int32_t *actor_next;  ///< next actor in the same cell, or -1
    int32_t *actor_prev;
    int32_t *actor_cell; ///< where the actor hangs, or -1
};

/// Lays an index for the space out over `memory` (null: only counts). Returns the bytes that takes beside `index`
/// itself.
size_t df_index_layout(struct df_index *index, const struct df_space *space, unsigned char *memory);

/// Brings one solid's cells up to date; cheap when it covers the same cells as before.
void df_index_solid(struct df_space *space, int32_t solid);

/// The same for an actor. Inside a solid's move it also makes that move look at the actor from now on.
void df_index_actor(struct df_space *space, int32_t actor);

/// Remainder in [0, period).
static inline int32_t df_mod(int32_t value, int32_t period)
{
    if ((uint32_t)value < (uint32_t)period)
        return value;
    int32_t rest = value % period;
    return rest < 0 ? rest + period : rest;
}

/// Added to a coordinate before a cell is taken from it, so that none is negative; a multiple of every torus.
#define DF_CELL_BIAS_PX (1 << 22)

static inline int32_t df_cell_of(int32_t at_px, int32_t period, int32_t count, int32_t shift)
{
    if (period != 0)
        return df_mod(at_px, period) >> shift;
    return ((at_px + DF_CELL_BIAS_PX) >> shift) & (count - 1);
}

/// The first cell of a span, and how many it covers from there on.
static inline int32_t df_cells_along(int32_t at_px, int32_t length_px, int32_t period, int32_t count, int32_t shift,
                                     int32_t *cells)
{
    int32_t end_px = at_px + length_px - 1;
    if (period == 0) {
        int32_t first = (at_px + DF_CELL_BIAS_PX) >> shift, more = ((end_px + DF_CELL_BIAS_PX) >> shift) - first;
        *cells = more < count ? more + 1 : count;
        return first & (count - 1);
    }
    int32_t first = df_mod(at_px, period) >> shift, last = df_mod(end_px, period) >> shift;
    *cells = length_px > period - (1 << shift) ? count : last - first + 1 + (last < first ? count : 0);
    return first;
}

/// The cells that a box covers.
static inline struct df_cells df_index_cells(const struct df_index *index, struct df_box box)
{
    struct df_cells cells;
    int32_t shift = index->cell_shift;
    cells.column = df_cells_along(box.x, box.w, index->period_x, index->columns, shift, &cells.columns);
    cells.row = df_cells_along(box.y, box.h, index->period_y, index->rows, shift, &cells.rows);
    return cells;
}

/// A solid is also a bit in the cells this far to the left of it and above it, so that a box up to one pixel larger has
/// all that it may overlap in the one cell of its own top-left corner.
#define DF_CELL_REACH_PX 24

/// Walks over the solids that may overlap a box, in index order; hidden ones are left out.
struct df_near_solids {
    const struct df_index *index;
    const uint64_t *only; ///< the one cell to look into; null: all of `cells`
    struct df_cells cells;
    int32_t word;
    uint64_t bits;
};

/// The cell of a place.
static inline int32_t df_index_cell_of(const struct df_index *index, int32_t x_px, int32_t y_px)
{
    return df_cell_of(y_px, index->period_y, index->rows, index->cell_shift) * index->columns +
           df_cell_of(x_px, index->period_x, index->columns, index->cell_shift);
}

/// True if df_index_cell() has all solids that a box may overlap.
static inline bool df_index_is_one_cell(struct df_box box)
{
    return ((box.w <= DF_CELL_REACH_PX + 1) & (box.h <= DF_CELL_REACH_PX + 1)) != 0;
}

/// The set of solids of the cell of a box's corner.
static inline const uint64_t *df_index_cell(const struct df_index *index, struct df_box box)
{
    return &index->cells[df_index_cell_of(index, box.x, box.y) * index->solid_words];
}

static inline struct df_near_solids df_index_near(const struct df_index *index, struct df_box box)
{
    struct df_near_solids near = {.index = index, .word = -1};
    if (df_index_is_one_cell(box))
        near.only = df_index_cell(index, box);
    else
        near.cells = df_index_cells(index, box);
    return near;
}

static inline uint64_t df_index_word(const struct df_index *index, struct df_cells cells, int32_t word)
{
    uint64_t bits = 0;
    for (int32_t i = 0, row = cells.row; i < cells.rows; i++, row = row + 1 == index->rows ? 0 : row + 1)
        for (int32_t j = 0, column = cells.column; j < cells.columns;
             j++, column = column + 1 == index->columns ? 0 : column + 1)
            bits |= index->cells[(row * index->columns + column) * index->solid_words + word];
    return bits;
}

/// The next solid, or -1.
static inline int32_t df_index_next(struct df_near_solids *near)
{
    while (near->bits == 0) {
        if (++near->word >= near->index->solid_words)
            return -1;
        near->bits = near->only ? near->only[near->word] : df_index_word(near->index, near->cells, near->word);
        if (near->bits != 0)
            near->bits &= ~near->index->hidden[near->word];
    }
    int32_t solid = near->word * 64 + __builtin_ctzll(near->bits);
    near->bits &= near->bits - 1;
    return solid;
}

/// Sets of indices.
static inline void df_set_add(uint64_t *set, int32_t i)
{
    set[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline void df_set_remove(uint64_t *set, int32_t i)
{
    set[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

static inline bool df_set_has(const uint64_t *set, int32_t i)
{
    return (set[i / 64] >> (i % 64) & 1) != 0;
}

/// The first member at or after `i`, or -1.
static inline int32_t df_set_next(const uint64_t *set, int32_t words, int32_t i)
{
    int32_t word = i / 64;
    if (word >= words)
        return -1;
    uint64_t bits = set[word] & (UINT64_MAX << (i % 64));
    while (bits == 0) {
        if (++word >= words)
            return -1;
        bits = set[word];
    }
    return word * 64 + __builtin_ctzll(bits);
}

/// A coordinate in the canonical range of a world that wraps; unchanged where `period` is 0.
static inline int32_t df_canonical(int32_t value, int32_t period)
{
    return period == 0 ? value : df_mod(value, period);
}

/// True if two half-open spans share a pixel, around the seam too.
static inline bool df_spans_overlap(int32_t a, int32_t a_length, int32_t b, int32_t b_length, int32_t period)
{
    if (period == 0)
        return a < b + b_length && b < a + a_length;
    return df_mod(b - a, period) < a_length || df_mod(a - b, period) < b_length;
}

static inline bool df_index_overlaps(const struct df_index *index, struct df_box a, struct df_box b)
{
    return df_spans_overlap(a.x, a.w, b.x, b.w, index->period_x) &&
           df_spans_overlap(a.y, a.h, b.y, b.h, index->period_y);
}

static inline struct df_box df_solid_box(const struct df_solid *solid)
{
    return (struct df_box){solid->x, solid->y, solid->w, solid->h};
}

static inline struct df_box df_actor_box(const struct df_actor *actor)
{
    return (struct df_box){actor->x, actor->y, actor->w, actor->h};
}

/// A box that grew by `px` on every side.
static inline struct df_box df_box_grown(struct df_box box, int32_t px)
{
    return (struct df_box){box.x - px, box.y - px, box.w + 2 * px, box.h + 2 * px};
}

static inline bool df_box_is_within(struct df_box box, int32_t place_px_max)
{
    uint32_t far = (uint32_t)place_px_max, large = DF_COORDINATE_PX_MAX;
    return (((uint32_t)box.x + far <= 2 * far) & ((uint32_t)box.y + far <= 2 * far) & ((uint32_t)box.w - 1 < large) &
            ((uint32_t)box.h - 1 < large)) != 0;
}

/// A box some pixels further along an axis.
static inline struct df_box df_box_moved(struct df_box box, enum df_axis axis, int32_t px)
{
    *(axis == DF_X ? &box.x : &box.y) += px;
    return box;
}

/// True if a box is within the limits of the library.
static inline bool df_box_is_valid(struct df_box box)
{
    return df_box_is_within(box, DF_COORDINATE_PX_MAX);
}

/// True if the solid is in the world and has a box to collide with.
static inline bool df_solid_is_present(const struct df_solid *solid)
{
    return (solid->flags & DF_SOLID_PRESENT) != 0;
}

static inline bool df_actor_is_alive(const struct df_actor *actor)
{
    return (actor->flags & DF_ACTOR_ALIVE) != 0;
}

#endif
