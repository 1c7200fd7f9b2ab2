// SPDX-License-Identifier: MIT
#include "broadphase.h"

#define CELL_SHIFT_MIN             6
#define CELLS_A_SIDE_MAX           64
#define CELLS_A_SIDE_WITHOUT_TILES 16

static int32_t words_of(int32_t count)
{
    return (count + 63) / 64;
}

static int32_t cells_of(int32_t length_px, int32_t cell_shift, bool wraps)
{
    int32_t cells = ((length_px - 1) >> cell_shift) + 1;
    while (!wraps && (cells & (cells - 1)) != 0)
        cells++;
    return cells;
}

// The fast path loads all tiles of its window, covered or not. Only a grid that is larger than the window has one, so
// that no box meets itself around a seam.
static void shape_fast_path(struct df_broadphase *broadphase, const struct df_tiles *tiles)
{
    int32_t edge = tiles->edge_px;
    if (tiles->kinds == NULL || (edge & (edge - 1)) != 0 || tiles->columns <= DF_FAST_PATH_COLUMNS ||
        tiles->rows <= DF_FAST_PATH_ROWS)
        return;
    broadphase->tile_shift = __builtin_ctz((unsigned)edge);
    broadphase->fast_path_x_end = (uint32_t)((tiles->columns - DF_FAST_PATH_COLUMNS + 1) * edge);
    broadphase->fast_path_y_end = (uint32_t)((tiles->rows - DF_FAST_PATH_ROWS + 1) * edge);
}

static void shape(struct df_broadphase *broadphase, const struct df_space *space)
{
    const struct df_tiles *tiles = &space->tiles;
    int32_t side = CELLS_A_SIDE_WITHOUT_TILES << CELL_SHIFT_MIN;
    int32_t width = tiles->kinds ? tiles->columns * tiles->edge_px : side;
    int32_t height = tiles->kinds ? tiles->rows * tiles->edge_px : side;
    bool wraps = tiles->kinds && tiles->outside == DF_OUTSIDE_WRAP;
    *broadphase = (struct df_broadphase){.cell_shift = CELL_SHIFT_MIN};
    while ((width > height ? width : height) > CELLS_A_SIDE_MAX << broadphase->cell_shift)
        broadphase->cell_shift++;
    broadphase->period_x = wraps ? width : 0;
    broadphase->period_y = wraps ? height : 0;
    broadphase->width_px_max = (uint32_t)(wraps ? width - 1 : DF_COORDINATE_PX_MAX);
    broadphase->height_px_max = (uint32_t)(wraps ? height - 1 : DF_COORDINATE_PX_MAX);
    broadphase->columns = cells_of(width, broadphase->cell_shift, wraps);
    broadphase->rows = cells_of(height, broadphase->cell_shift, wraps);
    broadphase->solid_words = words_of(space->solid_count);
    broadphase->actor_words = words_of(space->actor_count);
    broadphase->ball_words = words_of(space->ball_count);
    shape_fast_path(broadphase, tiles);
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

size_t df_broadphase_layout(struct df_broadphase *broadphase, const struct df_space *space, unsigned char *memory)
{
    shape(broadphase, space);
    struct piece piece = {memory, 0};
    size_t cells = (size_t)(broadphase->columns * broadphase->rows);
    size_t solids = (size_t)space->solid_count, actors = (size_t)space->actor_count;
    size_t solid_set_bytes = (size_t)broadphase->solid_words * sizeof(uint64_t);
    size_t actor_set_bytes = (size_t)broadphase->actor_words * sizeof(uint64_t);
    size_t ball_set_bytes = (size_t)broadphase->ball_words * sizeof(uint64_t);
    broadphase->cells = take(&piece, cells * solid_set_bytes);
    broadphase->moving = take(&piece, solid_set_bytes);
    broadphase->hidden = take(&piece, solid_set_bytes);
    broadphase->near = take(&piece, actor_set_bytes);
    broadphase->riders = take(&piece, actor_set_bytes);
    broadphase->pushed = take(&piece, actor_set_bytes);
    broadphase->squished = take(&piece, actor_set_bytes);
    broadphase->embedded = take(&piece, actor_set_bytes);
    broadphase->paddled = take(&piece, ball_set_bytes);
    broadphase->crushed = take(&piece, ball_set_bytes);
    broadphase->solid_cells = take(&piece, solids * sizeof *broadphase->solid_cells);
    broadphase->actor_first = take(&piece, cells * sizeof *broadphase->actor_first);
    broadphase->actor_next = take(&piece, actors * sizeof *broadphase->actor_next);
    broadphase->actor_prev = take(&piece, actors * sizeof *broadphase->actor_prev);
    broadphase->actor_cell = take(&piece, actors * sizeof *broadphase->actor_cell);
    if (memory != NULL)
        memset(memory, 0, piece.used_bytes);
    for (size_t i = 0; memory != NULL && i < cells; i++)
        broadphase->actor_first[i] = -1;
    for (size_t i = 0; memory != NULL && i < actors; i++)
        broadphase->actor_cell[i] = -1;
    return piece.used_bytes;
}

static void mark(struct df_broadphase *broadphase, struct df_cells cells, int32_t solid, bool present)
{
    uint64_t bit = UINT64_C(1) << (solid % 64);
    for (int32_t i = 0; i < cells.rows; i++)
        for (int32_t j = 0; j < cells.columns; j++) {
            int32_t cell =
                (cells.row + i) % broadphase->rows * broadphase->columns + (cells.column + j) % broadphase->columns;
            uint64_t *word = &broadphase->cells[cell * broadphase->solid_words + solid / 64];
            *word = present ? *word | bit : *word & ~bit;
        }
}

void df_broadphase_update_solid(struct df_space *space, int32_t solid)
{
    struct df_broadphase *broadphase = space->broadphase;
    struct df_cells *old = &broadphase->solid_cells[solid], now = {0, 0, 0, 0};
    struct df_box box = df_body_solid_box(&space->solids[solid]);
    if (df_body_is_present(&space->solids[solid]) && df_broadphase_accepts(broadphase, box))
        now = df_broadphase_cells(broadphase, (struct df_box){box.x - DF_CELL_REACH_PX, box.y - DF_CELL_REACH_PX,
                                                              box.w + DF_CELL_REACH_PX, box.h + DF_CELL_REACH_PX});
    if (((now.column ^ old->column) | (now.row ^ old->row) | (now.columns ^ old->columns) | (now.rows ^ old->rows)) ==
        0)
        return;
    mark(broadphase, *old, solid, false);
    mark(broadphase, now, solid, true);
    *old = now;
}

static void unhang(struct df_broadphase *broadphase, int32_t actor)
{
    int32_t next = broadphase->actor_next[actor], prev = broadphase->actor_prev[actor];
    if (next >= 0)
        broadphase->actor_prev[next] = prev;
    if (prev >= 0)
        broadphase->actor_next[prev] = next;
    else
        broadphase->actor_first[broadphase->actor_cell[actor]] = next;
}

static void hang(struct df_broadphase *broadphase, int32_t actor, int32_t cell)
{
    int32_t next = broadphase->actor_first[cell];
    if (next >= 0)
        broadphase->actor_prev[next] = actor;
    broadphase->actor_next[actor] = next;
    broadphase->actor_prev[actor] = -1;
    broadphase->actor_first[cell] = actor;
}

void df_broadphase_update_actor(struct df_space *space, int32_t actor)
{
    struct df_broadphase *broadphase = space->broadphase;
    const struct df_actor *body = &space->actors[actor];
    int32_t cell = -1;
    if (df_body_is_alive(body) && df_broadphase_accepts(broadphase, df_body_actor_box(body))) {
        cell = df_broadphase_cell_of(broadphase, body->x, body->y);
        broadphase->widest = body->w > broadphase->widest ? body->w : broadphase->widest;
        broadphase->tallest = body->h > broadphase->tallest ? body->h : broadphase->tallest;
    }
    if (space->moving)
        df_bitset_add(broadphase->near, actor);
    if (df_body_is_alive(body) && (body->flags & DF_ACTOR_EMBEDDED) != 0)
        df_bitset_add(broadphase->embedded, actor);
    else
        df_bitset_remove(broadphase->embedded, actor);
    if (cell == broadphase->actor_cell[actor])
        return;
    if (broadphase->actor_cell[actor] >= 0)
        unhang(broadphase, actor);
    if (cell >= 0)
        hang(broadphase, actor, cell);
    broadphase->actor_cell[actor] = cell;
}

void df_broadphase_shift_actor(struct df_space *space, int32_t actor, enum df_axis axis, int32_t px)
{
    struct df_actor *body = &space->actors[actor];
    if (axis == DF_X)
        body->x = df_torus_canonical(body->x + px, space->broadphase->period_x);
    else
        body->y = df_torus_canonical(body->y + px, space->broadphase->period_y);
    if (df_broadphase_cell_of(space->broadphase, body->x, body->y) != space->broadphase->actor_cell[actor] ||
        space->moving)
        df_broadphase_update_actor(space, actor);
}

void df_broadphase_show_moving(struct df_space *space)
{
    struct df_broadphase *broadphase = space->broadphase;
    for (int32_t i = df_bitset_next(broadphase->moving, broadphase->solid_words, 0); i >= 0;
         i = df_bitset_next(broadphase->moving, broadphase->solid_words, i + 1))
        df_broadphase_update_solid(space, i);
    df_bitset_clear(broadphase->hidden, broadphase->solid_words);
}

void df_broadphase_hide_moving(struct df_space *space)
{
    memcpy(space->broadphase->hidden, space->broadphase->moving,
           (size_t)space->broadphase->solid_words * sizeof(uint64_t));
}
