// SPDX-License-Identifier: MIT
#include "grid.h"

#include <stdlib.h>
#include <string.h>

#define CELL_PX      64
#define COLUMNS      40 ///< of a world of 2048 px, with a margin
#define ROWS         24
#define ACTOR_PX_MAX 16

// The bodies of one sort in each cell: solids in all cells that they cover, actors in that of their corner.
struct cell {
    int16_t count;
    int16_t bodies[GRID_BODIES];
};

static struct cell solid_cells[ROWS][COLUMNS], actor_cells[ROWS][COLUMNS];

struct span {
    int32_t left, top, right, bottom;
};

static int32_t cell_at(int32_t px, int32_t count)
{
    int32_t cell = px < 0 ? 0 : px / CELL_PX;
    return cell < count ? cell : count - 1;
}

static struct span span_of(struct df_box box)
{
    return (struct span){cell_at(box.x, COLUMNS), cell_at(box.y, ROWS), cell_at(box.x + box.w - 1, COLUMNS),
                         cell_at(box.y + box.h - 1, ROWS)};
}

static void add(struct cell cells[ROWS][COLUMNS], struct span span, int32_t body)
{
    for (int32_t row = span.top; row <= span.bottom; row++)
        for (int32_t column = span.left; column <= span.right; column++)
            cells[row][column].bodies[cells[row][column].count++] = (int16_t)body;
}

static void take(struct cell cells[ROWS][COLUMNS], struct span span, int32_t body)
{
    for (int32_t row = span.top; row <= span.bottom; row++)
        for (int32_t column = span.left; column <= span.right; column++) {
            int16_t *bodies = cells[row][column].bodies, last = --cells[row][column].count;
            int32_t i = 0;
            while (bodies[i] != body)
                i++;
            bodies[i] = bodies[last];
        }
}

static void change(struct cell cells[ROWS][COLUMNS], struct span before, struct span after, int32_t body)
{
    if (memcmp(&before, &after, sizeof before) == 0)
        return;
    take(cells, before, body);
    add(cells, after, body);
}

static struct span corner_of(const struct df_actor *actor)
{
    return span_of((struct df_box){actor->x, actor->y, 1, 1});
}

void grid_begin(const struct df_space *space)
{
    memset(solid_cells, 0, sizeof solid_cells);
    memset(actor_cells, 0, sizeof actor_cells);
    for (int32_t i = 0; i < space->solid_count; i++)
        add(solid_cells, span_of(df_solid_box(&space->solids[i])), i);
    for (int32_t i = 0; i < space->actor_count; i++)
        add(actor_cells, corner_of(&space->actors[i]), i);
}

// --- actors

static bool meets_tile(const struct df_tiles *tiles, struct df_box box)
{
    int32_t edge = tiles->edge_px, right = box.x + box.w, bottom = box.y + box.h;
    if (box.x < 0 || box.y < 0 || right > tiles->columns * edge || bottom > tiles->rows * edge)
        return true;
    for (int32_t row = box.y / edge; row <= (bottom - 1) / edge; row++)
        for (int32_t column = box.x / edge; column <= (right - 1) / edge; column++)
            if (tiles->kinds[row * tiles->columns + column] == DF_TILE_SOLID)
                return true;
    return false;
}

static bool meets_solid(const struct df_space *space, struct df_box box)
{
    struct span span = span_of(box);
    for (int32_t row = span.top; row <= span.bottom; row++)
        for (int32_t column = span.left; column <= span.right; column++)
            for (int32_t i = 0; i < solid_cells[row][column].count; i++) {
                const struct df_solid *solid = &space->solids[solid_cells[row][column].bodies[i]];
                if ((solid->flags & DF_SOLID_PRESENT) != 0 && df_box_overlaps(box, df_solid_box(solid)))
                    return true;
            }
    return false;
}

bool grid_space_blocked(const struct df_space *space, struct df_box box)
{
    return meets_tile(&space->tiles, box) || meets_solid(space, box);
}

// Walks pixel by pixel until something is in the way. Returns the pixels walked.
static int32_t walk(struct df_space *space, int32_t index, int32_t step_x, int32_t step_y, int32_t count)
{
    struct df_actor *actor = &space->actors[index];
    struct df_box box = df_actor_box(actor);
    struct span before = corner_of(actor);
    int32_t walked = 0;
    while (walked < count) {
        struct df_box next = {box.x + step_x, box.y + step_y, box.w, box.h};
        if (grid_space_blocked(space, next))
            break;
        box = next;
        walked++;
    }
    actor->x = box.x;
    actor->y = box.y;
    change(actor_cells, before, corner_of(actor), index);
    return walked;
}

static struct df_hit move(struct df_space *space, int32_t index, bool along_x, int32_t amount_sub)
{
    struct df_actor *actor = &space->actors[index];
    int32_t *rem = along_x ? &actor->rem_x : &actor->rem_y;
    int32_t px = amount_sub == 0 ? 0 : df_round_px(*rem + amount_sub), step = px < 0 ? -1 : 1;
    *rem += amount_sub - px * DF_SUB;
    int32_t walked = walk(space, index, along_x ? step : 0, along_x ? 0 : step, abs(px));
    if (walked == abs(px))
        return (struct df_hit){.kind = DF_HIT_NONE};
    *rem = 0;
    return (struct df_hit){.kind = DF_HIT_SOLID, .direction = step, .left_px = abs(px) - walked};
}

enum df_result grid_actor_step(struct df_space *space, int32_t actor, int32_t dx_sub, int32_t dy_sub,
                               struct df_actor_hits *hits)
{
    hits->x = move(space, actor, true, dx_sub);
    hits->y = move(space, actor, false, dy_sub);
    struct df_box below = df_actor_box(&space->actors[actor]);
    below.y++;
    hits->ground.kind = grid_space_blocked(space, below) ? DF_HIT_SOLID : DF_HIT_NONE;
    return DF_OK;
}

enum df_result grid_actor_place(struct df_space *space, int32_t index, int32_t x, int32_t y)
{
    struct df_actor *actor = &space->actors[index];
    struct span before = corner_of(actor);
    actor->x = x;
    actor->y = y;
    actor->rem_x = actor->rem_y = 0;
    change(actor_cells, before, corner_of(actor), index);
    return DF_OK;
}

// --- solids

// A move of a solid, and the actors around it in index order.
struct push {
    struct df_space *space;
    int32_t solid;
    int32_t lift_x, lift_y;
    int32_t count;
    int32_t actors[GRID_BODIES];
    bool rides[GRID_BODIES];
};

static int by_index(const void *a, const void *b)
{
    return *(const int32_t *)a - *(const int32_t *)b;
}

// The actors that the solid may carry or push in one step.
static void find_actors(struct push *push)
{
    const struct df_solid *solid = &push->space->solids[push->solid];
    struct df_box near = {solid->x - 1, solid->y - 1, solid->w + 2, solid->h + 2};
    struct span span = span_of(
        (struct df_box){near.x - ACTOR_PX_MAX, near.y - ACTOR_PX_MAX, near.w + ACTOR_PX_MAX, near.h + ACTOR_PX_MAX});
    push->count = 0;
    for (int32_t row = span.top; row <= span.bottom; row++)
        for (int32_t column = span.left; column <= span.right; column++)
            for (int32_t i = 0; i < actor_cells[row][column].count; i++) {
                int32_t actor = actor_cells[row][column].bodies[i];
                if (df_box_overlaps(df_actor_box(&push->space->actors[actor]), near))
                    push->actors[push->count++] = actor;
            }
    if (push->count > 1)
        qsort(push->actors, (size_t)push->count, sizeof push->actors[0], by_index);
    for (int32_t i = 0; i < push->count; i++) {
        struct df_box below = df_actor_box(&push->space->actors[push->actors[i]]);
        below.y++;
        push->rides[i] = df_box_overlaps(below, df_solid_box(solid));
    }
}

static void give_lift(const struct push *push, struct df_actor *actor)
{
    actor->lift_x = push->lift_x;
    actor->lift_y = push->lift_y;
    actor->lift_tick = push->space->tick;
}

static void carry(struct push *push, int32_t index, int32_t step_x, int32_t step_y)
{
    struct df_actor *actor = &push->space->actors[index];
    uint32_t carrier = (uint32_t)push->solid + 1;
    if (actor->carrier != 0 && actor->carried_tick == push->space->tick && actor->carrier != carrier)
        return;
    actor->carried_tick = push->space->tick;
    actor->carrier = carrier;
    give_lift(push, actor);
    walk(push->space, index, step_x, step_y, 1);
}

static void push_one(struct push *push, int32_t index, int32_t step_x, int32_t step_y)
{
    struct df_actor *actor = &push->space->actors[index];
    struct df_solid *solid = &push->space->solids[push->solid];
    give_lift(push, actor);
    int32_t way = step_x > 0   ? solid->x + solid->w - actor->x
                  : step_x < 0 ? actor->x + actor->w - solid->x
                  : step_y > 0 ? solid->y + solid->h - actor->y
                               : actor->y + actor->h - solid->y;
    if (walk(push->space, index, step_x, step_y, way) == way)
        return;
    solid->flags |= DF_SOLID_PRESENT;
    push->space->rules.squish(push->space, (struct df_squish){.actor = index, .solid = push->solid},
                              push->space->context);
    solid->flags &= ~(uint32_t)DF_SOLID_PRESENT;
}

static void step(struct push *push, int32_t step_x, int32_t step_y)
{
    struct df_solid *solid = &push->space->solids[push->solid];
    struct span before = span_of(df_solid_box(solid));
    find_actors(push);
    solid->x += step_x;
    solid->y += step_y;
    change(solid_cells, before, span_of(df_solid_box(solid)), push->solid);
    solid->flags &= ~(uint32_t)DF_SOLID_PRESENT;
    for (int32_t i = 0; i < push->count; i++) {
        if (df_box_overlaps(df_actor_box(&push->space->actors[push->actors[i]]), df_solid_box(solid)))
            push_one(push, push->actors[i], step_x, step_y);
        else if (push->rides[i])
            carry(push, push->actors[i], step_x, step_y);
    }
    solid->flags |= DF_SOLID_PRESENT;
}

static int32_t clamp(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

enum df_result grid_solid_move(struct df_space *space, int32_t index, int32_t dx_sub, int32_t dy_sub)
{
    struct df_solid *solid = &space->solids[index];
    static struct push push;
    push.space = space;
    push.solid = index;
    push.lift_x = clamp(dx_sub, -DF_LIFT_X_MAX, DF_LIFT_X_MAX);
    push.lift_y = clamp(dy_sub, DF_LIFT_UP_MAX, 0);
    int32_t x = dx_sub == 0 ? 0 : df_round_px(solid->rem_x + dx_sub);
    int32_t y = dy_sub == 0 ? 0 : df_round_px(solid->rem_y + dy_sub);
    solid->rem_x += dx_sub - x * DF_SUB;
    solid->rem_y += dy_sub - y * DF_SUB;
    for (int32_t i = 0; i < abs(x); i++)
        step(&push, x < 0 ? -1 : 1, 0);
    for (int32_t i = 0; i < abs(y); i++)
        step(&push, 0, y < 0 ? -1 : 1);
    return DF_OK;
}
