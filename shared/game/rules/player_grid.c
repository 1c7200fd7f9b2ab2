// SPDX-License-Identifier: MIT
#include "rules.h"

// No column or row is smaller than the others, so a box is in at most two also around a seam.
static int32_t cell_of(const struct step *step, int32_t at_px, int32_t side_px)
{
    if (step->map->outside == DF_OUTSIDE_WRAP)
        at_px -= df_floor_div(at_px, side_px) * side_px;
    int32_t cell = at_px < 0 ? 0 : at_px / PLAYER_GRID_CELL_PX, last = side_px / PLAYER_GRID_CELL_PX - 1;
    return cell < last ? cell : last;
}

static int32_t column_of(const struct step *step, int32_t x)
{
    return cell_of(step, x, step->map->columns * MAP_EDGE_PX);
}

static int32_t row_of(const struct step *step, int32_t y)
{
    return cell_of(step, y, step->map->rows * MAP_EDGE_PX);
}

void player_grid_build(struct player_grid *grid, const struct step *step)
{
    *grid = (struct player_grid){0};
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++) {
        if (step->world->players[slot].state != PLAYER_ALIVE)
            continue;
        struct df_box box = step_hurt_box(step, slot);
        uint64_t bit = UINT64_C(1) << slot % 64;
        grid->columns[column_of(step, box.x)].words[slot / 64] |= bit;
        grid->columns[column_of(step, box.x + box.w - 1)].words[slot / 64] |= bit;
        grid->rows[row_of(step, box.y)].words[slot / 64] |= bit;
        grid->rows[row_of(step, box.y + box.h - 1)].words[slot / 64] |= bit;
    }
}

struct player_set player_grid_near(const struct player_grid *grid, const struct step *step, struct df_box box)
{
    const struct player_set *left = &grid->columns[column_of(step, box.x)];
    const struct player_set *right = &grid->columns[column_of(step, box.x + box.w - 1)];
    const struct player_set *top = &grid->rows[row_of(step, box.y)];
    const struct player_set *bottom = &grid->rows[row_of(step, box.y + box.h - 1)];
    struct player_set set;
    for (int i = 0; i < PLAYER_GRID_WORDS; i++)
        set.words[i] = (left->words[i] | right->words[i]) & (top->words[i] | bottom->words[i]);
    return set;
}

uint32_t player_grid_take(struct player_set *set)
{
    for (uint32_t i = 0; i < PLAYER_GRID_WORDS; i++) {
        if (set->words[i] == 0)
            continue;
        uint32_t slot = i * 64 + (uint32_t)__builtin_ctzll(set->words[i]);
        set->words[i] &= set->words[i] - 1;
        return slot;
    }
    return PLAYER_CAPACITY;
}
