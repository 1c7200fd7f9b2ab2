// SPDX-License-Identifier: MIT
#include "player_grid.h"

static int32_t column_of(const struct step *step, int32_t x)
{
    int32_t side = step->map->columns * MAP_EDGE_PX;
    if (step->map->outside == DF_OUTSIDE_WRAP)
        x -= df_floor_div(x, side) * side;
    return (x < 0 ? 0 : x >= side ? side - 1 : x) / PLAYER_GRID_COLUMN_PX;
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
    }
}

struct player_set player_grid_near(const struct player_grid *grid, const struct step *step, struct df_box box)
{
    struct player_set set = grid->columns[column_of(step, box.x)];
    const struct player_set *right = &grid->columns[column_of(step, box.x + box.w - 1)];
    for (int i = 0; i < PLAYER_GRID_WORDS; i++)
        set.words[i] |= right->words[i];
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
