// SPDX-License-Identifier: MIT
#include "actor.h"

#include "sweep.h"

// A search for a free place around one place, nearest |dx| + |dy| first.
struct search {
    const struct df_space *space;
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
    return !df_sweep_blocked(search->space, box);
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
    for (int32_t reach = 0; reach <= search->max_x + search->max_y; reach++)
        for (int32_t reach_x = 0; reach_x <= reach && reach_x <= search->max_x; reach_x++)
            if (reach - reach_x <= search->max_y && try_ring_point(search, reach_x, reach - reach_x, dx, dy))
                return true;
    return false;
}

static struct search search_of(const struct df_space *space, const struct df_actor *actor,
                               const struct df_squish *squish, int32_t max_x, int32_t max_y)
{
    struct search search = {.space = space, .box = df_body_actor_box(actor), .first_y = -1};
    search.max_x = max_x < DF_COORDINATE_PX_MAX ? max_x : DF_COORDINATE_PX_MAX;
    search.max_y = max_y < DF_COORDINATE_PX_MAX ? max_y : DF_COORDINATE_PX_MAX;
    search.first_x = (actor->rem_x > 0) - (actor->rem_x < 0);
    search.side_first = squish != NULL && squish->direction_x != 0;
    if (search.side_first)
        search.first_x = -squish->direction_x;
    if (squish != NULL && squish->direction_y != 0)
        search.first_y = -squish->direction_y;
    return search;
}

// Returns the squish whose rule runs now, if it is this actor's.
static const struct df_squish *squish_of(const struct df_space *space, int32_t actor)
{
    return space->squishing != NULL && space->squishing->actor == actor ? space->squishing : NULL;
}

static bool is_living(const struct df_space *space, int32_t actor)
{
    return actor >= 0 && actor < space->actor_count && df_body_is_alive(&space->actors[actor]);
}

bool df_find_free(const struct df_space *space, int32_t actor, int32_t reach_px, int32_t *x, int32_t *y)
{
    if (!is_living(space, actor))
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
    if (!is_living(space, actor))
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
