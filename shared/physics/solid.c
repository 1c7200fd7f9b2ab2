// SPDX-License-Identifier: MIT
#include <assert.h>
#include <string.h>

#include "travel.h"

static_assert(sizeof(struct df_solid) == 7 * 4, "no padding");

static void clear(uint64_t *set, int32_t words)
{
    memset(set, 0, (size_t)words * sizeof *set);
}

void df_moving_show(struct df_space *space)
{
    struct df_index *index = space->index;
    for (int32_t i = df_set_next(index->moving, index->solid_words, 0); i >= 0;
         i = df_set_next(index->moving, index->solid_words, i + 1))
        df_index_solid(space, i);
    clear(index->hidden, index->solid_words);
}

void df_moving_hide(struct df_space *space)
{
    memcpy(space->index->hidden, space->index->moving, (size_t)space->index->solid_words * sizeof(uint64_t));
}

// --- the move

static void look_in_cell(struct df_move *move, int32_t cell, const struct df_box *swept)
{
    struct df_index *index = move->index;
    for (int32_t i = index->actor_first[cell]; i >= 0; i = index->actor_next[i])
        if (df_index_overlaps(index, *swept, df_actor_box(&move->space->actors[i]))) {
            df_set_add(index->near, i);
            move->actors_are_near = true;
        }
}

// Only actors that the way of a member touches can be pushed or carried by it.
static void look_around(struct df_move *move, struct df_box swept)
{
    struct df_index *index = move->index;
    struct df_box reach = {swept.x - index->widest, swept.y - index->tallest, swept.w + index->widest,
                           swept.h + index->tallest};
    struct df_cells cells = df_index_cells(index, reach);
    for (int32_t i = 0, row = cells.row; i < cells.rows; i++, row = row + 1 == index->rows ? 0 : row + 1)
        for (int32_t j = 0, column = cells.column; j < cells.columns;
             j++, column = column + 1 == index->columns ? 0 : column + 1)
            if (index->actor_first[row * index->columns + column] >= 0)
                look_in_cell(move, row * index->columns + column, &swept);
    if (move->space->ball_count > 0 && !move->balls_are_near)
        move->balls_are_near = df_balls_are_near(move->space, swept);
}

static struct df_box swept_by(const struct df_solid *solid, int32_t px_x, int32_t px_y)
{
    struct df_box swept = df_box_grown(df_solid_box(solid), 1);
    swept.x += px_x < 0 ? px_x : 0;
    swept.y += px_y < 0 ? px_y : 0;
    swept.w += px_x < 0 ? -px_x : px_x;
    swept.h += px_y < 0 ? -px_y : px_y;
    return swept;
}

static void begin(struct df_move *move, int32_t px_x, int32_t px_y)
{
    struct df_index *index = move->index;
    for (int32_t i = 0; i < move->asked->count; i++)
        if (df_solid_is_present(&move->space->solids[move->asked->solids[i]]))
            df_set_add(index->moving, move->asked->solids[i]);
    for (int32_t i = df_set_next(index->moving, index->solid_words, 0); i >= 0;
         i = df_set_next(index->moving, index->solid_words, i + 1)) {
        move->members[move->count++] = i;
        look_around(move, swept_by(&move->space->solids[i], px_x, px_y));
    }
    df_moving_hide(move->space);
    move->space->moving = true;
}

// The squished that still overlap get the flag, everyone who is free loses it.
static void flag_embedded(const struct df_move *move)
{
    struct df_index *index = move->index;
    for (int32_t i = 0; i < index->actor_words; i++)
        index->embedded[i] |= index->squished[i];
    for (int32_t i = df_set_next(index->embedded, index->actor_words, 0); i >= 0;
         i = df_set_next(index->embedded, index->actor_words, i + 1)) {
        uint32_t *flags = &move->space->actors[i].flags;
        if (df_actor_is_embedded(move->space, i))
            *flags |= DF_ACTOR_EMBEDDED;
        else if ((*flags & DF_ACTOR_ALIVE) != 0)
            *flags &= ~(uint32_t)DF_ACTOR_EMBEDDED;
        df_index_actor(move->space, i);
    }
}

static void end(const struct df_move *move)
{
    struct df_index *index = move->index;
    df_moving_show(move->space);
    flag_embedded(move);
    clear(index->moving, index->solid_words);
    if (move->actors_are_near || move->balls_are_near) {
        clear(index->near, index->actor_words);
        clear(index->squished, index->actor_words);
        clear(index->crushed, index->ball_words);
    }
    move->space->moving = false;
}

static void run(struct df_space *space, const struct df_waiting_move *asked)
{
    struct df_move move; // its members are written as they are counted: clearing all would cost more than a short move
    move.space = space;
    move.index = space->index;
    move.asked = asked;
    move.count = 0;
    move.actors_are_near = move.balls_are_near = false;
    const struct df_solid *first = &space->solids[asked->solids[0]];
    int32_t x_sub = first->rem_x + asked->dx_sub, y_sub = first->rem_y + asked->dy_sub;
    int32_t x_px = df_round_px(x_sub), y_px = df_round_px(y_sub);
    for (int32_t i = 0; i < asked->count; i++) {
        struct df_solid *solid = &space->solids[asked->solids[i]];
        solid->rem_x = df_solid_is_present(solid) ? x_sub - x_px * DF_SUB : solid->rem_x;
        solid->rem_y = df_solid_is_present(solid) ? y_sub - y_px * DF_SUB : solid->rem_y;
    }
    if (x_px == 0 && y_px == 0)
        return;
    begin(&move, x_px, y_px);
    df_travel(&move, DF_X, x_px);
    df_travel(&move, DF_Y, y_px);
    end(&move);
}

// --- asked for

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
    if (count < 1 || count > DF_GROUP_CAPACITY)
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

// Every member starts and ends within the coordinates.
static bool is_way(const struct df_space *space, const struct df_waiting_move *asked)
{
    const struct df_solid *first = &space->solids[asked->solids[0]];
    if (!is_remainder(first->rem_x) || !is_remainder(first->rem_y))
        return false;
    int32_t x_px = df_round_px(first->rem_x + asked->dx_sub), y_px = df_round_px(first->rem_y + asked->dy_sub);
    for (int32_t i = 0; i < asked->count; i++) {
        const struct df_solid *solid = &space->solids[asked->solids[i]];
        struct df_box box = df_solid_box(solid), there = box;
        if (!df_solid_is_present(solid))
            continue;
        if (!df_box_is_valid(box))
            return false;
        there.x = df_canonical(box.x + x_px, space->index->period_x);
        there.y = df_canonical(box.y + y_px, space->index->period_y);
        if (!df_box_is_valid(there))
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
        if (is_way(space, &next))
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
    if (!is_way(space, &asked))
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

static bool is_anyone_embedded(const struct df_index *index)
{
    uint64_t any = 0;
    for (int32_t i = 0; i < index->actor_words; i++)
        any |= index->embedded[i];
    return any != 0;
}

// Most moves of most solids: one solid, and nobody near. False, and nothing is changed, if this is not one of them.
static bool move_alone(struct df_space *space, int32_t solid, int32_t dx_sub, int32_t dy_sub)
{
    if (space->moving || solid < 0 || solid >= space->solid_count || !is_amount(dx_sub) || !is_amount(dy_sub))
        return false;
    struct df_solid *body = &space->solids[solid];
    struct df_box box = df_solid_box(body), there = box;
    if (!df_solid_is_present(body) || !is_remainder(body->rem_x) || !is_remainder(body->rem_y) || !df_box_is_valid(box))
        return false;
    int32_t x_sub = body->rem_x + dx_sub, y_sub = body->rem_y + dy_sub;
    int32_t x_px = df_round_px(x_sub), y_px = df_round_px(y_sub);
    if ((x_px | y_px) != 0) {
        there.x = df_canonical(box.x + x_px, space->index->period_x);
        there.y = df_canonical(box.y + y_px, space->index->period_y);
        struct df_move move;
        move.space = space;
        move.index = space->index;
        move.actors_are_near = move.balls_are_near = false;
        if (!df_box_is_valid(there) || is_anyone_embedded(space->index))
            return false;
        look_around(&move, swept_by(body, x_px, y_px));
        if (move.actors_are_near || move.balls_are_near)
            return false; // whoever is near is found again
        body->x = there.x;
        body->y = there.y;
        df_index_solid(space, solid);
    }
    body->rem_x = x_sub - x_px * DF_SUB;
    body->rem_y = y_sub - y_px * DF_SUB;
    return true;
}

enum df_result df_solid_move(struct df_space *space, int32_t solid, int32_t dx_sub, int32_t dy_sub)
{
    if (move_alone(space, solid, dx_sub, dy_sub))
        return DF_OK;
    return df_group_move(space, &solid, 1, dx_sub, dy_sub);
}

void df_solid_changed(struct df_space *space, int32_t solid)
{
    if (solid >= 0 && solid < space->solid_count)
        df_index_solid(space, solid);
}
