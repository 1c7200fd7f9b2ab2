// SPDX-License-Identifier: MIT
#include "cast.h"

#include "broadphase.h"
#include "tile_grid.h"

// The way is looked at in pieces of at least this length: short enough to have few tiles and one cell.
#define PIECE_SUB (16 * DF_SUB)

// When the cast meets something, as a fraction of its way, and on which side.
struct contact {
    int64_t time, of; ///< time / of; -1 / 1: from the start
    int32_t normal_x, normal_y;
};

struct run {
    const struct df_space *space;
    int32_t x, y, w, h; ///< where it starts, sub
    int32_t dx, dy;     ///< its way, sub
    uint32_t flags;
    int32_t left_out;     ///< a solid that it does not meet, or -1
    struct contact first; ///< of what it meets first
    struct df_cast found; ///< that; tiles as if a grid that wraps continued
};

// When two spans begin and end to share a pixel along an axis, in sub of the way on it.
struct share {
    int64_t begin, end, way;
};

static struct share share_along(int64_t from, int64_t length, int64_t to, int64_t to_length, int64_t way)
{
    if (way < 0)
        return (struct share){from - (to + to_length), from + length - to, -way};
    return (struct share){to - (from + length), to + to_length - from, way};
}

// A box that is nearly as high as a world that wraps is never wholly above a one-way.
static bool fits_above(const struct run *run, struct df_box oneway)
{
    int32_t period_y = run->space->broadphase->period_y;
    return period_y == 0 || run->h <= (period_y - oneway.h) * DF_SUB;
}

// Where the way has no length on an axis, the spans share a pixel all the time or never: the products agree with both.
static bool meets(const struct run *run, struct df_box box, bool oneway, struct contact *contact)
{
    struct share x = share_along(run->x, run->w, (int64_t)box.x * DF_SUB, (int64_t)box.w * DF_SUB, run->dx);
    struct share y = share_along(run->y, run->h, (int64_t)box.y * DF_SUB, (int64_t)box.h * DF_SUB, run->dy);
    if (x.end <= 0 || y.end <= 0 || (x.begin >= 0 && x.begin >= x.way) || (y.begin >= 0 && y.begin >= y.way))
        return false;
    *contact = (struct contact){.time = -1, .of = 1};
    if (x.begin < 0 && y.begin < 0)
        return !oneway;
    if (x.begin * y.way >= y.end * x.way || y.begin * x.way >= x.end * y.way)
        return false;
    int64_t x_later = x.begin * y.way - y.begin * x.way;
    if (oneway && (run->dy <= 0 || x_later > 0 || !fits_above(run, box)))
        return false;
    *contact = x_later >= 0 ? (struct contact){.time = x.begin, .of = x.way} : (struct contact){y.begin, y.way, 0, 0};
    contact->normal_x = x_later < 0 || oneway ? 0 : run->dx > 0 ? -1 : 1;
    contact->normal_y = x_later > 0 ? 0 : run->dy > 0 ? -1 : 1;
    return true;
}

// Less than 0 if `a` comes first. Solids have an index of at least 0, so tiles count as the last of them.
static int64_t order(const struct contact *a, const struct df_cast *what_a, const struct contact *b,
                     const struct df_cast *what_b)
{
    if (a->time * b->of != b->time * a->of)
        return a->time * b->of - b->time * a->of;
    bool a_is_corner = a->normal_x != 0 && a->normal_y != 0, b_is_corner = b->normal_x != 0 && b->normal_y != 0;
    if (a_is_corner != b_is_corner)
        return a_is_corner ? 1 : -1;
    if (what_a->index != what_b->index)
        return (int64_t)(uint32_t)what_a->index - (int64_t)(uint32_t)what_b->index;
    return what_a->row != what_b->row ? what_a->row - what_b->row : what_a->column - what_b->column;
}

static void consider(struct run *run, struct df_box box, bool oneway, struct df_cast what)
{
    struct contact contact;
    if (!meets(run, box, oneway, &contact) ||
        (run->found.kind != DF_HIT_NONE && order(&contact, &what, &run->first, &run->found) >= 0))
        return;
    run->first = contact;
    run->found = what;
}

// The first image of a body, around a world that wraps, that ends after `from`.
static int32_t first_image(int32_t at, int32_t length, int32_t from, int32_t period)
{
    return period == 0 ? at : at + period * (df_floor_div(from - (at + length), period) + 1);
}

static void consider_solids(struct run *run, struct df_box piece)
{
    const struct df_broadphase *broadphase = run->space->broadphase;
    int32_t step_x = broadphase->period_x, step_y = broadphase->period_y;
    struct df_near_solids near = df_broadphase_near(broadphase, piece);
    for (int32_t i = df_broadphase_next(&near); i >= 0; i = df_broadphase_next(&near)) {
        const struct df_solid *solid = &run->space->solids[i];
        struct df_box box = df_solid_box(solid);
        bool oneway = (solid->flags & DF_SOLID_ONEWAY) != 0;
        if (i == run->left_out || !df_body_is_present(solid) || !df_broadphase_accepts(broadphase, box) ||
            (solid->flags & run->flags & DF_LAYERS) != 0 || (oneway && (run->flags & DF_CAST_ONEWAYS) == 0))
            continue;
        struct df_cast what = {.kind = DF_HIT_SOLID, .index = i};
        int32_t first_y = first_image(box.y, box.h, piece.y, step_y);
        for (box.x = first_image(box.x, box.w, piece.x, step_x); box.x < piece.x + piece.w; box.x += step_x) {
            for (box.y = first_y; box.y < piece.y + piece.h; box.y += step_y) {
                consider(run, box, oneway, what);
                if (step_y == 0)
                    break;
            }
            if (step_x == 0)
                break;
        }
    }
}

// The tiles along an axis. Around a world that wraps, those of the way count, not those of the grid.
static struct df_tile_span tiles_along(const struct df_tiles *tiles, int32_t at_px, int32_t length_px, int32_t count)
{
    if (tiles->outside != DF_OUTSIDE_WRAP)
        return df_tile_grid_span(tiles, at_px, length_px, count);
    return (struct df_tile_span){df_floor_div(at_px, tiles->edge_px),
                                 df_floor_div(at_px + length_px - 1, tiles->edge_px)};
}

static void consider_tiles(struct run *run, struct df_box piece)
{
    const struct df_tiles *tiles = &run->space->tiles;
    struct df_tile_span columns = tiles_along(tiles, piece.x, piece.w, tiles->columns);
    struct df_tile_span rows = tiles_along(tiles, piece.y, piece.h, tiles->rows);
    for (int32_t row = rows.first; row <= rows.last; row++)
        for (int32_t column = columns.first; column <= columns.last; column++) {
            enum df_tile kind = df_tile_grid_at(tiles, column, row);
            bool oneway = kind == DF_TILE_ONEWAY && (run->flags & DF_CAST_ONEWAYS) != 0;
            if (kind != DF_TILE_SOLID && kind != DF_TILE_BLOCK && !oneway)
                continue;
            struct df_box box = {column * tiles->edge_px, row * tiles->edge_px, tiles->edge_px, tiles->edge_px};
            consider(run, box, oneway,
                     (struct df_cast){.kind = DF_HIT_TILE, .index = -1, .column = column, .row = row});
        }
}

// The whole pixels around a piece of the way, and one more on each side: what it only touches at its end may still be
// met at the same time as something within.
static struct df_box piece_of(const struct run *run, int64_t piece, int64_t pieces)
{
    int32_t x = (int32_t)(run->dx * piece / pieces), to_x = (int32_t)(run->dx * (piece + 1) / pieces);
    int32_t y = (int32_t)(run->dy * piece / pieces), to_y = (int32_t)(run->dy * (piece + 1) / pieces);
    int32_t left = df_floor_div(run->x + (x < to_x ? x : to_x), DF_SUB) - 1;
    int32_t top = df_floor_div(run->y + (y < to_y ? y : to_y), DF_SUB) - 1;
    int32_t right = df_floor_div(run->x + (x < to_x ? to_x : x) + run->w - 1, DF_SUB) + 2;
    int32_t bottom = df_floor_div(run->y + (y < to_y ? to_y : y) + run->h - 1, DF_SUB) + 2;
    return (struct df_box){left, top, right - left, bottom - top};
}

// A start outside of the grid may be farther out than the tiles that the pieces look at.
static void consider_start(struct run *run, struct df_box start)
{
    struct df_hit hit;
    if (run->space->tiles.kinds == NULL || !df_tile_grid_overlap(&run->space->tiles, start, &hit))
        return;
    run->first = (struct contact){.time = -1, .of = 1};
    run->found = (struct df_cast){.kind = DF_HIT_TILE, .index = -1, .column = hit.column, .row = hit.row};
}

static bool is_amount(int32_t amount_sub)
{
    return amount_sub >= -DF_AMOUNT_SUB_MAX && amount_sub <= DF_AMOUNT_SUB_MAX;
}

static struct df_cast cast(struct run *run, struct df_box start)
{
    struct df_cast none = {.kind = DF_HIT_NONE, .index = -1};
    if (!df_broadphase_accepts(run->space->broadphase, start) || !is_amount(run->dx) || !is_amount(run->dy))
        return none;
    const struct df_tiles *tiles = &run->space->tiles;
    int64_t way_x = run->dx < 0 ? -run->dx : run->dx, way_y = run->dy < 0 ? -run->dy : run->dy;
    int32_t size = run->w > run->h ? run->w : run->h;
    int64_t pieces = (way_x > way_y ? way_x : way_y) / (size > PIECE_SUB ? size : PIECE_SUB) + 1;
    run->found = none;
    consider_start(run, start);
    for (int64_t i = 0; i < pieces; i++) {
        struct df_box piece = piece_of(run, i, pieces);
        consider_solids(run, piece);
        if (tiles->kinds != NULL)
            consider_tiles(run, piece);
        if (run->found.kind != DF_HIT_NONE && run->first.time * pieces <= (i + 1) * run->first.of)
            break;
    }
    struct df_cast found = run->found;
    int64_t time = run->first.time < 0 ? 0 : run->first.time;
    found.dx_sub = found.kind == DF_HIT_NONE ? run->dx : (int32_t)(run->dx * time / run->first.of);
    found.dy_sub = found.kind == DF_HIT_NONE ? run->dy : (int32_t)(run->dy * time / run->first.of);
    if (found.kind == DF_HIT_NONE)
        return found;
    found.normal_x = run->first.normal_x;
    found.normal_y = run->first.normal_y;
    if (found.kind == DF_HIT_TILE && tiles->outside == DF_OUTSIDE_WRAP) {
        found.column = df_torus_mod(found.column, tiles->columns);
        found.row = df_torus_mod(found.row, tiles->rows);
    } else if (found.kind == DF_HIT_TILE &&
               ((uint32_t)found.column >= (uint32_t)tiles->columns || (uint32_t)found.row >= (uint32_t)tiles->rows)) {
        found.kind = DF_HIT_OUTSIDE;
    }
    return found;
}

static struct df_cast cast_box(const struct df_space *space, struct df_box box, int32_t dx_sub, int32_t dy_sub,
                               uint32_t flags, int32_t left_out)
{
    struct run run = {.space = space, .dx = dx_sub, .dy = dy_sub, .flags = flags, .left_out = left_out};
    if (df_body_box_is_valid(box)) {
        run.x = box.x * DF_SUB;
        run.y = box.y * DF_SUB;
        run.w = box.w * DF_SUB;
        run.h = box.h * DF_SUB;
    }
    return cast(&run, box);
}

struct df_cast df_cast_box(const struct df_space *space, struct df_box box, int32_t dx_sub, int32_t dy_sub,
                           uint32_t flags)
{
    return cast_box(space, box, dx_sub, dy_sub, flags, -1);
}

struct df_cast df_cast_ray(const struct df_space *space, int32_t x_sub, int32_t y_sub, int32_t dx_sub, int32_t dy_sub,
                           uint32_t flags)
{
    struct run run = {
        .space = space, .x = x_sub, .y = y_sub, .dx = dx_sub, .dy = dy_sub, .flags = flags, .left_out = -1};
    run.w = run.h = 1;
    return cast(&run, (struct df_box){df_floor_div(x_sub, DF_SUB), df_floor_div(y_sub, DF_SUB), 1, 1});
}

// A move adds the fraction to its amount, except to none, so the cast does, and takes it off again.
struct df_cast df_cast_solid(const struct df_space *space, int32_t solid, int32_t dx_sub, int32_t dy_sub,
                             uint32_t flags)
{
    struct df_cast none = {.kind = DF_HIT_NONE, .index = -1};
    if (solid < 0 || solid >= space->solid_count || !is_amount(dx_sub) || !is_amount(dy_sub))
        return none;
    const struct df_solid *body = &space->solids[solid];
    struct df_box box = df_solid_box(body);
    int32_t rem_x = dx_sub != 0 ? body->rem_x : 0, rem_y = dy_sub != 0 ? body->rem_y : 0, half = DF_SUB / 2;
    if (rem_x < -half || rem_x > half || rem_y < -half || rem_y > half ||
        !df_broadphase_accepts(space->broadphase, box) || !is_amount(dx_sub + rem_x) || !is_amount(dy_sub + rem_y))
        return none;
    struct df_cast found = cast_box(space, box, dx_sub + rem_x, dy_sub + rem_y, flags, solid);
    found.dx_sub -= rem_x;
    found.dy_sub -= rem_y;
    return found;
}
