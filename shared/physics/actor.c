// SPDX-License-Identifier: MIT
#include "actor.h"

#include <assert.h>

#include "sweep.h"
#include "tile_grid.h"

static_assert(sizeof(struct df_actor) == 13 * 4, "no padding");

static bool is_index(const struct df_space *space, int32_t actor)
{
    return (uint32_t)actor < (uint32_t)space->actor_count;
}

static bool is_living(const struct df_space *space, int32_t actor)
{
    return is_index(space, actor) && df_body_is_alive(&space->actors[actor]);
}

// Alive, and within the limits: its owner may have written it by hand.
static bool is_placed(const struct df_space *space, int32_t actor)
{
    return is_living(space, actor) && df_broadphase_accepts(space->broadphase, df_actor_box(&space->actors[actor]));
}

static bool is_remainder(int32_t rem)
{
    return rem >= -DF_SUB / 2 && rem <= DF_SUB / 2;
}

static bool is_amount(int32_t amount_sub)
{
    return amount_sub >= -DF_AMOUNT_SUB_MAX && amount_sub <= DF_AMOUNT_SUB_MAX;
}

static bool is_coordinate(int32_t at_px)
{
    return at_px >= -DF_COORDINATE_PX_MAX && at_px <= DF_COORDINATE_PX_MAX;
}

// Clears the flag if the actor is free. Not inlined: few actors are embedded.
__attribute__((noinline)) static void free_embedded(struct df_space *space, int32_t actor)
{
    struct df_actor *body = &space->actors[actor];
    if (df_sweep_blocked_for(space, body, df_actor_box(body)))
        return;
    body->flags &= ~(uint32_t)DF_ACTOR_EMBEDDED;
    df_broadphase_update_actor(space, actor);
}

static inline void update_embedded(struct df_space *space, int32_t actor)
{
    if ((space->actors[actor].flags & DF_ACTOR_EMBEDDED) != 0)
        free_embedded(space, actor);
}

static inline enum df_result move(struct df_space *space, int32_t actor, enum df_axis axis, int32_t amount_sub,
                                  df_collide *collide, void *context)
{
    if (!is_index(space, actor) || !is_amount(amount_sub))
        return DF_OUT_OF_RANGE;
    struct df_actor *body = &space->actors[actor];
    if (!df_body_is_alive(body))
        return DF_OK;
    int32_t *rem = axis == DF_X ? &body->rem_x : &body->rem_y;
    if (!is_remainder(*rem))
        return DF_OUT_OF_RANGE;
    int32_t px = df_body_whole_px(*rem, amount_sub), walked = 0;
    struct df_hit hit;
    hit.kind = DF_HIT_NONE;
    if (px == 0 ? !df_broadphase_accepts(space->broadphase, df_actor_box(body))
                : !df_body_stays(axis == DF_X ? body->x : body->y, px, space->broadphase->period_x) ||
                      (walked = df_sweep(space, body, axis, px, &hit)) < 0)
        return DF_OUT_OF_RANGE;
    *rem += amount_sub - px * DF_SUB;
    if (walked != 0)
        df_broadphase_shift_actor(space, actor, axis, px > 0 ? walked : -walked);
    update_embedded(space, actor);
    if (hit.kind == DF_HIT_NONE)
        return DF_OK;
    *rem = 0;
    if (collide != NULL)
        collide(space, actor, hit, context);
    return DF_OK;
}

enum df_result df_actor_move_x(struct df_space *space, int32_t actor, int32_t amount_sub, df_collide *collide,
                               void *context)
{
    return move(space, actor, DF_X, amount_sub, collide, context);
}

enum df_result df_actor_move_y(struct df_space *space, int32_t actor, int32_t amount_sub, df_collide *collide,
                               void *context)
{
    return move(space, actor, DF_Y, amount_sub, collide, context);
}

static void keep_hit(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    (void)space, (void)actor;
    *(struct df_hit *)context = hit;
}

static void clear(struct df_actor_hits *hits)
{
    static const struct df_hit none = {.kind = DF_HIT_NONE, .index = -1};
    hits->x = none;
    hits->y = none;
    hits->ground = none;
}

// Does or refuses every step, one call after the other. Not inlined: most steps lie in a window.
__attribute__((noinline)) static enum df_result step_outside(struct df_space *space, int32_t actor, int32_t dx_sub,
                                                             int32_t dy_sub, struct df_actor_hits *hits)
{
    if (!is_amount(dx_sub) || !is_amount(dy_sub))
        return DF_OUT_OF_RANGE;
    struct df_actor before = space->actors[actor];
    clear(hits);
    enum df_result result = df_actor_move_x(space, actor, dx_sub, keep_hit, &hits->x);
    if (result != DF_OK)
        return result;
    result = df_actor_move_y(space, actor, dy_sub, keep_hit, &hits->y);
    if (result != DF_OK) {
        space->actors[actor] = before;
        df_broadphase_update_actor(space, actor);
        clear(hits);
        return result;
    }
    hits->ground = df_actor_ground(space, actor);
    return DF_OK;
}

// Returns all that a step of whole pixels may cover, and what is a pixel below its end.
static inline struct df_box path_of_step(struct df_box box, int32_t x_px, int32_t y_px)
{
    int32_t back_x = x_px < 0 ? x_px : 0, back_y = y_px < 0 ? y_px : 0;
    return (struct df_box){df_body_end(box.x, back_x), df_body_end(box.y, back_y),
                           df_body_end(box.w, x_px - 2 * back_x), df_body_end(box.h, y_px - 2 * back_y + 1)};
}

// Moves an actor among what a window shows. Returns false if it is stuck there. One sweep finds the end of a fall and
// the ground below it.
static inline bool step_in_window(const struct df_window *window, const struct df_space *space, struct df_actor *body,
                                  int32_t x_px, int32_t y_px, struct df_actor_hits *hits)
{
    struct df_window_box box = df_window_box(window, space, df_actor_box(body));
    uint32_t beside = df_window_beside(window, space, box);
    if (df_window_is_stuck(beside, space, box))
        return false;
    int32_t walked_px = x_px, fall_px = y_px;
    if (x_px != 0 && (beside != 0 || window->solid_count != 0))
        walked_px = x_px > 0 ? df_window_sweep(window, space, body, box, DF_X, 1, x_px, &hits->x)
                             : -df_window_sweep(window, space, body, box, DF_X, -1, -x_px, &hits->x);
    body->x += walked_px;
    box.left += (uint32_t)walked_px;
    box.right += (uint32_t)walked_px;
    if (y_px < 0) {
        int32_t risen_px = df_window_sweep(window, space, body, box, DF_Y, -1, -y_px, &hits->y);
        body->y -= risen_px;
        box.bottom -= (uint32_t)risen_px;
        fall_px = 0;
    }
    int32_t free_px = df_window_sweep(window, space, body, box, DF_Y, 1, fall_px + 1, &hits->ground);
    if (free_px < fall_px) {
        hits->y = hits->ground;
        hits->y.left_px = fall_px - free_px;
        hits->ground.left_px = 1;
        fall_px = free_px;
    }
    body->y += fall_px;
    return true;
}

// Returns true if a window may serve the actor. Who is embedded may become free.
static inline bool is_plain(const struct df_actor *body)
{
    return (body->flags & (DF_ACTOR_ALIVE | DF_ACTOR_EMBEDDED)) == DF_ACTOR_ALIVE && is_remainder(body->rem_x) &&
           is_remainder(body->rem_y) && body->w >= 1 && body->h >= 1;
}

enum df_result df_actor_step(struct df_space *space, int32_t actor, int32_t dx_sub, int32_t dy_sub,
                             struct df_actor_hits *hits)
{
    struct df_actor_hits unread;
    if (hits == NULL)
        return df_actor_step(space, actor, dx_sub, dy_sub, &unread);
    if (!is_index(space, actor))
        return DF_OUT_OF_RANGE;
    struct df_actor *body = &space->actors[actor];
    if (!is_plain(body))
        return step_outside(space, actor, dx_sub, dy_sub, hits);
    // Amounts beyond the limits are longer than any window.
    int32_t x_px = df_body_whole_px(body->rem_x, dx_sub), y_px = df_body_whole_px(body->rem_y, dy_sub);
    struct df_box before = df_actor_box(body);
    struct df_window window;
    int32_t solids[DF_WINDOW_SOLIDS];
    if (!df_window_open(&window, solids, space, path_of_step(before, x_px, y_px)))
        return step_outside(space, actor, dx_sub, dy_sub, hits);
    clear(hits);
    if (df_window_is_clear(&window)) {
        body->x = before.x + x_px;
        body->y = before.y + y_px;
    } else if (!step_in_window(&window, space, body, x_px, y_px, hits))
        return step_outside(space, actor, dx_sub, dy_sub, hits);
    body->rem_x = hits->x.kind == DF_HIT_NONE ? body->rem_x + dx_sub - x_px * DF_SUB : 0;
    body->rem_y = hits->y.kind == DF_HIT_NONE ? body->rem_y + dy_sub - y_px * DF_SUB : 0;
    if (df_broadphase_may_change_cell(space, before, df_actor_box(body)))
        df_broadphase_update_actor(space, actor);
    return DF_OK;
}

struct df_hit df_actor_probe(const struct df_space *space, int32_t actor, int32_t dx_px, int32_t dy_px)
{
    struct df_hit hit = {.kind = DF_HIT_NONE, .index = -1};
    enum df_axis axis = dx_px != 0 ? DF_X : DF_Y;
    int32_t px = dx_px != 0 ? dx_px : dy_px, far = DF_AMOUNT_SUB_MAX / DF_SUB;
    if (!is_index(space, actor) || px == 0 || px < -far || px > far)
        return hit;
    const struct df_actor *body = &space->actors[actor];
    if (df_body_is_alive(body))
        df_sweep(space, body, axis, px, &hit);
    return hit;
}

struct df_hit df_actor_ground(const struct df_space *space, int32_t actor)
{
    return df_actor_probe(space, actor, 0, 1);
}

bool df_actor_resize(struct df_space *space, int32_t actor, struct df_box box)
{
    if (!is_index(space, actor) || !df_body_is_alive(&space->actors[actor]) ||
        df_sweep_blocked_for(space, &space->actors[actor], box))
        return false;
    struct df_actor *body = &space->actors[actor];
    body->x = df_torus_canonical(box.x, space->broadphase->period_x);
    body->y = df_torus_canonical(box.y, space->broadphase->period_y);
    body->w = box.w;
    body->h = box.h;
    body->flags &= ~(uint32_t)DF_ACTOR_EMBEDDED;
    df_broadphase_update_actor(space, actor);
    return true;
}

enum df_result df_actor_place(struct df_space *space, int32_t actor, int32_t x, int32_t y)
{
    if (!is_index(space, actor) || !is_coordinate(x) || !is_coordinate(y))
        return DF_OUT_OF_RANGE;
    struct df_actor *body = &space->actors[actor];
    body->x = df_torus_canonical(x, space->broadphase->period_x);
    body->y = df_torus_canonical(y, space->broadphase->period_y);
    body->rem_x = body->rem_y = 0;
    df_broadphase_update_actor(space, actor);
    update_embedded(space, actor);
    return DF_OK;
}

bool df_actor_is_embedded(const struct df_space *space, int32_t actor)
{
    const struct df_actor *body = &space->actors[actor];
    return is_living(space, actor) && df_sweep_blocked_for(space, body, df_actor_box(body));
}

void df_actor_lift(const struct df_space *space, int32_t actor, int32_t *lift_x, int32_t *lift_y)
{
    *lift_x = *lift_y = 0;
    if (!is_index(space, actor))
        return;
    const struct df_actor *body = &space->actors[actor];
    if (body->lift_tick == 0 || space->tick - body->lift_tick > DF_LIFT_TICKS)
        return;
    *lift_x = body->lift_x;
    *lift_y = body->lift_y;
}

void df_actor_changed(struct df_space *space, int32_t actor)
{
    if (is_index(space, actor))
        df_broadphase_update_actor(space, actor);
}

bool df_actor_rides(const struct df_actor *actor, const struct df_solid *solid, const struct df_tiles *tiles)
{
    if (!df_body_box_is_valid(df_actor_box(actor)) || !df_body_box_is_valid(df_solid_box(solid)))
        return false;
    bool wraps = tiles->kinds != NULL && tiles->outside == DF_OUTSIDE_WRAP && df_tile_grid_is_valid(tiles);
    return df_body_is_alive(actor) && df_body_is_present(solid) &&
           df_ride_holds(actor, solid, wraps ? tiles->columns * tiles->edge_px : 0,
                         wraps ? tiles->rows * tiles->edge_px : 0);
}

// A search for a free place around one place, nearest |dx| + |dy| first.
struct search {
    const struct df_space *space;
    const struct df_actor *actor;
    struct df_box box; ///< at the place from which offsets count
    int32_t max_x, max_y;
    int32_t first_x; ///< sign of dx that wins a tie; 0: none does
    int32_t first_y; ///< sign of dy that wins a tie
    bool side_first; ///< a push along x: the side goes before the height
};

static bool is_free(const struct search *search, int32_t dx, int32_t dy)
{
    struct df_box box = search->box;
    box.x += dx;
    box.y += dy;
    return !df_sweep_blocked_for(search->space, search->actor, box);
}

// Chooses between left and right at the same height. If nothing decides a tie, takes neither.
static bool choose_side(const struct search *search, int32_t reach, int32_t dy, int32_t *dx)
{
    int32_t first = search->first_x != 0 ? search->first_x * reach : -reach;
    bool first_is_free = is_free(search, first, dy);
    if (reach == 0 || (first_is_free && search->first_x != 0)) {
        *dx = first;
        return first_is_free;
    }
    bool second_is_free = is_free(search, -first, dy);
    *dx = first_is_free ? first : -first;
    return first_is_free != second_is_free;
}

// Tries the offsets with these distances. After a push along x, the side goes before the height; else the height goes
// first.
static bool try_ring_point(const struct search *search, int32_t reach_x, int32_t reach_y, int32_t *dx, int32_t *dy)
{
    for (int32_t i = 0; i < (search->side_first && reach_x != 0 ? 2 : 1); i++)
        for (int32_t j = 0; j < (reach_y != 0 ? 2 : 1); j++) {
            *dy = j == 0 ? search->first_y * reach_y : -search->first_y * reach_y;
            *dx = i == 0 ? search->first_x * reach_x : -search->first_x * reach_x;
            if (search->side_first ? is_free(search, *dx, *dy) : choose_side(search, reach_x, *dy, dx))
                return true;
        }
    return false;
}

static bool search_around(const struct search *search, int32_t *dx, int32_t *dy)
{
    if (search->max_x < 0 || search->max_y < 0)
        return false;
    for (int32_t reach = 0; reach <= search->max_x + search->max_y; reach++)
        for (int32_t reach_x = 0; reach_x <= reach && reach_x <= search->max_x; reach_x++)
            if (reach - reach_x <= search->max_y && try_ring_point(search, reach_x, reach - reach_x, dx, dy))
                return true;
    return false;
}

static struct search search_of(const struct df_space *space, const struct df_actor *actor,
                               const struct df_squish *squish, int32_t max_x, int32_t max_y)
{
    struct search search = {.space = space, .actor = actor, .box = df_actor_box(actor), .first_y = -1};
    search.max_x = max_x < DF_SEARCH_PX_MAX ? max_x : DF_SEARCH_PX_MAX;
    search.max_y = max_y < DF_SEARCH_PX_MAX ? max_y : DF_SEARCH_PX_MAX;
    search.first_x = (actor->rem_x > 0) - (actor->rem_x < 0);
    search.side_first = squish != NULL && squish->direction_x != 0;
    if (search.side_first)
        search.first_x = -squish->direction_x;
    if (squish != NULL && squish->direction_y != 0)
        search.first_y = -squish->direction_y;
    return search;
}

// Returns the squish that the rule decides now, if it is this actor's.
static const struct df_squish *squish_of(const struct df_space *space, int32_t actor)
{
    return space->squishing != NULL && space->squishing->actor == actor ? space->squishing : NULL;
}

bool df_find_free(const struct df_space *space, int32_t actor, int32_t reach_px, int32_t *x, int32_t *y)
{
    if (!is_placed(space, actor))
        return false;
    const struct df_actor *body = &space->actors[actor];
    struct search search = search_of(space, body, squish_of(space, actor), reach_px, reach_px);
    int32_t dx, dy;
    if (!search_around(&search, &dx, &dy))
        return false;
    *x = df_torus_canonical(body->x + dx, space->broadphase->period_x);
    *y = df_torus_canonical(body->y + dy, space->broadphase->period_y);
    return true;
}

bool df_actor_wiggle(struct df_space *space, int32_t actor, int32_t max_x_px, int32_t max_y_px)
{
    if (!is_placed(space, actor))
        return false;
    struct df_actor *body = &space->actors[actor];
    const struct df_squish *squish = squish_of(space, actor);
    struct search search = search_of(space, body, squish, max_x_px, max_y_px);
    int32_t dx, dy;
    bool found = search_around(&search, &dx, &dy);
    if (!found && squish != NULL) {
        search.box.x = squish->target_x;
        search.box.y = squish->target_y;
        found = search_around(&search, &dx, &dy);
    }
    if (!found)
        return false;
    body->x = df_torus_canonical(search.box.x + dx, space->broadphase->period_x);
    body->y = df_torus_canonical(search.box.y + dy, space->broadphase->period_y);
    body->flags &= ~(uint32_t)DF_ACTOR_EMBEDDED;
    df_broadphase_update_actor(space, actor);
    return true;
}

void df_actor_exact(const struct df_space *space, int32_t actor, int32_t *x_sub, int32_t *y_sub)
{
    *x_sub = *y_sub = 0;
    if (actor < 0 || actor >= space->actor_count)
        return;
    const struct df_actor *body = &space->actors[actor];
    df_body_read_exact(df_actor_box(body), body->rem_x, body->rem_y, x_sub, y_sub);
}

enum df_result df_actor_clear_rem_x(struct df_space *space, int32_t actor)
{
    if (actor < 0 || actor >= space->actor_count)
        return DF_OUT_OF_RANGE;
    space->actors[actor].rem_x = 0;
    return DF_OK;
}

enum df_result df_actor_clear_rem_y(struct df_space *space, int32_t actor)
{
    if (actor < 0 || actor >= space->actor_count)
        return DF_OUT_OF_RANGE;
    space->actors[actor].rem_y = 0;
    return DF_OK;
}
