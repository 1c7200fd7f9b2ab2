// SPDX-License-Identifier: MIT
#include "sweep.h"

#include "tile_grid.h"

// Returns the pixels until the actor meets the solid: 0 or more ahead, -1 never, -2 if it overlaps the solid now.
static int32_t gap_to(const struct df_broadphase *broadphase, const struct df_actor *actor,
                      const struct df_solid *solid, enum df_axis axis, int32_t direction)
{
    if (!df_broadphase_accepts(broadphase, df_solid_box(solid)))
        return -1;
    bool along_x = axis == DF_X, oneway = (solid->flags & DF_SOLID_ONEWAY) != 0;
    bool oneways_block = !along_x && direction > 0 && (actor->flags & DF_ACTOR_DROP_THROUGH) == 0;
    int32_t here = along_x ? actor->x : actor->y, length = along_x ? actor->w : actor->h;
    int32_t there = along_x ? solid->x : solid->y, there_length = along_x ? solid->w : solid->h;
    int32_t period = along_x ? broadphase->period_x : broadphase->period_y;
    bool across = along_x ? df_torus_spans_overlap(actor->y, actor->h, solid->y, solid->h, broadphase->period_y)
                          : df_torus_spans_overlap(actor->x, actor->w, solid->x, solid->w, broadphase->period_x);
    if (!df_body_is_present(solid) || (oneway && !oneways_block) || !across || df_body_passes(actor, solid))
        return -1;
    if (!oneway && df_torus_spans_overlap(here, length, there, there_length, period))
        return -2;
    int32_t gap = direction > 0 ? there - (here + length) : here - (there + there_length);
    if (period == 0)
        return gap >= 0 ? gap : -1;
    return length + there_length <= period ? df_torus_mod(gap, period) : -1;
}

int32_t df_window_meet(const struct df_space *space, const struct df_actor *actor, int32_t solid, enum df_axis axis,
                       int32_t direction, int32_t free_px, struct df_hit *hit)
{
    if (df_broadphase_hides(space->broadphase, solid))
        return free_px;
    int32_t gap_px = gap_to(space->broadphase, actor, &space->solids[solid], axis, direction);
    bool is_later = gap_px == free_px && (hit->kind == DF_HIT_NONE || hit->index < solid);
    if (gap_px == -1 || gap_px > free_px || is_later)
        return free_px;
    *hit = (struct df_hit){.kind = DF_HIT_SOLID, .index = solid};
    return gap_px;
}

// Returns true if something blocks a step of one pixel, wherever the actor is now.
static bool step_blocked(const struct df_space *space, const struct df_actor *actor, struct df_box there, bool oneways,
                         struct df_hit *hit)
{
    const struct df_broadphase *broadphase = space->broadphase;
    for (int32_t i = df_broadphase_next_overlapping(space, there, -1); i >= 0;
         i = df_broadphase_next_overlapping(space, there, i)) {
        const struct df_solid *solid = &space->solids[i];
        struct df_box box = df_solid_box(solid);
        bool oneway = (solid->flags & DF_SOLID_ONEWAY) != 0;
        if (!df_body_is_present(solid) || df_body_passes(actor, solid) ||
            (oneway && (!oneways || df_broadphase_overlaps(broadphase, box, df_actor_box(actor)))))
            continue;
        *hit = (struct df_hit){.kind = DF_HIT_SOLID, .index = i};
        return true;
    }
    return space->tiles.kinds != NULL && df_tile_grid_blocks_step(&space->tiles, there, oneways, hit);
}

static int32_t sweep_anywhere(const struct df_space *space, const struct df_actor *actor, enum df_axis axis,
                              int32_t direction, int32_t px, struct df_hit *hit);

// Walks an actor that overlaps something. It is free after the first pixel, or it cannot take that.
static int32_t walk_out(const struct df_space *space, const struct df_actor *actor, enum df_axis axis,
                        int32_t direction, int32_t px, struct df_hit *hit)
{
    struct df_box there = df_body_box_moved(df_actor_box(actor), axis, direction);
    if (step_blocked(space, actor, there, df_window_oneways_block(actor, axis, direction), hit))
        return 0;
    struct df_actor out = *actor;
    out.x = there.x;
    out.y = there.y;
    return px == 1 ? 1 : 1 + sweep_anywhere(space, &out, axis, direction, px - 1, hit);
}

// Does every sweep of a valid box.
static int32_t sweep_anywhere(const struct df_space *space, const struct df_actor *actor, enum df_axis axis,
                              int32_t direction, int32_t px, struct df_hit *hit)
{
    int32_t free_px = px;
    struct df_box box = df_actor_box(actor), swept = df_body_path(box, axis, direction, px);
    struct df_near_solids near = df_broadphase_near(space->broadphase, swept);
    hit->kind = DF_HIT_NONE;
    for (int32_t i = df_broadphase_next(&near); i >= 0 && free_px >= 0; i = df_broadphase_next(&near))
        free_px = df_window_meet(space, actor, i, axis, direction, free_px, hit);
    bool has_tiles = space->tiles.kinds != NULL, stuck = free_px < 0;
    if (stuck || (has_tiles && df_tile_grid_overlap(&space->tiles, box, hit))) {
        *hit = (struct df_hit){.kind = DF_HIT_NONE, .index = -1};
        return walk_out(space, actor, axis, direction, px, hit);
    }
    if (!has_tiles)
        return free_px;
    return df_tile_grid_sweep(&space->tiles, box, axis, direction, free_px,
                              df_window_oneways_block(actor, axis, direction), hit);
}

int32_t df_window_sweep_outside(const struct df_space *space, const struct df_actor *actor, enum df_axis axis,
                                int32_t direction, int32_t px, struct df_hit *hit)
{
    if (!df_broadphase_accepts(space->broadphase, df_actor_box(actor)))
        return -1;
    int32_t free_px = sweep_anywhere(space, actor, axis, direction, px, hit);
    hit->direction = direction;
    hit->left_px = px - free_px;
    return free_px;
}

int32_t df_window_add_solids(int32_t *solids, int32_t solid_count, const struct df_space *space,
                             const struct df_box *path, int32_t link)
{
    const struct df_broadphase *broadphase = space->broadphase;
    for (; link >= 0 && solid_count >= 0; link = broadphase->solid_next[link]) {
        int32_t solid = df_broadphase_linked(link);
        if (!df_broadphase_overlaps(broadphase, *path, df_solid_box(&space->solids[solid])) ||
            df_broadphase_hides(broadphase, solid))
            continue;
        if (solid_count == DF_WINDOW_SOLIDS)
            return -1;
        solids[solid_count++] = solid;
    }
    return solid_count;
}

int32_t df_window_add_large_solids(int32_t *solids, int32_t solid_count, const struct df_space *space,
                                   const struct df_box *path)
{
    const struct df_broadphase *broadphase = space->broadphase;
    for (int32_t i = 1; broadphase->solid_grids >> i != 0; i++) {
        const struct df_grid *grid = &broadphase->grids[i];
        int32_t cell = df_broadphase_cell(grid, (int32_t)((uint32_t)path->x >> grid->shift),
                                          (int32_t)((uint32_t)path->y >> grid->shift));
        solid_count = df_window_add_solids(solids, solid_count, space, path, broadphase->solid_first[cell]);
    }
    return solid_count;
}

static bool is_within(int32_t at_px, int32_t length_px)
{
    return at_px >= -DF_COORDINATE_PX_MAX && at_px <= DF_COORDINATE_PX_MAX - length_px;
}

bool df_window_load(struct df_window *window, const struct df_space *space)
{
    const struct df_tiles *tiles = &space->tiles;
    struct df_box path = window->path;
    if (!is_within(path.x, path.w) || !is_within(path.y, path.h))
        return false;
    window->tiles = 0;
    if (tiles->kinds == NULL)
        return true;
    struct df_tile_span columns = df_tile_grid_tiles(path.x, path.w, tiles->edge_px);
    struct df_tile_span rows = df_tile_grid_tiles(path.y, path.h, tiles->edge_px);
    bool leaves = columns.first < 0 || rows.first < 0 || columns.last >= tiles->columns || rows.last >= tiles->rows;
    if (leaves && tiles->outside == DF_OUTSIDE_WRAP)
        return false;
    window->column = columns.first;
    window->row = rows.first;
    for (int32_t row = rows.first; row <= rows.last; row++)
        for (int32_t column = columns.first; column <= columns.last; column++)
            window->tiles |= ((uint32_t)df_tile_grid_at(tiles, column, row) & DF_WINDOW_TILE)
                             << (8 * (column - columns.first) + 2 * (row - rows.first));
    return true;
}

uint32_t df_window_unbroken(const struct df_space *space, uint32_t tiles, int32_t column, int32_t row)
{
    struct df_window window = {.column = column, .row = row};
    for (uint32_t blocks = tiles & tiles >> 1 & DF_WINDOW_HARD; blocks != 0; blocks &= blocks - 1) {
        struct df_hit hit;
        df_window_hit(&window, space, blocks, &hit);
        if (df_tile_grid_at(&space->tiles, hit.column, hit.row) == DF_TILE_EMPTY)
            tiles &= ~(DF_WINDOW_TILE << __builtin_ctz(blocks));
    }
    return tiles;
}

static inline int32_t sweep(const struct df_space *space, const struct df_actor *actor, enum df_axis axis,
                            int32_t direction, int32_t px, struct df_hit *hit)
{
    struct df_box box = df_actor_box(actor);
    struct df_window window;
    int32_t solids[DF_WINDOW_SOLIDS];
    hit->kind = DF_HIT_NONE;
    if (box.w < 1 || box.h < 1 || !df_window_open(&window, solids, space, df_body_path(box, axis, direction, px)))
        return df_window_sweep_outside(space, actor, axis, direction, px, hit);
    if (df_window_is_clear(&window))
        return px;
    struct df_window_box seen = df_window_box(&window, space, box);
    if (df_window_is_stuck(df_window_beside(&window, space, seen), space, seen))
        return df_window_sweep_outside(space, actor, axis, direction, px, hit);
    return df_window_sweep(&window, space, actor, seen, axis, direction, px, hit);
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
            df_broadphase_overlaps(space->broadphase, df_solid_box(&space->solids[i]), box))
            return true;
    struct df_hit hit;
    return space->tiles.kinds != NULL && df_tile_grid_overlap(&space->tiles, box, &hit);
}

static bool is_blocked(const struct df_space *space, struct df_box box, uint32_t passed_layers)
{
    struct df_window window;
    int32_t solids[DF_WINDOW_SOLIDS];
    if (box.w < 1 || box.h < 1 || !df_window_open(&window, solids, space, box))
        return is_blocked_anywhere(space, box, passed_layers);
    if ((window.tiles & DF_WINDOW_HARD) != 0)
        return true;
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
