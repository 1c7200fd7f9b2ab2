// SPDX-License-Identifier: MIT
#include "literal.h"

#include <stdlib.h>

int32_t literal_period_x_px(const struct df_space *space)
{
    const struct df_tiles *tiles = &space->tiles;
    return tiles->kinds != NULL && tiles->outside == DF_OUTSIDE_WRAP ? tiles->columns * tiles->edge_px : 0;
}

int32_t literal_period_y_px(const struct df_space *space)
{
    const struct df_tiles *tiles = &space->tiles;
    return tiles->kinds != NULL && tiles->outside == DF_OUTSIDE_WRAP ? tiles->rows * tiles->edge_px : 0;
}

int32_t literal_wrap(int32_t coordinate, int32_t period)
{
    return period > 0 ? coordinate - df_floor_div(coordinate, period) * period : coordinate;
}

static bool spans_overlap(int32_t a, int32_t a_size, int32_t b, int32_t b_size, int32_t period)
{
    if (period == 0)
        return a < b + b_size && b < a + a_size;
    int32_t from_a_to_b = literal_wrap(b - a, period);
    return from_a_to_b < a_size || from_a_to_b + b_size > period;
}

bool literal_overlaps(const struct df_space *space, struct df_box a, struct df_box b)
{
    return spans_overlap(a.x, a.w, b.x, b.w, literal_period_x_px(space)) &&
           spans_overlap(a.y, a.h, b.y, b.h, literal_period_y_px(space));
}

static bool in_grid(const struct df_tiles *tiles, int32_t column, int32_t row)
{
    return column >= 0 && column < tiles->columns && row >= 0 && row < tiles->rows;
}

enum df_tile literal_tile_at(const struct df_tiles *tiles, int32_t column, int32_t row)
{
    if (tiles->kinds == NULL)
        return DF_TILE_EMPTY;
    if (tiles->outside == DF_OUTSIDE_WRAP) {
        column = literal_wrap(column, tiles->columns);
        row = literal_wrap(row, tiles->rows);
    }
    if (!in_grid(tiles, column, row))
        return tiles->outside == DF_OUTSIDE_SOLID ? DF_TILE_SOLID : DF_TILE_EMPTY;
    int32_t tile = row * tiles->columns + column;
    bool broken = tiles->broken != NULL && (tiles->broken[tile >> 5] >> (tile & 31) & 1u) != 0;
    return tiles->kinds[tile] == DF_TILE_BLOCK && broken ? DF_TILE_EMPTY : (enum df_tile)tiles->kinds[tile];
}

struct df_box literal_actor_box(const struct df_actor *actor)
{
    return (struct df_box){actor->x, actor->y, actor->w, actor->h};
}

struct df_box literal_solid_box(const struct df_solid *solid)
{
    return (struct df_box){solid->x, solid->y, solid->w, solid->h};
}

static bool is_present(const struct df_solid *solid)
{
    return (solid->flags & DF_SOLID_PRESENT) != 0;
}

static bool is_oneway(const struct df_solid *solid)
{
    return (solid->flags & DF_SOLID_ONEWAY) != 0;
}

static bool is_alive(const struct df_actor *actor)
{
    return (actor->flags & DF_ACTOR_ALIVE) != 0;
}

bool literal_passes(uint32_t actor_flags, const struct df_solid *solid)
{
    return (actor_flags & solid->flags & DF_LAYERS) != 0;
}

// What stands in the way of a box that would be at `next`, and of an actor with these flags. A one-way counts where it
// is not overlapped by `now`, and only if `now` is given (a downward step of an actor that one-ways block).
static struct df_hit blocker(const struct df_space *space, struct df_box next, const struct df_box *now, uint32_t flags)
{
    for (int32_t i = 0; i < space->solid_count; i++) {
        const struct df_solid *solid = &space->solids[i];
        struct df_box box = literal_solid_box(solid);
        bool blocks = !is_oneway(solid) || (now != NULL && !literal_overlaps(space, *now, box));
        if (is_present(solid) && blocks && !literal_passes(flags, solid) && literal_overlaps(space, next, box))
            return (struct df_hit){.kind = DF_HIT_SOLID, .index = i};
    }
    const struct df_tiles *tiles = &space->tiles;
    int32_t edge = tiles->kinds != NULL ? tiles->edge_px : 1 << 20;
    for (int32_t row = df_floor_div(next.y, edge); row <= df_floor_div(next.y + next.h - 1, edge); row++) {
        for (int32_t column = df_floor_div(next.x, edge); column <= df_floor_div(next.x + next.w - 1, edge); column++) {
            enum df_tile tile = literal_tile_at(tiles, column, row);
            struct df_box box = {column * edge, row * edge, edge, edge};
            if (tile == DF_TILE_SOLID || tile == DF_TILE_BLOCK ||
                (tile == DF_TILE_ONEWAY && now != NULL && !literal_overlaps(space, *now, box))) {
                bool wraps = tiles->outside == DF_OUTSIDE_WRAP;
                return (struct df_hit){.kind = wraps || in_grid(tiles, column, row) ? DF_HIT_TILE : DF_HIT_OUTSIDE,
                                       .index = -1,
                                       .column = wraps ? literal_wrap(column, tiles->columns) : column,
                                       .row = wraps ? literal_wrap(row, tiles->rows) : row};
            }
        }
    }
    return (struct df_hit){.kind = DF_HIT_NONE, .index = -1};
}

static bool is_within(int32_t at_px, int32_t length_px, int32_t period)
{
    int32_t longest = period > 0 ? period - 1 : DF_COORDINATE_PX_MAX;
    return at_px >= -DF_COORDINATE_PX_MAX && at_px <= DF_COORDINATE_PX_MAX && length_px >= 1 && length_px <= longest;
}

// The same for an actor with these flags.
static bool blocked_for(const struct df_space *space, struct df_box box, uint32_t flags)
{
    return !is_within(box.x, box.w, literal_period_x_px(space)) ||
           !is_within(box.y, box.h, literal_period_y_px(space)) || blocker(space, box, NULL, flags).kind != DF_HIT_NONE;
}

bool literal_space_blocked(const struct df_space *space, struct df_box box)
{
    return blocked_for(space, box, 0);
}

int32_t literal_walk(const struct df_space *space, struct df_actor *actor, struct literal_step step, int32_t count,
                     struct df_hit *hit)
{
    bool feels_oneways = step.y > 0 && (actor->flags & DF_ACTOR_DROP_THROUGH) == 0;
    for (int32_t walked = 0; walked < count; walked++) {
        struct df_box now = literal_actor_box(actor);
        struct df_box next = {now.x + step.x, now.y + step.y, now.w, now.h};
        *hit = blocker(space, next, feels_oneways ? &now : NULL, actor->flags);
        if (hit->kind != DF_HIT_NONE)
            return walked;
        actor->x = literal_wrap(next.x, literal_period_x_px(space));
        actor->y = literal_wrap(next.y, literal_period_y_px(space));
    }
    return count;
}

// ---- moves -----------------------------------------------------------------------------------------------------

static bool is_actor(const struct df_space *space, int32_t actor)
{
    return actor >= 0 && actor < space->actor_count;
}

static bool in_coordinates(int32_t coordinate, int32_t period)
{
    return period > 0 || (coordinate >= -DF_COORDINATE_PX_MAX && coordinate <= DF_COORDINATE_PX_MAX);
}

static void forget_embedded(const struct df_space *space, struct df_actor *actor)
{
    if (!blocked_for(space, literal_actor_box(actor), actor->flags))
        actor->flags &= ~(uint32_t)DF_ACTOR_EMBEDDED;
}

static enum df_result move(struct df_space *space, int32_t index, struct literal_step axis, int32_t amount_sub,
                           df_collide *collide, void *context)
{
    if (!is_actor(space, index) || amount_sub < -DF_AMOUNT_SUB_MAX || amount_sub > DF_AMOUNT_SUB_MAX)
        return DF_OUT_OF_RANGE;
    struct df_actor *actor = &space->actors[index];
    if (!is_alive(actor))
        return DF_OK;
    int32_t *rem = axis.x != 0 ? &actor->rem_x : &actor->rem_y;
    int32_t px = amount_sub == 0 ? 0 : df_round_px(*rem + amount_sub);
    if (!in_coordinates(actor->x + px * axis.x, literal_period_x_px(space)) ||
        !in_coordinates(actor->y + px * axis.y, literal_period_y_px(space)))
        return DF_OUT_OF_RANGE;
    *rem += amount_sub - px * DF_SUB;
    int32_t direction = px < 0 ? -1 : 1;
    struct df_hit hit;
    int32_t walked =
        literal_walk(space, actor, (struct literal_step){axis.x * direction, axis.y * direction}, abs(px), &hit);
    forget_embedded(space, actor);
    if (walked < abs(px)) {
        *rem = 0;
        hit.direction = direction;
        hit.left_px = abs(px) - walked;
        if (collide != NULL)
            collide(space, index, hit, context);
    }
    return DF_OK;
}

enum df_result literal_actor_move_x(struct df_space *space, int32_t actor, int32_t amount_sub, df_collide *collide,
                                    void *context)
{
    return move(space, actor, (struct literal_step){1, 0}, amount_sub, collide, context);
}

enum df_result literal_actor_move_y(struct df_space *space, int32_t actor, int32_t amount_sub, df_collide *collide,
                                    void *context)
{
    return move(space, actor, (struct literal_step){0, 1}, amount_sub, collide, context);
}

struct df_hit literal_actor_probe(const struct df_space *space, int32_t actor, int32_t dx_px, int32_t dy_px)
{
    struct df_hit none = {.kind = DF_HIT_NONE, .index = -1};
    if (!is_actor(space, actor) || !is_alive(&space->actors[actor]))
        return none;
    struct df_actor ghost = space->actors[actor];
    int32_t px = dx_px != 0 ? dx_px : dy_px;
    int32_t direction = px < 0 ? -1 : 1;
    struct literal_step step = {dx_px != 0 ? direction : 0, dx_px != 0 ? 0 : direction};
    struct df_hit hit;
    int32_t walked = literal_walk(space, &ghost, step, abs(px), &hit);
    if (walked == abs(px))
        return none;
    hit.direction = direction;
    hit.left_px = abs(px) - walked;
    return hit;
}

struct df_hit literal_actor_ground(const struct df_space *space, int32_t actor)
{
    return literal_actor_probe(space, actor, 0, 1);
}

static void keep_hit(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    (void)space, (void)actor;
    *(struct df_hit *)context = hit;
}

enum df_result literal_actor_step(struct df_space *space, int32_t actor, int32_t dx_sub, int32_t dy_sub,
                                  struct df_actor_hits *hits)
{
    struct df_hit none = {.kind = DF_HIT_NONE, .index = -1};
    struct df_actor_hits met = {none, none, none};
    struct df_actor before = is_actor(space, actor) ? space->actors[actor] : (struct df_actor){0};
    enum df_result result = literal_actor_move_x(space, actor, dx_sub, keep_hit, &met.x);
    if (result == DF_OK)
        result = literal_actor_move_y(space, actor, dy_sub, keep_hit, &met.y);
    if (result != DF_OK && is_actor(space, actor))
        space->actors[actor] = before;
    if (result != DF_OK)
        return result;
    met.ground = literal_actor_ground(space, actor);
    *hits = met;
    return DF_OK;
}

// ---- places ----------------------------------------------------------------------------------------------------

bool literal_actor_is_embedded(const struct df_space *space, int32_t actor)
{
    return is_actor(space, actor) && is_alive(&space->actors[actor]) &&
           blocked_for(space, literal_actor_box(&space->actors[actor]), space->actors[actor].flags);
}

static void put(const struct df_space *space, struct df_actor *actor, int32_t x, int32_t y)
{
    actor->x = literal_wrap(x, literal_period_x_px(space));
    actor->y = literal_wrap(y, literal_period_y_px(space));
    forget_embedded(space, actor);
}

enum df_result literal_actor_place(struct df_space *space, int32_t actor, int32_t x, int32_t y)
{
    if (!is_actor(space, actor) || !in_coordinates(x, 0) || !in_coordinates(y, 0))
        return DF_OUT_OF_RANGE;
    space->actors[actor].rem_x = 0;
    space->actors[actor].rem_y = 0;
    put(space, &space->actors[actor], x, y);
    return DF_OK;
}

bool literal_actor_resize(struct df_space *space, int32_t actor, struct df_box box)
{
    if (!is_actor(space, actor) || !is_alive(&space->actors[actor]) ||
        blocked_for(space, box, space->actors[actor].flags))
        return false;
    space->actors[actor].w = box.w;
    space->actors[actor].h = box.h;
    put(space, &space->actors[actor], box.x, box.y);
    return true;
}

// A place that is searched around: the actor's box there, which way it is pushed, and the place found.
struct search {
    const struct df_space *space;
    struct df_box box;
    uint32_t flags;
    int32_t rem_x;
    struct literal_step push;
    int32_t x, y;
};

static bool is_free(struct search *search, int32_t dx, int32_t dy)
{
    struct df_box box = {search->box.x + dx, search->box.y + dy, search->box.w, search->box.h};
    search->x = literal_wrap(box.x, literal_period_x_px(search->space));
    search->y = literal_wrap(box.y, literal_period_y_px(search->space));
    return in_coordinates(search->x, 0) && in_coordinates(search->y, 0) &&
           !blocked_for(search->space, box, search->flags);
}

// Left and right at one |dx| and dy, which no push tells apart: the only free one, or the side that rem_x leans to.
static bool is_free_fairly(struct search *search, int32_t dx, int32_t dy)
{
    bool left = is_free(search, -dx, dy), right = is_free(search, dx, dy);
    if (dx == 0 || left != right)
        return left ? is_free(search, -dx, dy) : right;
    return left && search->rem_x != 0 && is_free(search, search->rem_x < 0 ? -dx : dx, dy);
}

// The up to four offsets of one |dx|, |dy|: first the side against the push, then up before down.
static bool find_at_distance(struct search *search, int32_t dx, int32_t dy)
{
    if (search->push.x != 0) {
        int32_t against = -search->push.x * dx;
        return is_free(search, against, -dy) || is_free(search, against, dy) || is_free(search, -against, -dy) ||
               is_free(search, -against, dy);
    }
    int32_t first = search->push.y < 0 ? dy : -dy;
    return is_free_fairly(search, dx, first) || is_free_fairly(search, dx, -first);
}

static bool find_around(struct search *search, int32_t max_x, int32_t max_y)
{
    max_x = max_x < DF_SEARCH_PX_MAX ? max_x : DF_SEARCH_PX_MAX;
    max_y = max_y < DF_SEARCH_PX_MAX ? max_y : DF_SEARCH_PX_MAX;
    for (int32_t distance = 0; distance <= max_x + max_y; distance++) {
        for (int32_t dx = 0; dx <= distance && dx <= max_x; dx++)
            if (distance - dx <= max_y && find_at_distance(search, dx, distance - dx))
                return true;
    }
    return false;
}

static struct search search_begin(const struct df_space *space, int32_t actor)
{
    struct search search = {.space = space,
                            .box = literal_actor_box(&space->actors[actor]),
                            .flags = space->actors[actor].flags,
                            .rem_x = space->actors[actor].rem_x};
    if (space->squishing != NULL && space->squishing->actor == actor)
        search.push = (struct literal_step){space->squishing->direction_x, space->squishing->direction_y};
    return search;
}

bool literal_find_free(const struct df_space *space, int32_t actor, int32_t reach_px, int32_t *x, int32_t *y)
{
    if (!is_actor(space, actor) || !is_alive(&space->actors[actor]) || reach_px < 0)
        return false;
    struct search search = search_begin(space, actor);
    if (!find_around(&search, reach_px, reach_px))
        return false;
    *x = search.x;
    *y = search.y;
    return true;
}

bool literal_actor_wiggle(struct df_space *space, int32_t actor, int32_t max_x_px, int32_t max_y_px)
{
    if (!is_actor(space, actor) || !is_alive(&space->actors[actor]) || max_x_px < 0 || max_y_px < 0)
        return false;
    struct search search = search_begin(space, actor);
    bool found = find_around(&search, max_x_px, max_y_px);
    if (!found && (search.push.x != 0 || search.push.y != 0)) {
        search.box.x = space->squishing->target_x;
        search.box.y = space->squishing->target_y;
        found = find_around(&search, max_x_px, max_y_px);
    }
    if (found)
        put(space, &space->actors[actor], search.x, search.y);
    return found;
}

void literal_actor_lift(const struct df_space *space, int32_t actor, int32_t *lift_x, int32_t *lift_y)
{
    *lift_x = 0;
    *lift_y = 0;
    if (is_actor(space, actor) && space->actors[actor].lift_tick != 0 &&
        space->tick - space->actors[actor].lift_tick <= DF_LIFT_TICKS) {
        *lift_x = space->actors[actor].lift_x;
        *lift_y = space->actors[actor].lift_y;
    }
}

void literal_tick_begin(struct df_space *space, uint32_t tick)
{
    space->tick = tick;
}
