// SPDX-License-Identifier: MIT
#include "broadphase_scan.h"

#include <string.h>

#include "physics/broadphase.h"

#define CELLS_A_SIDE 64

// Returns the column of a pixel, or its row.
static int32_t cell_along(int32_t at_px, int32_t period, int32_t count, int32_t shift)
{
    int32_t canonical = period > 0 ? at_px - df_floor_div(at_px, period) * period : at_px;
    int32_t cell = df_floor_div(canonical, 1 << shift);
    return cell - df_floor_div(cell, count) * count;
}

// Marks the columns, or rows, of all pixels of a solid and of DF_CELL_REACH_PX before it; all of them if that is nearly
// once around the world.
static void mark(bool *marks, int32_t at_px, int32_t length_px, int32_t period, int32_t count, int32_t shift)
{
    bool is_nearly_round = period > 0 && length_px + DF_CELL_REACH_PX > period - (1 << shift);
    memset(marks, is_nearly_round, CELLS_A_SIDE);
    for (int32_t px = at_px - DF_CELL_REACH_PX; px < at_px + length_px; px++) {
        marks[cell_along(px, period, count, shift)] = true;
    }
}

static bool solid_is_in_its_cells(const struct df_space *space, int32_t solid)
{
    const struct df_broadphase *broadphase = space->broadphase;
    const struct df_solid *body = &space->solids[solid];
    bool columns[CELLS_A_SIDE], rows[CELLS_A_SIDE], is_present = (body->flags & DF_SOLID_PRESENT) != 0;
    mark(columns, body->x, body->w, broadphase->period_x, broadphase->columns, broadphase->cell_shift);
    mark(rows, body->y, body->h, broadphase->period_y, broadphase->rows, broadphase->cell_shift);
    for (int32_t cell = 0; cell < broadphase->columns * broadphase->rows; cell++) {
        bool covers = is_present && columns[cell % broadphase->columns] && rows[cell / broadphase->columns];
        if (df_bitset_has(&broadphase->cells[cell * broadphase->solid_words], solid) != covers) {
            return false;
        }
    }
    return true;
}

// Returns the cell of an actor that takes part, else -1.
static int32_t cell_of(const struct df_space *space, const struct df_actor *actor)
{
    const struct df_broadphase *broadphase = space->broadphase;
    int32_t shift = broadphase->cell_shift;
    if ((actor->flags & DF_ACTOR_ALIVE) == 0) {
        return -1;
    }
    return cell_along(actor->y, broadphase->period_y, broadphase->rows, shift) * broadphase->columns +
           cell_along(actor->x, broadphase->period_x, broadphase->columns, shift);
}

static const char *fault_of_actors(const struct df_space *space)
{
    const struct df_broadphase *broadphase = space->broadphase;
    int32_t expected = 0, hanging = 0;
    for (int32_t i = 0; i < space->actor_count; i++) {
        const struct df_actor *actor = &space->actors[i];
        int32_t cell = cell_of(space, actor);
        bool is_embedded = cell >= 0 && (actor->flags & DF_ACTOR_EMBEDDED) != 0;
        expected += cell >= 0;
        if (broadphase->actor_cell[i] != cell) {
            return "an actor hangs in another cell";
        }
        if (df_bitset_has(broadphase->embedded, i) != is_embedded) {
            return "the set of embedded actors is wrong";
        }
        if (cell >= 0 && (actor->w > broadphase->widest || actor->h > broadphase->tallest)) {
            return "an actor is larger than the largest";
        }
    }
    for (int32_t cell = 0; cell < broadphase->columns * broadphase->rows; cell++) {
        int32_t before = -1;
        for (int32_t i = broadphase->actor_first[cell]; i >= 0; i = broadphase->actor_next[i]) {
            if (++hanging > expected || broadphase->actor_prev[i] != before || broadphase->actor_cell[i] != cell) {
                return "the actors of a cell do not hang together";
            }
            before = i;
        }
    }
    return hanging == expected ? NULL : "an actor hangs in no cell";
}

static bool is_empty(const uint64_t *set, int32_t words)
{
    return df_bitset_next(set, words, 0) < 0;
}

const char *broadphase_fault(const struct df_space *space)
{
    const struct df_broadphase *broadphase = space->broadphase;
    for (int32_t i = 0; i < space->solid_count; i++) {
        if (!solid_is_in_its_cells(space, i)) {
            return "a solid is not in the cells that it covers";
        }
    }
    if (!is_empty(broadphase->moving, broadphase->solid_words) ||
        !is_empty(broadphase->hidden, broadphase->solid_words)) {
        return "a solid still moves";
    }
    if (!is_empty(broadphase->near, broadphase->actor_words) ||
        !is_empty(broadphase->squished, broadphase->actor_words) ||
        !is_empty(broadphase->crushed, broadphase->ball_words)) {
        return "actors or balls of an old move are not forgotten";
    }
    return fault_of_actors(space);
}
