// SPDX-License-Identifier: MIT
#include "sweep.h"

#include "tile_grid.h"

static inline int32_t sweep(const struct df_space *space, const struct df_actor *actor, enum df_axis axis,
                            int32_t direction, int32_t px, struct df_hit *hit)
{
    struct df_box box = df_body_actor_box(actor);
    struct df_window window;
    df_window_open(&window, space, box, df_body_path(box, axis, direction, px));
    if (window.solid_count < 0)
        return df_window_sweep_outside(space, actor, axis, direction, px, hit);
    return df_window_sweep(&window, space, actor, box, axis, direction, px, hit);
}

int32_t df_sweep_left(const struct df_space *space, const struct df_actor *actor, int32_t px, struct df_hit *hit)
{
    return sweep(space, actor, DF_X, -1, px, hit);
}

int32_t df_sweep_right(const struct df_space *space, const struct df_actor *actor, int32_t px, struct df_hit *hit)
{
    return sweep(space, actor, DF_X, 1, px, hit);
}

int32_t df_sweep_up(const struct df_space *space, const struct df_actor *actor, int32_t px, struct df_hit *hit)
{
    return sweep(space, actor, DF_Y, -1, px, hit);
}

int32_t df_sweep_down(const struct df_space *space, const struct df_actor *actor, int32_t px, struct df_hit *hit)
{
    return sweep(space, actor, DF_Y, 1, px, hit);
}

static bool solid_blocks(const struct df_solid *solid, uint32_t passed_layers)
{
    return df_body_is_present(solid) && (solid->flags & (DF_SOLID_ONEWAY | passed_layers)) == 0;
}

// Asks of any box.
static bool is_blocked_anywhere(const struct df_space *space, struct df_box box, uint32_t passed_layers)
{
    if (!df_broadphase_accepts(space->broadphase, box))
        return true;
    struct df_near_solids near = df_broadphase_near(space->broadphase, box);
    for (int32_t i = df_broadphase_next(&near); i >= 0; i = df_broadphase_next(&near))
        if (solid_blocks(&space->solids[i], passed_layers) &&
            df_broadphase_overlaps(space->broadphase, df_body_solid_box(&space->solids[i]), box))
            return true;
    struct df_hit hit;
    return space->tiles.kinds != NULL && df_tile_grid_overlap(&space->tiles, box, &hit);
}

static bool is_blocked(const struct df_space *space, struct df_box box, uint32_t passed_layers)
{
    struct df_window window;
    df_window_open(&window, space, box, box);
    if (window.solid_count < 0)
        return is_blocked_anywhere(space, box, passed_layers);
    for (int32_t i = 0; i < window.solid_count; i++)
        if (solid_blocks(&space->solids[window.solids[i]], passed_layers))
            return true;
    return false;
}

bool df_sweep_blocked(const struct df_space *space, struct df_box box)
{
    return is_blocked(space, box, 0);
}

bool df_sweep_blocked_for(const struct df_space *space, const struct df_actor *actor, struct df_box box)
{
    return is_blocked(space, box, actor->flags & DF_LAYERS);
}
