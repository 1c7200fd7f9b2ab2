// SPDX-License-Identifier: MIT
#include "solid.h"

#include <assert.h>
#include <string.h>

#include "ball_push.h"
#include "solid_move.h"
#include "sweep.h"

static_assert(sizeof(struct df_solid) == 7 * 4, "no padding");

// --- the move

// Only the members are left: they are written as they are counted. To clear all would cost more than a short move.
static void prepare(struct df_solid_move_run *move, struct df_space *space)
{
    move->space = space;
    move->broadphase = space->broadphase;
    move->count = 0;
    move->actors_are_near = move->balls_are_near = false;
}

static void look_in_cell(struct df_solid_move_run *move, int32_t first, const struct df_box *swept)
{
    struct df_broadphase *broadphase = move->broadphase;
    for (int32_t i = first; i >= 0; i = broadphase->in_cells.next[i])
        if (df_broadphase_overlaps(broadphase, *swept, df_body_actor_box(&move->space->actors[i]))) {
            df_bitset_add(&broadphase->near, i);
            move->actors_are_near = true;
        }
}

static inline void look_in_cells(struct df_solid_move_run *move, const int32_t *first, int32_t count,
                                 const struct df_box *swept)
{
    for (const int32_t *end = first + count; first < end; first++)
        if (*first >= 0)
            look_in_cell(move, *first, swept);
}

// Looks in a row of cells. They lie side by side in memory, but for those around the end of the world, and in a world
// that wraps and folds onto itself.
static void look_in_row(struct df_solid_move_run *move, const struct df_grid *grid, const int32_t *of_row,
                        struct df_cells cells, const struct df_box *swept)
{
    int32_t end = cells.column + cells.columns;
    if (end <= grid->columns && grid->columns <= grid->column_mask + 1) {
        look_in_cells(move, of_row + cells.column, cells.columns, swept);
        return;
    }
    for (int32_t column = cells.column; column < end; column++) {
        int32_t at = column < grid->columns ? column : column - grid->columns;
        look_in_cells(move, of_row + (at & grid->column_mask), 1, swept);
    }
}

static void look_in_grid(struct df_solid_move_run *move, int32_t index, const struct df_box *swept)
{
    const struct df_broadphase *broadphase = move->broadphase;
    const struct df_grid *grid = &broadphase->grids[index];
    struct df_cells cells = df_broadphase_actor_cells(broadphase, index, *swept);
    for (int32_t i = 0, row = cells.row; i < cells.rows; i++, row = row + 1 == grid->rows ? 0 : row + 1)
        look_in_row(move, grid, &broadphase->in_cells.first[df_broadphase_cell(grid, 0, row)], cells, swept);
}

// A member can push or carry only actors that its path touches, or that are attached to it.
static void look_around(struct df_solid_move_run *move, int32_t solid, struct df_box swept)
{
    struct df_broadphase *broadphase = move->broadphase;
    for (int32_t i = broadphase->on_solids.first[solid]; i >= 0; i = broadphase->on_solids.next[i]) {
        df_bitset_add(&broadphase->near, i);
        move->actors_are_near = true;
    }
    for (int32_t i = 0; i < broadphase->grid_count; i++)
        if (broadphase->grids[i].widest != 0)
            look_in_grid(move, i, &swept);
    if (move->space->ball_count > 0 && !move->balls_are_near)
        move->balls_are_near = df_ball_push_is_near(move->space, swept);
}

static struct df_box swept_by(const struct df_solid *solid, int32_t px_x, int32_t px_y)
{
    struct df_box swept = df_body_box_grown(df_body_solid_box(solid), 1);
    swept.x += px_x < 0 ? px_x : 0;
    swept.y += px_y < 0 ? px_y : 0;
    swept.w += px_x < 0 ? -px_x : px_x;
    swept.h += px_y < 0 ? -px_y : px_y;
    return swept;
}

// Every present solid that is asked to move is a member.
static void find_members(struct df_solid_move_run *move, int32_t x_px, int32_t y_px)
{
    struct df_broadphase *broadphase = move->broadphase;
    for (int32_t i = 0; i < move->asked->count; i++)
        if (df_body_is_present(&move->space->solids[move->asked->solids[i]]))
            df_bitset_add(&broadphase->moving, move->asked->solids[i]);
    for (int32_t i = df_bitset_next(&broadphase->moving, 0); i >= 0; i = df_bitset_next(&broadphase->moving, i + 1)) {
        move->members[move->count++] = i;
        look_around(move, i, swept_by(&move->space->solids[i], x_px, y_px));
    }
}

// Actors that were squished and still overlap get the flag; every actor that is free loses it.
static void flag_embedded(const struct df_solid_move_run *move)
{
    struct df_broadphase *broadphase = move->broadphase;
    for (int32_t i = df_bitset_next(&broadphase->squished, 0); i >= 0; i = df_bitset_next(&broadphase->squished, i + 1))
        df_bitset_add(&broadphase->embedded, i);
    for (int32_t i = df_bitset_next(&broadphase->embedded, 0); i >= 0;
         i = df_bitset_next(&broadphase->embedded, i + 1)) {
        struct df_actor *actor = &move->space->actors[i];
        if (df_body_is_alive(actor)) {
            bool overlaps = df_sweep_blocked_for(move->space, actor, df_body_actor_box(actor));
            actor->flags &= ~(uint32_t)DF_ACTOR_EMBEDDED;
            actor->flags |= overlaps ? (uint32_t)DF_ACTOR_EMBEDDED : 0;
        }
        df_broadphase_update_actor(move->space, i);
    }
}

// Moves the members, once it is known what is near.
static void move_members(const struct df_solid_move_run *move, int32_t x_px, int32_t y_px)
{
    struct df_broadphase *broadphase = move->broadphase;
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
    struct df_solid_move_run move;
    prepare(&move, space);
    move.asked = asked;
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
    move.carrier = df_group_carrier(asked->solids, asked->count);
    find_members(&move, x_px, y_px);
    move_members(&move, x_px, y_px);
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
static bool is_way(const struct df_space *space, struct df_box box, int32_t x_px, int32_t y_px)
{
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
        if (df_body_is_present(solid) && !is_way(space, df_body_solid_box(solid), x_px, y_px))
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

// Moves a solid that has whole pixels to go. Mostly nothing is near.
static void move_one(struct df_space *space, int32_t solid, const struct df_waiting_move *asked, int32_t x_px,
                     int32_t y_px)
{
    struct df_solid *body = &space->solids[solid];
    struct df_solid_move_run move;
    prepare(&move, space);
    look_around(&move, solid, swept_by(body, x_px, y_px));
    if (move.actors_are_near || move.balls_are_near || !df_bitset_is_empty(&space->broadphase->embedded)) {
        move.asked = asked;
        move.carrier = df_group_carrier(&solid, 1);
        move.members[move.count++] = solid;
        df_bitset_add(&space->broadphase->moving, solid);
        move_members(&move, x_px, y_px);
        return;
    }
    struct df_box before = df_body_solid_box(body);
    body->x = df_torus_canonical(body->x + x_px, space->broadphase->period_x);
    body->y = df_torus_canonical(body->y + y_px, space->broadphase->period_y);
    if (df_broadphase_may_change_cells(space->broadphase, before, df_body_solid_box(body)))
        df_broadphase_update_solid(space, solid);
}

enum df_result df_solid_move(struct df_space *space, int32_t solid, int32_t dx_sub, int32_t dy_sub)
{
    if (space->moving || solid < 0 || solid >= space->solid_count || !df_body_is_present(&space->solids[solid]))
        return df_group_move(space, &solid, 1, dx_sub, dy_sub);
    struct df_solid *body = &space->solids[solid];
    if (!is_amount(dx_sub) || !is_amount(dy_sub) || !is_remainder(body->rem_x) || !is_remainder(body->rem_y))
        return DF_OUT_OF_RANGE;
    int32_t x_px = df_body_whole_px(body->rem_x, dx_sub), y_px = df_body_whole_px(body->rem_y, dy_sub);
    if (!is_way(space, df_body_solid_box(body), x_px, y_px))
        return DF_OUT_OF_RANGE;
    body->rem_x += dx_sub - x_px * DF_SUB;
    body->rem_y += dy_sub - y_px * DF_SUB;
    if ((x_px | y_px) == 0)
        return DF_OK;
    struct df_waiting_move asked; // without the members that it does not have
    asked.solids[0] = solid;
    asked.count = 1;
    asked.dx_sub = dx_sub;
    asked.dy_sub = dy_sub;
    move_one(space, solid, &asked, x_px, y_px);
    if (space->waiting_count > 0)
        run_waiting(space);
    return DF_OK;
}

void df_solid_changed(struct df_space *space, int32_t solid)
{
    if (solid >= 0 && solid < space->solid_count)
        df_broadphase_update_solid(space, solid);
}
