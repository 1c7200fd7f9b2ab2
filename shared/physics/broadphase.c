// SPDX-License-Identifier: MIT
#include "broadphase.h"

#include <string.h>

#define CELLS_MIN 512

static int32_t cells_along(int32_t length_px, int32_t shift)
{
    return ((length_px - 1) >> shift) + 1;
}

static int32_t power_of_two(int32_t least)
{
    int32_t power = 1;
    while (power < least)
        power *= 2;
    return power;
}

// A window loads twelve tiles at once, covered or not, so it does that only where all of them exist. Where a world
// wraps, only a grid that is larger has windows, so that no box meets itself around a seam.
static void shape_windows(struct df_broadphase *broadphase, const struct df_tiles *tiles)
{
    int32_t edge = tiles->edge_px, cell = DF_CELL_REACH_PX + 1;
    broadphase->tile_shift = DF_CELL_SHIFT_MIN;
    broadphase->window_w_max = broadphase->window_h_max = (uint32_t)cell;
    if (tiles->kinds == NULL)
        return;
    broadphase->window_w_max = broadphase->window_h_max = 0;
    bool wraps = tiles->outside == DF_OUTSIDE_WRAP;
    if ((edge & (edge - 1)) != 0 || (wraps && (tiles->columns <= DF_WINDOW_COLUMNS || tiles->rows <= DF_WINDOW_ROWS)))
        return;
    int32_t w = (DF_WINDOW_COLUMNS - 1) * edge + 1, h = (DF_WINDOW_ROWS - 1) * edge + 1;
    broadphase->tile_shift = __builtin_ctz((unsigned)edge);
    broadphase->grid_w_px = tiles->columns * edge;
    int64_t loads = (int64_t)(tiles->rows - DF_WINDOW_ROWS + 1) * tiles->columns - DF_WINDOW_COLUMNS + 1;
    broadphase->loads = tiles->columns >= DF_WINDOW_COLUMNS && loads > 0 ? (uint64_t)loads : 0;
    broadphase->window_w_max = (uint32_t)(w < cell ? w : cell);
    broadphase->window_h_max = (uint32_t)(h < cell ? h : cell);
}

// Shapes the grids, from the finest to the first in which every solid covers few enough cells. Their memory grows with
// the bodies, not with the world: a larger world folds onto itself.
static void shape_grids(struct df_broadphase *broadphase, int32_t width_px, int32_t height_px, int32_t bodies)
{
    int32_t columns = power_of_two(cells_along(width_px, DF_CELL_SHIFT_MIN));
    int32_t rows = power_of_two(cells_along(height_px, DF_CELL_SHIFT_MIN)), cells = CELLS_MIN;
    while (cells <= bodies)
        cells *= 2;
    while ((int64_t)columns * rows > cells)
        *(columns > rows ? &columns : &rows) /= 2;
    bool wraps = broadphase->period_x != 0, fits = false;
    for (int32_t shift = DF_CELL_SHIFT_MIN; !fits; shift += 2) {
        struct df_grid *grid = &broadphase->grids[broadphase->grid_count++];
        *grid = (struct df_grid){.shift = shift,
                                 .columns = wraps ? cells_along(width_px, shift) : columns,
                                 .rows = wraps ? cells_along(height_px, shift) : rows,
                                 .column_mask = columns - 1,
                                 .row_mask = rows - 1,
                                 .row_shift = __builtin_ctz((unsigned)columns),
                                 .first_cell = broadphase->cell_count};
        broadphase->cell_count += columns * rows;
        fits = (int64_t)grid->columns * grid->rows <= DF_SOLID_LINKS;
        columns = columns > 4 ? columns / 4 : 1;
        rows = rows > 4 ? rows / 4 : 1;
    }
}

static void shape(struct df_broadphase *broadphase, const struct df_space *space)
{
    const struct df_tiles *tiles = &space->tiles;
    int32_t width_px = tiles->kinds ? tiles->columns * tiles->edge_px : DF_COORDINATE_PX_MAX;
    int32_t height_px = tiles->kinds ? tiles->rows * tiles->edge_px : DF_COORDINATE_PX_MAX;
    bool wraps = tiles->kinds && tiles->outside == DF_OUTSIDE_WRAP;
    *broadphase = (struct df_broadphase){.period_x = wraps ? width_px : 0, .period_y = wraps ? height_px : 0};
    broadphase->width_px_max = (uint32_t)(wraps ? width_px - 1 : DF_COORDINATE_PX_MAX);
    broadphase->height_px_max = (uint32_t)(wraps ? height_px - 1 : DF_COORDINATE_PX_MAX);
    shape_grids(broadphase, width_px, height_px, space->solid_count + space->actor_count);
    shape_windows(broadphase, tiles);
}

struct piece {
    unsigned char *memory;
    size_t used_bytes;
};

static void *take(struct piece *piece, size_t bytes)
{
    unsigned char *place = piece->memory ? piece->memory + piece->used_bytes : NULL;
    piece->used_bytes += (bytes + 7) / 8 * 8;
    return place;
}

static void take_set(struct piece *piece, struct df_bitset *set, int32_t capacity)
{
    int32_t words = capacity;
    set->capacity = capacity;
    set->levels = 0;
    do {
        words = words > 64 ? (words + 63) / 64 : 1;
        set->words[set->levels++] = take(piece, (size_t)words * sizeof(uint64_t));
    } while (words > 1);
    set->top = set->words[set->levels - 1];
}

static void take_chains(struct piece *piece, struct df_chains *chains, size_t count, size_t actors)
{
    chains->occupied = take(piece, (count + 63) / 64 * sizeof *chains->occupied);
    chains->first = take(piece, count * sizeof *chains->first);
    chains->next = take(piece, actors * sizeof *chains->next);
    chains->prev = take(piece, actors * sizeof *chains->prev);
    chains->chain = take(piece, actors * sizeof *chains->chain);
}

size_t df_broadphase_layout(struct df_broadphase *broadphase, const struct df_space *space, unsigned char *memory)
{
    shape(broadphase, space);
    struct piece piece = {memory, 0};
    size_t cells = (size_t)broadphase->cell_count;
    size_t solids = (size_t)space->solid_count, actors = (size_t)space->actor_count;
    take_set(&piece, &broadphase->moving, space->solid_count);
    take_set(&piece, &broadphase->near, space->actor_count);
    take_set(&piece, &broadphase->riders, space->actor_count);
    take_set(&piece, &broadphase->pushed, space->actor_count);
    take_set(&piece, &broadphase->squished, space->actor_count);
    take_set(&piece, &broadphase->embedded, space->actor_count);
    take_set(&piece, &broadphase->paddled, space->ball_count);
    take_set(&piece, &broadphase->crushed, space->ball_count);
    if (memory != NULL)
        memset(memory, 0, piece.used_bytes);
    broadphase->solid_cells = take(&piece, solids * sizeof *broadphase->solid_cells);
    broadphase->solid_first = take(&piece, cells * sizeof *broadphase->solid_first);
    broadphase->solid_next = take(&piece, solids * DF_SOLID_LINKS * sizeof *broadphase->solid_next);
    take_chains(&piece, &broadphase->in_cells, cells, actors);
    take_chains(&piece, &broadphase->on_solids, solids, actors);
    return piece.used_bytes;
}

// --- solids

static void link_solid(struct df_broadphase *broadphase, int32_t solid)
{
    struct df_cells cells = broadphase->solid_cells[solid];
    if (cells.columns == 0)
        return;
    for (int32_t i = 0; i < cells.columns * cells.rows; i++) {
        int32_t *first = &broadphase->solid_first[df_broadphase_nth_cell(broadphase, cells, i)];
        broadphase->solid_next[solid * DF_SOLID_LINKS + i] = *first;
        *first = solid * DF_SOLID_LINKS + i;
    }
    broadphase->grids[cells.grid].solid_count++;
    broadphase->solid_grids |= UINT32_C(1) << cells.grid;
}

static void unlink_solid(struct df_broadphase *broadphase, int32_t solid)
{
    struct df_cells cells = broadphase->solid_cells[solid];
    if (cells.columns == 0)
        return;
    for (int32_t i = 0; i < cells.columns * cells.rows; i++) {
        int32_t *link = &broadphase->solid_first[df_broadphase_nth_cell(broadphase, cells, i)];
        while (*link != solid * DF_SOLID_LINKS + i)
            link = &broadphase->solid_next[*link];
        *link = broadphase->solid_next[*link];
    }
    if (--broadphase->grids[cells.grid].solid_count == 0)
        broadphase->solid_grids &= ~(UINT32_C(1) << cells.grid);
}

static struct df_cells cells_of_solid(const struct df_space *space, int32_t solid)
{
    struct df_box box = df_solid_box(&space->solids[solid]);
    struct df_cells cells = {0, 0, 0, 0, 0};
    if (!df_body_is_present(&space->solids[solid]) || !df_broadphase_accepts(space->broadphase, box))
        return cells;
    box = (struct df_box){box.x - DF_CELL_REACH_PX, box.y - DF_CELL_REACH_PX, box.w + DF_CELL_REACH_PX,
                          box.h + DF_CELL_REACH_PX};
    for (int32_t grid = 0; grid < space->broadphase->grid_count; grid++) {
        cells = df_broadphase_cells(space->broadphase, grid, box);
        if (cells.columns * cells.rows <= DF_SOLID_LINKS)
            break;
    }
    return cells;
}

void df_broadphase_update_solid(struct df_space *space, int32_t solid)
{
    struct df_cells now = cells_of_solid(space, solid), *old = &space->broadphase->solid_cells[solid];
    if (memcmp(&now, old, sizeof now) == 0)
        return;
    unlink_solid(space->broadphase, solid);
    *old = now;
    link_solid(space->broadphase, solid);
}

static bool next_cell(struct df_near_solids *near)
{
    const struct df_broadphase *broadphase = near->broadphase;
    if (near->cell == near->cells.columns * near->cells.rows) {
        if (near->grids == 0)
            return false;
        near->cells = df_broadphase_cells(broadphase, __builtin_ctz(near->grids), near->box);
        near->cell = 0;
        near->grids &= near->grids - 1;
    }
    near->link = broadphase->solid_first[df_broadphase_nth_cell(broadphase, near->cells, near->cell++)];
    return true;
}

int32_t df_broadphase_next(struct df_near_solids *near)
{
    int32_t solid;
    do {
        while (near->link < 0)
            if (!next_cell(near))
                return -1;
        solid = df_broadphase_linked(near->link);
        near->link = near->broadphase->solid_next[near->link];
    } while (df_broadphase_hides(near->broadphase, solid));
    return solid;
}

int32_t df_broadphase_next_overlapping(const struct df_space *space, struct df_box box, int32_t last)
{
    int32_t least = -1;
    struct df_near_solids near = df_broadphase_near(space->broadphase, box);
    for (int32_t i = df_broadphase_next(&near); i >= 0; i = df_broadphase_next(&near))
        if (i > last && (least < 0 || i < least) &&
            df_broadphase_overlaps(space->broadphase, box, df_solid_box(&space->solids[i])))
            least = i;
    return least;
}

// --- actors

static void unhang(struct df_chains *chains, int32_t actor)
{
    int32_t next = chains->next[actor], prev = chains->prev[actor];
    if (next >= 0)
        chains->prev[next] = prev;
    if (prev >= 0) {
        chains->next[prev] = next;
        return;
    }
    int32_t chain = chains->chain[actor];
    chains->first[chain] = next;
    if (next < 0)
        chains->occupied[chain / 64] &= ~(UINT64_C(1) << (chain % 64));
}

// Hangs an actor that hangs in no chain in one.
static inline void push(struct df_chains *chains, int32_t actor, int32_t chain)
{
    int32_t next = chains->first[chain];
    if (next >= 0)
        chains->prev[next] = actor;
    chains->next[actor] = next;
    chains->prev[actor] = -1;
    chains->chain[actor] = chain;
    chains->first[chain] = actor;
    chains->occupied[chain / 64] |= UINT64_C(1) << (chain % 64);
}

static void clear_chains(struct df_chains *chains, int32_t count, int32_t actors)
{
    memset(chains->occupied, 0, (size_t)(count + 63) / 64 * sizeof *chains->occupied);
    if (count > 0)
        memset(chains->first, -1, (size_t)count * sizeof *chains->first);
    if (actors > 0)
        memset(chains->chain, -1, (size_t)actors * sizeof *chains->chain);
}

// Hangs an actor in a chain, or in none (-1), instead of the one in which it hangs.
static void hang(struct df_chains *chains, int32_t actor, int32_t chain)
{
    if (chain == chains->chain[actor])
        return;
    if (chains->chain[actor] >= 0)
        unhang(chains, actor);
    chains->chain[actor] = -1;
    if (chain >= 0)
        push(chains, actor, chain);
}

// An actor hangs in the finest grid with larger cells, so that a search looks only a cell further.
static int32_t cell_of_actor(struct df_broadphase *broadphase, struct df_box box)
{
    int32_t size_px = box.w > box.h ? box.w : box.h, i = 0;
    while (i + 1 < broadphase->grid_count && size_px > 1 << broadphase->grids[i].shift)
        i++;
    struct df_grid *grid = &broadphase->grids[i];
    broadphase->actor_grids |= UINT32_C(1) << i;
    grid->widest = box.w > grid->widest ? box.w : grid->widest;
    grid->tallest = box.h > grid->tallest ? box.h : grid->tallest;
    return df_broadphase_cell_of(broadphase, i, box.x, box.y);
}

void df_broadphase_update_actor(struct df_space *space, int32_t actor)
{
    struct df_broadphase *broadphase = space->broadphase;
    const struct df_actor *body = &space->actors[actor];
    struct df_box box = df_actor_box(body);
    bool hangs = df_body_is_alive(body) && df_broadphase_accepts(broadphase, box);
    int32_t cell = hangs ? cell_of_actor(broadphase, box) : -1;
    if (space->moving)
        df_bitset_add(&broadphase->near, actor);
    if (df_body_is_alive(body) && (body->flags & DF_ACTOR_EMBEDDED) != 0)
        df_bitset_add(&broadphase->embedded, actor);
    else
        df_bitset_remove(&broadphase->embedded, actor);
    int32_t solid = hangs ? df_body_attached_to(body) : -1;
    hang(&broadphase->in_cells, actor, cell);
    hang(&broadphase->on_solids, actor, solid < space->solid_count ? solid : -1);
}

// --- all

// Does what df_broadphase_update_actor() does for an actor that hangs nowhere, in half the time.
static void hang_anew(struct df_space *space, int32_t actor)
{
    struct df_broadphase *broadphase = space->broadphase;
    const struct df_actor *body = &space->actors[actor];
    push(&broadphase->in_cells, actor, cell_of_actor(broadphase, df_actor_box(body)));
    int32_t solid = df_body_attached_to(body);
    if (solid >= 0 && solid < space->solid_count)
        push(&broadphase->on_solids, actor, solid);
    if ((body->flags & DF_ACTOR_EMBEDDED) != 0)
        df_bitset_add(&broadphase->embedded, actor);
}

bool df_broadphase_rebuild(struct df_space *space)
{
    bool valid = true;
    struct df_broadphase *broadphase = space->broadphase;
    broadphase->solid_grids = broadphase->actor_grids = 0;
    for (int32_t i = 0; i < broadphase->grid_count; i++)
        broadphase->grids[i].solid_count = broadphase->grids[i].widest = broadphase->grids[i].tallest = 0;
    memset(broadphase->solid_first, -1, (size_t)broadphase->cell_count * sizeof *broadphase->solid_first);
    clear_chains(&broadphase->in_cells, broadphase->cell_count, space->actor_count);
    clear_chains(&broadphase->on_solids, space->solid_count, space->actor_count);
    df_bitset_clear(&broadphase->embedded);
    for (int32_t i = 0; i < space->solid_count; i++) {
        broadphase->solid_cells[i] = (struct df_cells){0, 0, 0, 0, 0};
        df_broadphase_update_solid(space, i);
        valid = valid && (broadphase->solid_cells[i].columns != 0 || !df_body_is_present(&space->solids[i]));
    }
    for (int32_t i = 0; i < space->actor_count; i++) {
        const struct df_actor *body = &space->actors[i];
        if (!df_body_is_alive(body))
            continue;
        bool hangs = df_broadphase_accepts(broadphase, df_actor_box(body));
        valid = valid && hangs;
        if (hangs)
            hang_anew(space, i);
    }
    return valid;
}

// --- moving solids

void df_broadphase_show_moving(struct df_space *space)
{
    struct df_broadphase *broadphase = space->broadphase;
    for (int32_t i = df_bitset_next(&broadphase->moving, 0); i >= 0; i = df_bitset_next(&broadphase->moving, i + 1))
        df_broadphase_update_solid(space, i);
    broadphase->hides_moving = false;
}

void df_broadphase_hide_moving(struct df_space *space)
{
    space->broadphase->hides_moving = true;
}
