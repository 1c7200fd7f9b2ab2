// SPDX-License-Identifier: MIT
#include "index.h"

#include <string.h>

#define CELL_SHIFT_MIN             6
#define CELLS_A_SIDE_MAX           64
#define CELLS_A_SIDE_WITHOUT_TILES 16

// A solid at the end of the coordinates can push or carry an actor beyond them, at most by its own size.
#define ACTOR_PX_MAX (2 * DF_COORDINATE_PX_MAX + DF_AMOUNT_SUB_MAX / DF_SUB)

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

// A glance loads all its tiles, covered or not. A grid is to be larger than it, so that no box meets itself around a
// seam.
static void shape_glance(struct df_index *index, const struct df_tiles *tiles)
{
    int32_t edge = tiles->edge_px;
    if (tiles->kinds == NULL || (edge & (edge - 1)) != 0 || tiles->columns <= DF_GLANCE_COLUMNS ||
        tiles->rows <= DF_GLANCE_ROWS)
        return;
    index->tile_shift = __builtin_ctz((unsigned)edge);
    index->glance_x_end = (uint32_t)((tiles->columns - DF_GLANCE_COLUMNS + 1) * edge);
    index->glance_y_end = (uint32_t)((tiles->rows - DF_GLANCE_ROWS + 1) * edge);
}

static void shape(struct df_index *index, const struct df_space *space)
{
    const struct df_tiles *tiles = &space->tiles;
    int32_t side = CELLS_A_SIDE_WITHOUT_TILES << CELL_SHIFT_MIN;
    int32_t width = tiles->kinds ? tiles->columns * tiles->edge_px : side;
    int32_t height = tiles->kinds ? tiles->rows * tiles->edge_px : side;
    bool wraps = tiles->kinds && tiles->outside == DF_OUTSIDE_WRAP;
    *index = (struct df_index){.cell_shift = CELL_SHIFT_MIN};
    while ((width > height ? width : height) > CELLS_A_SIDE_MAX << index->cell_shift)
        index->cell_shift++;
    index->period_x = wraps ? width : 0;
    index->period_y = wraps ? height : 0;
    index->columns = cells_of(width, index->cell_shift, wraps);
    index->rows = cells_of(height, index->cell_shift, wraps);
    index->solid_words = words_of(space->solid_count);
    index->actor_words = words_of(space->actor_count);
    index->ball_words = words_of(space->ball_count);
    shape_glance(index, tiles);
}

struct piece {
    unsigned char *memory;
    size_t used_bytes;
};

static void *take(struct piece *piece, size_t count, size_t each_bytes)
{
    unsigned char *place = piece->memory ? piece->memory + piece->used_bytes : NULL;
    piece->used_bytes += (count * each_bytes + 7) / 8 * 8;
    return place;
}

size_t df_index_layout(struct df_index *index, const struct df_space *space, unsigned char *memory)
{
    shape(index, space);
    struct piece piece = {memory, 0};
    size_t cells = (size_t)(index->columns * index->rows);
    size_t solids = (size_t)space->solid_count, actors = (size_t)space->actor_count;
    index->cells = take(&piece, cells * (size_t)index->solid_words, sizeof *index->cells);
    index->moving = take(&piece, (size_t)index->solid_words, sizeof *index->moving);
    index->hidden = take(&piece, (size_t)index->solid_words, sizeof *index->hidden);
    index->near = take(&piece, (size_t)index->actor_words, sizeof *index->near);
    index->riders = take(&piece, (size_t)index->actor_words, sizeof *index->riders);
    index->pushed = take(&piece, (size_t)index->actor_words, sizeof *index->pushed);
    index->squished = take(&piece, (size_t)index->actor_words, sizeof *index->squished);
    index->embedded = take(&piece, (size_t)index->actor_words, sizeof *index->embedded);
    index->paddled = take(&piece, (size_t)index->ball_words, sizeof *index->paddled);
    index->crushed = take(&piece, (size_t)index->ball_words, sizeof *index->crushed);
    index->solid_cells = take(&piece, solids, sizeof *index->solid_cells);
    index->actor_first = take(&piece, cells, sizeof *index->actor_first);
    index->actor_next = take(&piece, actors, sizeof *index->actor_next);
    index->actor_prev = take(&piece, actors, sizeof *index->actor_prev);
    index->actor_cell = take(&piece, actors, sizeof *index->actor_cell);
    if (memory != NULL)
        memset(memory, 0, piece.used_bytes);
    for (size_t i = 0; memory != NULL && i < cells; i++)
        index->actor_first[i] = -1;
    for (size_t i = 0; memory != NULL && i < actors; i++)
        index->actor_cell[i] = -1;
    return piece.used_bytes;
}

static void mark(struct df_index *index, struct df_cells cells, int32_t solid, bool present)
{
    uint64_t bit = UINT64_C(1) << (solid % 64);
    for (int32_t i = 0; i < cells.rows; i++)
        for (int32_t j = 0; j < cells.columns; j++) {
            int32_t cell = (cells.row + i) % index->rows * index->columns + (cells.column + j) % index->columns;
            uint64_t *word = &index->cells[cell * index->solid_words + solid / 64];
            *word = present ? *word | bit : *word & ~bit;
        }
}

void df_index_solid(struct df_space *space, int32_t solid)
{
    struct df_index *index = space->index;
    struct df_cells *old = &index->solid_cells[solid], now = {0, 0, 0, 0};
    struct df_box box = df_solid_box(&space->solids[solid]);
    if (df_solid_is_present(&space->solids[solid]) && df_box_is_valid(box))
        now = df_index_cells(index, (struct df_box){box.x - DF_CELL_REACH_PX, box.y - DF_CELL_REACH_PX,
                                                    box.w + DF_CELL_REACH_PX, box.h + DF_CELL_REACH_PX});
    if (((now.column ^ old->column) | (now.row ^ old->row) | (now.columns ^ old->columns) | (now.rows ^ old->rows)) ==
        0)
        return;
    mark(index, *old, solid, false);
    mark(index, now, solid, true);
    *old = now;
}

static void unhang(struct df_index *index, int32_t actor)
{
    int32_t next = index->actor_next[actor], prev = index->actor_prev[actor];
    if (next >= 0)
        index->actor_prev[next] = prev;
    if (prev >= 0)
        index->actor_next[prev] = next;
    else
        index->actor_first[index->actor_cell[actor]] = next;
}

static void hang(struct df_index *index, int32_t actor, int32_t cell)
{
    int32_t next = index->actor_first[cell];
    if (next >= 0)
        index->actor_prev[next] = actor;
    index->actor_next[actor] = next;
    index->actor_prev[actor] = -1;
    index->actor_first[cell] = actor;
}

void df_index_actor(struct df_space *space, int32_t actor)
{
    struct df_index *index = space->index;
    const struct df_actor *body = &space->actors[actor];
    int32_t cell = -1;
    if (df_actor_is_alive(body) && df_box_is_within(df_actor_box(body), ACTOR_PX_MAX)) {
        cell = df_index_cell_of(index, body->x, body->y);
        index->widest = body->w > index->widest ? body->w : index->widest;
        index->tallest = body->h > index->tallest ? body->h : index->tallest;
    }
    if (space->moving)
        df_set_add(index->near, actor);
    if (df_actor_is_alive(body) && (body->flags & DF_ACTOR_EMBEDDED) != 0)
        df_set_add(index->embedded, actor);
    else
        df_set_remove(index->embedded, actor);
    if (cell == index->actor_cell[actor])
        return;
    if (index->actor_cell[actor] >= 0)
        unhang(index, actor);
    if (cell >= 0)
        hang(index, actor, cell);
    index->actor_cell[actor] = cell;
}
