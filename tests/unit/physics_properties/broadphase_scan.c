// SPDX-License-Identifier: MIT
#include "broadphase_scan.h"

#include <string.h>

#include "physics/broadphase.h"

#define CELLS_A_SIDE 1024

// Returns the column of a pixel, or its row.
static int32_t cell_along(int32_t at_px, int32_t period, int32_t count, int32_t shift)
{
    int32_t canonical = period > 0 ? at_px - df_floor_div(at_px, period) * period : at_px;
    int32_t cell = df_floor_div(canonical, 1 << shift);
    return cell - df_floor_div(cell, count) * count;
}

// Marks the columns, or rows, of all pixels of a solid and of DF_CELL_REACH_PX before it; all of them if that is nearly
// once around the world. Returns how many they are.
static int32_t mark(bool *marks, int32_t at_px, int32_t length_px, int32_t period, int32_t count, int32_t shift)
{
    bool is_nearly_round = period > 0 && length_px + DF_CELL_REACH_PX > period - (1 << shift);
    memset(marks, is_nearly_round, CELLS_A_SIDE);
    for (int32_t px = at_px - DF_CELL_REACH_PX; px < at_px + length_px; px++)
        marks[cell_along(px, period, count, shift)] = true;
    int32_t marked = 0;
    for (int32_t i = 0; i < count; i++)
        marked += marks[i];
    return marked;
}

// Returns how often a solid hangs in a cell.
static int32_t times_in_cell(const struct df_broadphase *broadphase, int32_t cell, int32_t solid)
{
    int32_t times = 0;
    for (int32_t link = broadphase->solid_first[cell]; link >= 0; link = broadphase->solid_next[link])
        times += link / DF_SOLID_LINKS == solid;
    return times;
}

static bool solid_is_in_its_cells(const struct df_space *space, int32_t solid)
{
    const struct df_broadphase *broadphase = space->broadphase;
    const struct df_solid *body = &space->solids[solid];
    int32_t covered = 0, links = 0;
    bool columns[CELLS_A_SIDE], rows[CELLS_A_SIDE], fits = (body->flags & DF_SOLID_PRESENT) == 0;
    for (int32_t i = 0; i < broadphase->grid_count && !fits; i++) {
        const struct df_grid *grid = &broadphase->grids[i];
        covered = mark(columns, body->x, body->w, broadphase->period_x, grid->columns, grid->shift) *
                  mark(rows, body->y, body->h, broadphase->period_y, grid->rows, grid->shift);
        fits = covered <= DF_SOLID_LINKS;
        for (int32_t cell = 0; fits && cell < grid->columns * grid->rows; cell++) {
            int32_t column = cell % grid->columns, row = cell / grid->columns;
            if (columns[column] && rows[row] &&
                times_in_cell(broadphase, df_broadphase_cell(grid, column, row), solid) == 0)
                return false;
        }
    }
    for (int32_t cell = 0; cell < broadphase->cell_count; cell++)
        links += times_in_cell(broadphase, cell, solid);
    return links == covered;
}

// Returns the grid of an actor: the finest with cells that are not smaller than it.
static const struct df_grid *grid_of(const struct df_broadphase *broadphase, const struct df_actor *actor)
{
    for (int32_t i = 0; i < broadphase->grid_count - 1; i++)
        if (actor->w <= 1 << broadphase->grids[i].shift && actor->h <= 1 << broadphase->grids[i].shift)
            return &broadphase->grids[i];
    return &broadphase->grids[broadphase->grid_count - 1];
}

// Returns the cell of an actor that takes part, else -1.
static int32_t cell_of(const struct df_space *space, const struct df_actor *actor)
{
    const struct df_broadphase *broadphase = space->broadphase;
    if ((actor->flags & DF_ACTOR_ALIVE) == 0)
        return -1;
    const struct df_grid *grid = grid_of(broadphase, actor);
    return df_broadphase_cell(grid, cell_along(actor->x, broadphase->period_x, grid->columns, grid->shift),
                              cell_along(actor->y, broadphase->period_y, grid->rows, grid->shift));
}

// Returns the solid to which an actor is attached, else -1.
static int32_t attached_to(const struct df_space *space, const struct df_actor *actor)
{
    bool is_attached = actor->ride >= DF_RIDE_ATTACHED && actor->ride < DF_RIDE_ATTACHED + (uint32_t)space->solid_count;
    return is_attached ? (int32_t)(actor->ride - DF_RIDE_ATTACHED) : -1;
}

// Returns true if the chains link as many actors as they should, both ways.
static bool chains_hang_together(const struct df_chains *chains, int32_t count, int32_t expected)
{
    int32_t hanging = 0;
    for (int32_t chain = 0; chain < count; chain++) {
        int32_t before = -1;
        if ((chains->occupied[chain / 64] >> chain % 64 & 1) != (chains->first[chain] >= 0))
            return false;
        for (int32_t i = chains->first[chain]; i >= 0; i = chains->next[i]) {
            if (++hanging > expected || chains->prev[i] != before || chains->chain[i] != chain)
                return false;
            before = i;
        }
    }
    return hanging == expected;
}

static const char *fault_of_actors(const struct df_space *space)
{
    const struct df_broadphase *broadphase = space->broadphase;
    int32_t in_cells = 0, on_solids = 0;
    for (int32_t i = 0; i < space->actor_count; i++) {
        const struct df_actor *actor = &space->actors[i];
        int32_t cell = cell_of(space, actor);
        bool is_embedded = cell >= 0 && (actor->flags & DF_ACTOR_EMBEDDED) != 0;
        in_cells += cell >= 0;
        on_solids += cell >= 0 && attached_to(space, actor) >= 0;
        if (broadphase->in_cells.chain[i] != cell)
            return "an actor hangs in another cell";
        if (broadphase->on_solids.chain[i] != (cell >= 0 ? attached_to(space, actor) : -1))
            return "an actor is attached to another solid";
        if (df_bitset_has(&broadphase->embedded, i) != is_embedded)
            return "the set of embedded actors is wrong";
        const struct df_grid *grid = grid_of(broadphase, actor);
        if (cell >= 0 && (actor->w > grid->widest || actor->h > grid->tallest))
            return "an actor is larger than the largest";
    }
    return chains_hang_together(&broadphase->in_cells, broadphase->cell_count, in_cells) &&
                   chains_hang_together(&broadphase->on_solids, space->solid_count, on_solids)
               ? NULL
               : "the actors of a chain do not hang together";
}

const char *broadphase_fault(const struct df_space *space)
{
    const struct df_broadphase *broadphase = space->broadphase;
    for (int32_t i = 0; i < space->solid_count; i++)
        if (!solid_is_in_its_cells(space, i))
            return "a solid is not in the cells that it covers";
    if (!df_bitset_is_empty(&broadphase->moving) || broadphase->hides_moving)
        return "a solid still moves";
    if (!df_bitset_is_empty(&broadphase->near) || !df_bitset_is_empty(&broadphase->squished) ||
        !df_bitset_is_empty(&broadphase->crushed))
        return "actors or balls of an old move are not forgotten";
    return fault_of_actors(space);
}
