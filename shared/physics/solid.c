// SPDX-License-Identifier: MIT
#include "solid.h"

#include <assert.h>
#include <string.h>

#include "ball_push.h"
#include "solid_move.h"
#include "sweep.h"

static_assert(sizeof(struct df_solid) == 7 * 4, "no padding");

// --- what is near: the actors that a solid may push or carry, and whether balls are. Mostly nothing is. That is known
// after a look at one bit for each cell around the solid, without looking at any actor.

// What a move may meet, as bits.
enum near {
    NEAR_NOTHING = 0,
    NEAR_ACTORS = 1 << 0,
    NEAR_BALLS = 1 << 1,
};

// Cells of the finest grid with actors that a path may touch, if each row of them has its bits in one word.
// Nearly always they are.
struct near_rows {
    uint32_t column, row, last_row; ///< those of the first cell, in memory and in the world, and the last row
    uint64_t bits;                  ///< of the cells of a row, from the first on
};

// Returns false around the end of the world, or of its memory: then the cells are not in such rows.
static inline bool find_near_rows(struct near_rows *rows, const struct df_broadphase *broadphase,
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

// Returns where the first cell of a row is in memory, and in `occupied` which ones have actors, from that on.
static inline uint32_t near_row(const struct near_rows *rows, const struct df_broadphase *broadphase, uint32_t row,
                                uint64_t *occupied)
{
    const struct df_grid *grid = broadphase->grids;
    uint32_t cell = ((row & (uint32_t)grid->row_mask) << grid->row_shift) + rows->column;
    *occupied = broadphase->in_cells.occupied[cell / 64] >> cell % 64 & rows->bits;
    return cell;
}

// Adds the actors of a cell that a path touches, from the first on, to those near.
static inline uint32_t look_in_cell(struct df_space *space, const struct df_box *swept, int32_t first)
{
    struct df_broadphase *broadphase = space->broadphase;
    uint32_t near = NEAR_NOTHING;
    for (int32_t i = first; i >= 0; i = broadphase->in_cells.next[i])
        if (df_broadphase_overlaps(broadphase, *swept, df_actor_box(&space->actors[i]))) {
            df_bitset_add(&broadphase->near, i);
            near = NEAR_ACTORS;
        }
    return near;
}

// Looks in all cells of a grid with actors that a path may touch.
static uint32_t look_in_grid(struct df_space *space, int32_t grid, const struct df_box *swept)
{
    const struct df_broadphase *broadphase = space->broadphase;
    struct df_cells cells = df_broadphase_actor_cells(broadphase, grid, *swept);
    uint32_t near = NEAR_NOTHING;
    for (int32_t i = 0; i < cells.columns * cells.rows; i++) {
        int32_t actor = broadphase->in_cells.first[df_broadphase_nth_cell(broadphase, cells, i)];
        if (actor >= 0)
            near |= look_in_cell(space, swept, actor);
    }
    return near;
}

// Looks in the same cells of the finest grid, but only in those that have actors.
static uint32_t look_in_rows(struct df_space *space, const struct near_rows *rows, const struct df_box *swept)
{
    const struct df_broadphase *broadphase = space->broadphase;
    uint32_t near = NEAR_NOTHING;
    for (uint32_t row = rows->row; row <= rows->last_row; row++) {
        uint64_t occupied;
        uint32_t cell = near_row(rows, broadphase, row, &occupied);
        for (; occupied != 0; occupied &= occupied - 1) {
            int32_t first = broadphase->in_cells.first[cell + (uint32_t)__builtin_ctzll(occupied)];
            near |= look_in_cell(space, swept, first);
        }
    }
    return near;
}

// Adds the actors that a solid may push or carry to those near: its path touches them, or they are attached to it.
// Returns an enum near. `swept` is the path, and a pixel around it.
static uint32_t find_near(struct df_space *space, int32_t solid, const struct df_box *swept)
{
    struct df_broadphase *broadphase = space->broadphase;
    uint32_t near = NEAR_NOTHING, grids = broadphase->actor_grids;
    for (int32_t i = broadphase->on_solids.first[solid]; i >= 0; i = broadphase->on_solids.next[i]) {
        df_bitset_add(&broadphase->near, i);
        near = NEAR_ACTORS;
    }
    struct near_rows rows;
    if (find_near_rows(&rows, broadphase, swept)) {
        near |= look_in_rows(space, &rows, swept);
        grids &= ~1u; // the finest is done
    }
    for (; grids != 0; grids &= grids - 1)
        near |= look_in_grid(space, __builtin_ctz(grids), swept);
    if (space->ball_count > 0 && df_ball_push_is_near(space, *swept))
        near |= NEAR_BALLS;
    return near;
}

// Returns true if find_near() would find nothing, and no actor is embedded, which may be free after the move.
// Returns false also where that is not so soon known.
static inline bool is_nothing_near(const struct df_space *space, int32_t solid, const struct df_box *swept)
{
    const struct df_broadphase *broadphase = space->broadphase;
    struct near_rows rows;
    if (broadphase->on_solids.first[solid] >= 0 || space->ball_count > 0 ||
        !df_bitset_is_empty(&broadphase->embedded) || broadphase->actor_grids > 1 ||
        !find_near_rows(&rows, broadphase, swept))
        return false;
    uint64_t any = 0, occupied;
    do {
        near_row(&rows, broadphase, rows.row, &occupied);
        any |= occupied;
    } while (rows.row++ != rows.last_row);
    return any == 0;
}

// --- the move

static struct df_box swept_by(const struct df_solid *solid, int32_t px_x, int32_t px_y)
{
    struct df_box swept = df_body_box_grown(df_solid_box(solid), 1);
    swept.x += px_x < 0 ? px_x : 0;
    swept.y += px_y < 0 ? px_y : 0;
    swept.w += px_x < 0 ? -px_x : px_x;
    swept.h += px_y < 0 ? -px_y : px_y;
    return swept;
}

// Only the members are left: they are written as they are counted. To clear all would cost more than a short move.
static void prepare(struct df_solid_move_run *move, struct df_space *space, const struct df_waiting_move *asked)
{
    move->space = space;
    move->broadphase = space->broadphase;
    move->asked = asked;
    move->carrier = df_group_carrier(asked->solids, asked->count);
    move->count = 0;
}

// Every present solid that is asked to move is a member. Returns what is near.
static uint32_t find_members(struct df_solid_move_run *move, int32_t x_px, int32_t y_px)
{
    struct df_broadphase *broadphase = move->broadphase;
    uint32_t near = NEAR_NOTHING;
    for (int32_t i = 0; i < move->asked->count; i++)
        if (df_body_is_present(&move->space->solids[move->asked->solids[i]]))
            df_bitset_add(&broadphase->moving, move->asked->solids[i]);
    for (int32_t i = df_bitset_next(&broadphase->moving, 0); i >= 0; i = df_bitset_next(&broadphase->moving, i + 1)) {
        move->members[move->count++] = i;
        struct df_box swept = swept_by(&move->space->solids[i], x_px, y_px);
        near |= find_near(move->space, i, &swept);
    }
    return near;
}

// Actors that were squished and still overlap get the flag; every actor that is free loses it.
static void flag_embedded(const struct df_solid_move_run *move)
{
    struct df_broadphase *broadphase = move->broadphase;
    if (df_bitset_is_empty(&broadphase->squished) && df_bitset_is_empty(&broadphase->embedded))
        return;
    for (int32_t i = df_bitset_next(&broadphase->squished, 0); i >= 0; i = df_bitset_next(&broadphase->squished, i + 1))
        df_bitset_add(&broadphase->embedded, i);
    for (int32_t i = df_bitset_next(&broadphase->embedded, 0); i >= 0;
         i = df_bitset_next(&broadphase->embedded, i + 1)) {
        struct df_actor *actor = &move->space->actors[i];
        if (df_body_is_alive(actor)) {
            bool overlaps = df_sweep_blocked_for(move->space, actor, df_actor_box(actor));
            actor->flags &= ~(uint32_t)DF_ACTOR_EMBEDDED;
            actor->flags |= overlaps ? (uint32_t)DF_ACTOR_EMBEDDED : 0;
        }
        df_broadphase_update_actor(move->space, i);
    }
}

// Moves the members, once it is known what is near.
static void move_members(struct df_solid_move_run *move, uint32_t near, int32_t x_px, int32_t y_px)
{
    struct df_broadphase *broadphase = move->broadphase;
    move->actors_are_near = (near & NEAR_ACTORS) != 0;
    move->balls_are_near = (near & NEAR_BALLS) != 0;
    df_broadphase_hide_moving(move->space);
    move->space->moving = true;
    df_solid_move_along(move, DF_X, x_px);
    df_solid_move_along(move, DF_Y, y_px);
    df_broadphase_show_moving(move->space);
    move->space->moving = false;
    flag_embedded(move);
    df_bitset_clear(&broadphase->moving);
    df_bitset_clear(&broadphase->near);
    df_bitset_clear(&broadphase->squished);
    df_bitset_clear(&broadphase->crushed);
}

// Spreads the bits of an index, so that sums of different sets differ (the finalizer of MurmurHash3).
static uint32_t spread(uint32_t bits)
{
    bits = (bits ^ bits >> 16) * UINT32_C(0x85EBCA6B);
    bits = (bits ^ bits >> 13) * UINT32_C(0xC2B2AE35);
    return bits ^ bits >> 16;
}

uint32_t df_group_carrier(const int32_t *solids, int32_t count)
{
    if (count == 1)
        return (uint32_t)solids[0] + 1;
    uint32_t sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += spread((uint32_t)solids[i] + 1);
    return sum | UINT32_C(1) << 31;
}

static void run(struct df_space *space, const struct df_waiting_move *asked)
{
    const struct df_solid *first = &space->solids[asked->solids[0]];
    int32_t x_sub = first->rem_x + asked->dx_sub, y_sub = first->rem_y + asked->dy_sub;
    int32_t x_px = df_body_whole_px(first->rem_x, asked->dx_sub), y_px = df_body_whole_px(first->rem_y, asked->dy_sub);
    for (int32_t i = 0; i < asked->count; i++) {
        struct df_solid *solid = &space->solids[asked->solids[i]];
        solid->rem_x = df_body_is_present(solid) ? x_sub - x_px * DF_SUB : solid->rem_x;
        solid->rem_y = df_body_is_present(solid) ? y_sub - y_px * DF_SUB : solid->rem_y;
    }
    if (x_px == 0 && y_px == 0)
        return;
    struct df_solid_move_run move;
    prepare(&move, space, asked);
    move_members(&move, find_members(&move, x_px, y_px), x_px, y_px);
}

// --- requests

static bool is_remainder(int32_t rem_sub)
{
    return rem_sub >= -DF_SUB / 2 && rem_sub <= DF_SUB / 2;
}

static bool is_amount(int32_t amount_sub)
{
    return amount_sub >= -DF_AMOUNT_SUB_MAX && amount_sub <= DF_AMOUNT_SUB_MAX;
}

static bool is_group(const struct df_space *space, const int32_t *solids, int32_t count)
{
    if (solids == NULL || count < 1 || count > DF_GROUP_CAPACITY)
        return false;
    for (int32_t i = 0; i < count; i++) {
        if (solids[i] < 0 || solids[i] >= space->solid_count)
            return false;
        for (int32_t j = 0; j < i; j++)
            if (solids[j] == solids[i])
                return false;
    }
    return true;
}

// Returns true if a box starts and ends within the coordinates.
static inline bool is_way(const struct df_space *space, struct df_box box, int32_t x_px, int32_t y_px)
{
    static_assert((DF_COORDINATE_PX_MAX & (DF_COORDINATE_PX_MAX - 1)) == 0,
                  "limits of numbers are limits of their bits");
    uint32_t far = DF_COORDINATE_PX_MAX, x = (uint32_t)box.x + far, y = (uint32_t)box.y + far;
    if ((x | y | (x + (uint32_t)x_px) | (y + (uint32_t)y_px)) < 2 * far &&
        (uint32_t)box.w - 1 < space->broadphase->width_px_max && (uint32_t)box.h - 1 < space->broadphase->height_px_max)
        return true; // so are all but those at the very end
    return df_broadphase_accepts(space->broadphase, box) && df_body_stays(box.x, x_px, space->broadphase->period_x) &&
           df_body_stays(box.y, y_px, space->broadphase->period_y);
}

static bool is_path(const struct df_space *space, const struct df_waiting_move *asked)
{
    const struct df_solid *first = &space->solids[asked->solids[0]];
    if (!is_remainder(first->rem_x) || !is_remainder(first->rem_y))
        return false;
    int32_t x_px = df_body_whole_px(first->rem_x, asked->dx_sub), y_px = df_body_whole_px(first->rem_y, asked->dy_sub);
    for (int32_t i = 0; i < asked->count; i++) {
        const struct df_solid *solid = &space->solids[asked->solids[i]];
        if (df_body_is_present(solid) && !is_way(space, df_solid_box(solid), x_px, y_px))
            return false;
    }
    return true;
}

static void run_waiting(struct df_space *space)
{
    while (space->waiting_count > 0) {
        struct df_waiting_move next = space->waiting[0];
        space->waiting_count--;
        memmove(space->waiting, space->waiting + 1, (size_t)space->waiting_count * sizeof next);
        if (is_path(space, &next))
            run(space, &next);
    }
}

enum df_result df_group_move(struct df_space *space, const int32_t *solids, int32_t count, int32_t dx_sub,
                             int32_t dy_sub)
{
    if (!is_group(space, solids, count) || !is_amount(dx_sub) || !is_amount(dy_sub))
        return DF_OUT_OF_RANGE;
    struct df_waiting_move asked;
    memcpy(asked.solids, solids, (size_t)count * sizeof *solids);
    asked.count = count;
    asked.dx_sub = dx_sub;
    asked.dy_sub = dy_sub;
    if (!is_path(space, &asked))
        return DF_OUT_OF_RANGE;
    if (space->moving && space->waiting_count == DF_QUEUE_CAPACITY)
        return DF_QUEUE_FULL;
    if (space->moving) {
        space->waiting[space->waiting_count++] = asked;
        return DF_QUEUED;
    }
    run(space, &asked);
    run_waiting(space);
    return DF_OK;
}

// Moves a solid that meets nothing.
static inline void shift_alone(struct df_space *space, int32_t solid, int32_t x_px, int32_t y_px)
{
    struct df_solid *body = &space->solids[solid];
    struct df_box before = df_solid_box(body);
    body->x = df_torus_canonical(body->x + x_px, space->broadphase->period_x);
    body->y = df_torus_canonical(body->y + y_px, space->broadphase->period_y);
    if (df_broadphase_may_change_cells(space->broadphase, before, df_solid_box(body)))
        df_broadphase_update_solid(space, solid);
}

// Moves a solid among what is near, if anything is. Not inlined: mostly nothing is.
__attribute__((noinline)) static void move_one(struct df_space *space, const struct df_waiting_move *asked,
                                               const struct df_box *swept, int32_t x_px, int32_t y_px)
{
    int32_t solid = asked->solids[0];
    uint32_t near = find_near(space, solid, swept);
    if (near == NEAR_NOTHING && df_bitset_is_empty(&space->broadphase->embedded)) {
        shift_alone(space, solid, x_px, y_px);
        return;
    }
    struct df_solid_move_run move;
    prepare(&move, space, asked);
    move.members[move.count++] = solid;
    df_bitset_add(&space->broadphase->moving, solid);
    move_members(&move, near, x_px, y_px);
    run_waiting(space);
}

// Not inlined: only moves that wait or are refused come here.
__attribute__((noinline)) static enum df_result move_as_group(struct df_space *space, int32_t solid, int32_t dx_sub,
                                                              int32_t dy_sub)
{
    return df_group_move(space, &solid, 1, dx_sub, dy_sub);
}

enum df_result df_solid_move(struct df_space *space, int32_t solid, int32_t dx_sub, int32_t dy_sub)
{
    if (space->moving || (uint32_t)solid >= (uint32_t)space->solid_count)
        return move_as_group(space, solid, dx_sub, dy_sub);
    struct df_solid *body = &space->solids[solid];
    if (!df_body_is_present(body) || !is_amount(dx_sub) || !is_amount(dy_sub) || !is_remainder(body->rem_x) ||
        !is_remainder(body->rem_y))
        return move_as_group(space, solid, dx_sub, dy_sub);
    int32_t x_px = df_body_whole_px(body->rem_x, dx_sub), y_px = df_body_whole_px(body->rem_y, dy_sub);
    if (!is_way(space, df_solid_box(body), x_px, y_px))
        return move_as_group(space, solid, dx_sub, dy_sub);
    body->rem_x += dx_sub - x_px * DF_SUB;
    body->rem_y += dy_sub - y_px * DF_SUB;
    if ((x_px | y_px) == 0)
        return DF_OK;
    struct df_box swept = swept_by(body, x_px, y_px);
    if (is_nothing_near(space, solid, &swept)) {
        shift_alone(space, solid, x_px, y_px);
        return DF_OK;
    }
    struct df_waiting_move asked; // without the members that it does not have
    asked.solids[0] = solid;
    asked.count = 1;
    asked.dx_sub = dx_sub;
    asked.dy_sub = dy_sub;
    move_one(space, &asked, &swept, x_px, y_px);
    return DF_OK;
}

void df_solid_changed(struct df_space *space, int32_t solid)
{
    if (solid >= 0 && solid < space->solid_count)
        df_broadphase_update_solid(space, solid);
}

void df_solid_exact(const struct df_space *space, int32_t solid, int32_t *x_sub, int32_t *y_sub)
{
    *x_sub = *y_sub = 0;
    if (solid < 0 || solid >= space->solid_count)
        return;
    const struct df_solid *body = &space->solids[solid];
    df_body_read_exact(df_solid_box(body), body->rem_x, body->rem_y, x_sub, y_sub);
}

enum df_result df_solid_clear_rem(struct df_space *space, int32_t solid)
{
    if (solid < 0 || solid >= space->solid_count)
        return DF_OUT_OF_RANGE;
    space->solids[solid].rem_x = space->solids[solid].rem_y = 0;
    return DF_OK;
}
