// SPDX-License-Identifier: MIT
//
// Which living players are near a place: each column of 32 px is a set of slots, and so is each row; who is near is in
// both. Built once a tick, after everybody has moved, so that hundreds of arrows need not look at every player. It
// gives candidates; the caller compares boxes.
#ifndef GAME_PLAYER_GRID
#define GAME_PLAYER_GRID

#include "game/step.h"

/// Width of a column and height of a row, px; the last may be larger. A box that is asked for must not be.
#define PLAYER_GRID_CELL_PX 32
/// Columns, and rows, of the largest map.
#define PLAYER_GRID_CELLS (MAP_SIDE_CAPACITY * MAP_EDGE_PX / PLAYER_GRID_CELL_PX)
/// 64-bit words of a set of slots.
#define PLAYER_GRID_WORDS (PLAYER_CAPACITY / 64)

/// A set of player slots.
struct player_set {
    uint64_t words[PLAYER_GRID_WORDS];
};

/// The living players of one tick.
struct player_grid {
    struct player_set columns[PLAYER_GRID_CELLS];
    struct player_set rows[PLAYER_GRID_CELLS];
};

/// Enters the hurt box of every living player.
void player_grid_build(struct player_grid *grid, const struct step *step);

/// Returns every player who may overlap the box, and perhaps others.
struct player_set player_grid_near(const struct player_grid *grid, const struct step *step, struct df_box box);

/// Takes the lowest slot out of a set and returns it; PLAYER_CAPACITY if the set is empty.
uint32_t player_grid_take(struct player_set *set);

#endif
