// SPDX-License-Identifier: MIT
#include "cast_judge.h"

#include "literal.h"

// Moments are counted in steps of 1 / `steps` of the way, in which every contact of whole subs falls on a step.
struct judge {
    const struct df_space *space;
    struct cast_judge_way way;
    int64_t steps;
    int64_t best_moment;
    struct df_cast best;
};

static int64_t absolute(int64_t value)
{
    return value < 0 ? -value : value;
}

// Whether two spans share a sub at half a moment.
static bool shares(const struct judge *judge, int64_t half, int64_t from, int64_t length, int64_t way, int64_t to,
                   int64_t to_length)
{
    int64_t scale = 2 * judge->steps, at = from * scale + way * half;
    return at < (to + to_length) * scale && to * scale < at + length * scale;
}

static bool shares_x(const struct judge *judge, int64_t half, struct df_box box)
{
    return shares(judge, half, judge->way.x, judge->way.w, judge->way.dx, (int64_t)box.x * DF_SUB,
                  (int64_t)box.w * DF_SUB);
}

static bool shares_y(const struct judge *judge, int64_t half, struct df_box box)
{
    return shares(judge, half, judge->way.y, judge->way.h, judge->way.dy, (int64_t)box.y * DF_SUB,
                  (int64_t)box.h * DF_SUB);
}

static bool overlaps(const struct judge *judge, int64_t half, struct df_box box)
{
    return shares_x(judge, half, box) && shares_y(judge, half, box);
}

static bool is_corner(const struct df_cast *cast)
{
    return cast->normal_x != 0 && cast->normal_y != 0;
}

static bool is_better(const struct judge *judge, int64_t moment, const struct df_cast *cast)
{
    const struct df_cast *best = &judge->best;
    if (best->kind == DF_HIT_NONE || moment != judge->best_moment)
        return best->kind == DF_HIT_NONE || moment < judge->best_moment;
    if (is_corner(cast) != is_corner(best))
        return is_corner(best);
    if ((cast->kind == DF_HIT_SOLID) != (best->kind == DF_HIT_SOLID))
        return cast->kind == DF_HIT_SOLID;
    if (cast->index != best->index)
        return cast->index < best->index;
    return cast->row != best->row ? cast->row < best->row : cast->column < best->column;
}

static void look(struct judge *judge, struct df_box box, bool oneway, struct df_cast what)
{
    const struct cast_judge_way *way = &judge->way;
    int64_t x = way->dx > 0 ? (int64_t)box.x * DF_SUB - way->x - way->w : way->x - (int64_t)(box.x + box.w) * DF_SUB;
    int64_t y = way->dy > 0 ? (int64_t)box.y * DF_SUB - way->y - way->h : way->y - (int64_t)(box.y + box.h) * DF_SUB;
    int64_t moments[2] = {way->dx != 0 ? x * (judge->steps / absolute(way->dx)) : -1,
                          way->dy != 0 ? y * (judge->steps / absolute(way->dy)) : -1};
    int32_t period_y = literal_period_y_px(judge->space);
    if (oneway && period_y != 0 && way->h + box.h * DF_SUB > period_y * DF_SUB)
        return; // never above it
    if (overlaps(judge, 0, box)) {
        if (!oneway && is_better(judge, -1, &what)) {
            judge->best_moment = -1;
            judge->best = what;
        }
        return;
    }
    for (int i = 0; i < 2; i++) {
        int64_t moment = moments[i];
        if (moment < 0 || moment >= judge->steps || !overlaps(judge, 2 * moment + 1, box))
            continue;
        what.normal_x = shares_x(judge, 2 * moment, box) ? 0 : way->dx > 0 ? -1 : 1;
        what.normal_y = shares_y(judge, 2 * moment, box) ? 0 : way->dy > 0 ? -1 : 1;
        if (oneway && what.normal_y != -1)
            continue;
        what.normal_x = oneway ? 0 : what.normal_x;
        if (is_better(judge, moment, &what)) {
            judge->best_moment = moment;
            judge->best = what;
        }
    }
}

static void look_at_solid(struct judge *judge, int32_t solid, struct df_box around)
{
    const struct df_solid *body = &judge->space->solids[solid];
    bool oneway = (body->flags & DF_SOLID_ONEWAY) != 0;
    if (solid == judge->way.left_out || (body->flags & DF_SOLID_PRESENT) == 0 ||
        (body->flags & judge->way.passes) != 0 || (oneway && !judge->way.oneways))
        return;
    int32_t period_x = literal_period_x_px(judge->space), period_y = literal_period_y_px(judge->space);
    struct df_cast what = {.kind = DF_HIT_SOLID, .index = solid};
    if (period_x == 0) {
        look(judge, (struct df_box){body->x, body->y, body->w, body->h}, oneway, what);
        return;
    }
    int32_t x = body->x, first_y = body->y;
    while (x > around.x - body->w)
        x -= period_x;
    while (first_y > around.y - body->h)
        first_y -= period_y;
    for (; x < around.x + around.w; x += period_x)
        for (int32_t y = first_y; y < around.y + around.h; y += period_y)
            look(judge, (struct df_box){x, y, body->w, body->h}, oneway, what);
}

static void look_at_tile(struct judge *judge, int32_t column, int32_t row)
{
    const struct df_tiles *tiles = &judge->space->tiles;
    enum df_tile kind = literal_tile_at(tiles, column, row);
    bool oneway = kind == DF_TILE_ONEWAY,
         inside = column >= 0 && column < tiles->columns && row >= 0 && row < tiles->rows;
    if (kind == DF_TILE_EMPTY || kind == DF_TILE_HAZARD || (oneway && !judge->way.oneways))
        return;
    struct df_cast what = {.kind = inside || tiles->outside == DF_OUTSIDE_WRAP ? DF_HIT_TILE : DF_HIT_OUTSIDE,
                           .index = -1,
                           .column = column,
                           .row = row};
    look(judge, (struct df_box){column * tiles->edge_px, row * tiles->edge_px, tiles->edge_px, tiles->edge_px}, oneway,
         what);
}

// All pixels of the way, and one more on each side.
static struct df_box pixels_of(const struct cast_judge_way *way)
{
    int32_t left = df_floor_div(way->x + (way->dx < 0 ? way->dx : 0), DF_SUB) - 1;
    int32_t top = df_floor_div(way->y + (way->dy < 0 ? way->dy : 0), DF_SUB) - 1;
    int32_t right = df_floor_div(way->x + way->w + (way->dx > 0 ? way->dx : 0), DF_SUB) + 2;
    int32_t bottom = df_floor_div(way->y + way->h + (way->dy > 0 ? way->dy : 0), DF_SUB) + 2;
    return (struct df_box){left, top, right - left, bottom - top};
}

struct df_cast cast_judge(const struct df_space *space, struct cast_judge_way way)
{
    struct judge judge = {.space = space, .way = way, .best = {.kind = DF_HIT_NONE, .index = -1}};
    judge.steps = (way.dx == 0 ? 1 : absolute(way.dx)) * (way.dy == 0 ? 1 : absolute(way.dy));
    struct df_box around = pixels_of(&way);
    for (int32_t i = 0; i < space->solid_count; i++)
        look_at_solid(&judge, i, around);
    const struct df_tiles *tiles = &space->tiles;
    if (tiles->kinds != NULL)
        for (int32_t row = df_floor_div(around.y, tiles->edge_px); row * tiles->edge_px < around.y + around.h; row++)
            for (int32_t column = df_floor_div(around.x, tiles->edge_px); column * tiles->edge_px < around.x + around.w;
                 column++)
                look_at_tile(&judge, column, row);
    struct df_cast cast = judge.best;
    int64_t moment = judge.best_moment < 0 ? 0 : judge.best_moment;
    cast.dx_sub = cast.kind == DF_HIT_NONE ? way.dx : (int32_t)(way.dx * moment / judge.steps);
    cast.dy_sub = cast.kind == DF_HIT_NONE ? way.dy : (int32_t)(way.dy * moment / judge.steps);
    if (cast.kind == DF_HIT_TILE && tiles->outside == DF_OUTSIDE_WRAP) {
        cast.column = literal_wrap(cast.column, tiles->columns);
        cast.row = literal_wrap(cast.row, tiles->rows);
    }
    return cast;
}
