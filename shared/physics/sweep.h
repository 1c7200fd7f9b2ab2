// SPDX-License-Identifier: MIT
//
// Sweeps (private): how far a box can go along one axis, and what stops it, found at once instead of pixel by pixel.
// Everything that steps (actors, pushes, carries, probes) goes through df_sweep(); everything that asks whether a place
// is free goes through df_sweep_blocked().
//
// Both look through a window: the tiles and solids near a short path, found once for all sweeps along it. It opens for
// nearly every path there is: that of a box of usual size covers at most three rows of four tiles and meets few solids.
// All these tiles are bits of one word. Mostly none is set, and then nothing blocks. Everything else goes the general
// way (df_window_sweep_outside()): a larger box, a seam, many solids, a box that is stuck.
#ifndef DF_SWEEP_H
#define DF_SWEEP_H

#include <assert.h>

#include "broadphase.h"

/// The bits of one tile: 1 for solid and block, 2 for block and one-way. In a window, those of column c and row r stand
/// 8 * c + 2 * r bits further left. So of tiles in one column, or in one row, the first has the lowest bits.
#define DF_WINDOW_TILE UINT32_C(3)

/// The first of these bits, and the second, of all tiles of a window.
#define DF_WINDOW_HARD   UINT32_C(0x15151515)
#define DF_WINDOW_ONEWAY UINT32_C(0x2a2a2a2a)

static_assert((DF_TILE_SOLID & 3) == 1 && (DF_TILE_BLOCK & 3) == 3 && (DF_TILE_ONEWAY & 3) == 2 &&
                  (DF_TILE_HAZARD & 3) == 0 && (DF_TILE_EMPTY & 3) == 0,
              "the two bits tell the kinds apart");

/// Solids that a window holds at most.
#define DF_WINDOW_SOLIDS 6

/// What may block on a path. Only the list of solids is written by calls, so all else stays in registers.
struct df_window {
    struct df_box path;
    int32_t column, row; ///< of the first tile, where the path has its corner
    uint32_t tiles;      ///< the bits of the tiles on the path
    int32_t *solids;     ///< those that overlap the path, in no order; has room for DF_WINDOW_SOLIDS
    int32_t solid_count; ///< -1: they are too many
};

/// Loads the tiles of a window's path that may lead beyond the grid. Returns false if no window opens on it. Not
/// inlined: few do.
bool df_window_load(struct df_window *window, const struct df_space *space);

/// Returns the bits of the tiles of a window without the blocks that are broken. Not inlined: few windows have any.
uint32_t df_window_unbroken(const struct df_space *space, uint32_t tiles, int32_t column, int32_t row);

/// Adds the solids of a cell that overlap a path to those of a window, from a link on. Returns how many there are then,
/// or -1. Not inlined: most cells have none.
int32_t df_window_add_solids(int32_t *solids, int32_t solid_count, const struct df_space *space,
                             const struct df_box *path, int32_t link);

/// The same, of all cells of the larger grids. Not inlined: few worlds have solids there.
int32_t df_window_add_large_solids(int32_t *solids, int32_t solid_count, const struct df_space *space,
                                   const struct df_box *path);

/// All bits of the tiles from a column or row on, and up to one.
static const struct {
    uint32_t columns_from[DF_WINDOW_COLUMNS], columns_to[DF_WINDOW_COLUMNS], rows_from[DF_WINDOW_ROWS],
        rows_to[DF_WINDOW_ROWS];
} DF_WINDOW_MASKS = {
    {UINT32_C(0xffffffff), UINT32_C(0xffffff00), UINT32_C(0xffff0000), UINT32_C(0xff000000)},
    {UINT32_C(0x000000ff), UINT32_C(0x0000ffff), UINT32_C(0x00ffffff), UINT32_C(0xffffffff)},
    {UINT32_C(0xffffffff), UINT32_C(0xfcfcfcfc), UINT32_C(0xf0f0f0f0)},
    {UINT32_C(0x03030303), UINT32_C(0x0f0f0f0f), UINT32_C(0x3f3f3f3f)},
};

/// Returns all bits of the tiles from one column to another.
static inline uint32_t df_window_columns(uint32_t first, uint32_t last)
{
    return DF_WINDOW_MASKS.columns_from[first] & DF_WINDOW_MASKS.columns_to[last];
}

/// Returns all bits of the tiles from one row to another.
static inline uint32_t df_window_rows(uint32_t first, uint32_t last)
{
    return DF_WINDOW_MASKS.rows_from[first] & DF_WINDOW_MASKS.rows_to[last];
}

/// Returns the bits of four tiles side by side, as those of a window's first row.
static inline uint32_t df_window_row(const uint8_t *kinds)
{
    return ((uint32_t)kinds[0] | (uint32_t)kinds[1] << 8 | (uint32_t)kinds[2] << 16 | (uint32_t)kinds[3] << 24) &
           UINT32_C(0x03030303);
}

/// Returns the first link of a cell that may have a solid on the path, from a link on; -1 if none has.
static inline int32_t df_window_link(const struct df_space *space, struct df_box path, int32_t link)
{
    const struct df_broadphase *broadphase = space->broadphase;
    while (link >= 0 && broadphase->period_x == 0 &&
           !df_broadphase_overlaps_plainly(path, df_solid_box(&space->solids[df_broadphase_linked(link)])))
        link = broadphase->solid_next[link];
    return link;
}

/// Opens a window on a path, which covers a box and all places that it may come to. Returns false if the path needs the
/// general way. `solids` has room for DF_WINDOW_SOLIDS. Always inlined, because a call would write all of it to memory.
__attribute__((always_inline)) static inline bool df_window_open(struct df_window *window, int32_t *solids,
                                                                 const struct df_space *space, struct df_box path)
{
    const struct df_broadphase *broadphase = space->broadphase;
    if ((uint32_t)path.w > broadphase->window_w_max || (uint32_t)path.h > broadphase->window_h_max)
        return false;
    int32_t shift = broadphase->tile_shift;
    uint32_t column = (uint32_t)path.x >> shift, row = (uint32_t)path.y >> shift;
    size_t columns = (size_t)space->tiles.columns;
    uint64_t first = (uint64_t)row * columns + column;
    window->path = path;
    window->column = (int32_t)column;
    window->row = (int32_t)row;
    if ((uint32_t)path.x <= (uint32_t)broadphase->grid_w_px - (uint32_t)path.w && first < broadphase->loads) {
        const uint8_t *kinds = space->tiles.kinds + first;
        // Sums, because they take fewer instructions than shifts, and no bit meets another.
        uint32_t tiles =
            df_window_row(kinds) + 4 * (df_window_row(kinds + columns) + 4 * df_window_row(kinds + 2 * columns));
        window->tiles = tiles & df_window_columns(0, ((uint32_t)(path.x + path.w - 1) >> shift) - column) &
                        df_window_rows(0, ((uint32_t)(path.y + path.h - 1) >> shift) - row);
    } else {
        struct df_window loaded; // a copy in memory, without solids
        loaded.path = path;
        loaded.column = (int32_t)column;
        loaded.row = (int32_t)row;
        if (!df_window_load(&loaded, space))
            return false;
        window->column = loaded.column;
        window->row = loaded.row;
        window->tiles = loaded.tiles;
    }
    if (space->tiles.broken != NULL && (window->tiles & window->tiles >> 1 & DF_WINDOW_HARD) != 0)
        window->tiles = df_window_unbroken(space, window->tiles, window->column, window->row);
    window->solids = solids;
    window->solid_count = 0;
    int32_t link = df_window_link(space, path, broadphase->solid_first[df_broadphase_finest_cell(broadphase, path)]);
    if (link >= 0) {
        struct df_box seen = path; // a copy in memory
        window->solid_count = df_window_add_solids(solids, 0, space, &seen, link);
    }
    if (broadphase->solid_grids > 1) {
        struct df_box seen = path;
        window->solid_count = df_window_add_large_solids(solids, window->solid_count, space, &seen);
    }
    return window->solid_count >= 0;
}

/// Returns true if nothing on the path blocks.
static inline bool df_window_is_clear(const struct df_window *window)
{
    return window->tiles == 0 && window->solid_count == 0;
}

/// The first and last pixels of a box, from the corner of a window's first tile.
struct df_window_box {
    uint32_t left, top, right, bottom;
};

/// Returns where a box on the path is in a window.
static inline struct df_window_box df_window_box(const struct df_window *window, const struct df_space *space,
                                                 struct df_box box)
{
    // Without tiles, the first column and row left of 0 and above are kept modulo 2^32, as the differences are.
    uint32_t edge_px = 1u << space->broadphase->tile_shift;
    uint32_t left = (uint32_t)box.x - (uint32_t)window->column * edge_px;
    uint32_t top = (uint32_t)box.y - (uint32_t)window->row * edge_px;
    return (struct df_window_box){left, top, left + (uint32_t)box.w - 1, top + (uint32_t)box.h - 1};
}

/// Returns the tiles on the path that block a box where it is, or beside it.
static inline uint32_t df_window_beside(const struct df_window *window, const struct df_space *space,
                                        struct df_window_box box)
{
    int32_t shift = space->broadphase->tile_shift;
    uint32_t beside = window->tiles & DF_WINDOW_HARD & df_window_rows(0, box.bottom >> shift);
    return beside == 0 ? 0 : beside & df_window_rows(box.top >> shift, box.bottom >> shift); // mostly nothing is
}

/// Returns true if one of the tiles beside a box blocks it where it is.
static inline bool df_window_is_stuck(uint32_t beside, const struct df_space *space, struct df_window_box box)
{
    int32_t shift = space->broadphase->tile_shift;
    return beside != 0 && (beside & df_window_columns(box.left >> shift, box.right >> shift)) != 0;
}

/// Fills `hit` with the first of the marked tiles.
static inline void df_window_hit(const struct df_window *window, const struct df_space *space, uint32_t marked,
                                 struct df_hit *hit)
{
    int32_t bit = __builtin_ctz(marked), column = window->column + bit / 8, row = window->row + bit % 8 / 2;
    bool inside = (uint32_t)column < (uint32_t)space->tiles.columns && (uint32_t)row < (uint32_t)space->tiles.rows;
    hit->kind = inside ? DF_HIT_TILE : DF_HIT_OUTSIDE;
    hit->index = -1;
    hit->column = column;
    hit->row = row;
}

/// Returns how many of `free_px` pixels a box can go before a tile blocks it, and fills `hit` if it is not all. With
/// `oneway`, one-way tiles block.
static inline int32_t df_window_sweep_tiles(const struct df_window *window, const struct df_space *space,
                                            struct df_window_box box, enum df_axis axis, int32_t direction,
                                            int32_t free_px, bool oneway, struct df_hit *hit)
{
    int32_t shift = space->broadphase->tile_shift;
    uint32_t edge = axis == DF_X ? (direction > 0 ? box.right : box.left) : direction > 0 ? box.bottom : box.top;
    uint32_t at = edge >> shift, last = (edge + (uint32_t)(direction * free_px)) >> shift;
    uint32_t blocking = window->tiles & (oneway ? DF_WINDOW_HARD | DF_WINDOW_ONEWAY : DF_WINDOW_HARD) &
                        (axis == DF_X ? df_window_rows(box.top >> shift, box.bottom >> shift)
                                      : df_window_columns(box.left >> shift, box.right >> shift));
    while (at != last) {
        at += (uint32_t)direction;
        uint32_t line = blocking & (axis == DF_X ? df_window_columns(at, at) : df_window_rows(at, at));
        if (line != 0) {
            df_window_hit(window, space, line, hit);
            return (int32_t)(direction > 0 ? (at << shift) - edge - 1 : edge - ((at + 1) << shift));
        }
    }
    return free_px;
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

/// Does a sweep as df_sweep(), for an actor that an open window shows in this box and no tile blocks there. Nothing
/// near has changed since the window was opened.
static inline int32_t df_window_sweep(const struct df_window *window, const struct df_space *space,
                                      const struct df_actor *actor, struct df_window_box box, enum df_axis axis,
                                      int32_t direction, int32_t px, struct df_hit *hit)
{
    int32_t free_px = px;
    for (int32_t i = 0; i < window->solid_count && free_px >= 0; i++)
        free_px = df_window_meet(space, actor, window->solids[i], axis, direction, free_px, hit);
    if (free_px < 0)
        return df_window_sweep_outside(space, actor, axis, direction, px, hit);
    free_px = df_window_sweep_tiles(window, space, box, axis, direction, free_px,
                                    df_window_oneways_block(actor, axis, direction), hit);
    if (free_px == px)
        return px;
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
