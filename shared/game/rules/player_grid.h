// SPDX-License-Identifier: MIT
//
// Which living players are near a place: a column of 32 px is a set of slots. Built once in a tick after everybody
// has moved, so that hundreds of arrows need not look at every player. Gives candidates; the caller compares boxes.
#ifndef GAME_PLAYER_GRID
#define GAME_PLAYER_GRID

#include "game/step.h"

/// Width of a column, px; boxes asked for are no wider.
#define CROWD_COLUMN_PX 32
/// Columns of the widest map.
#define CROWD_COLUMNS (MAP_SIDE_CAPACITY * MAP_EDGE_PX / CROWD_COLUMN_PX)
/// 64-bit words of a set of slots.
#define CROWD_WORDS (PLAYER_CAPACITY / 64)

/// A set of player slots.
struct crowd_set {
    uint64_t words[CROWD_WORDS];
};

/// See above.
struct crowd {
    struct crowd_set columns[CROWD_COLUMNS];
};

/// Enters every living player by his hurt box.
void crowd_build(struct crowd *crowd, const struct step *step);

/// Everybody who may overlap the box, and perhaps others.
struct crowd_set crowd_near(const struct crowd *crowd, const struct step *step, struct df_box box);

/// Takes the lowest slot out of a set; PLAYER_CAPACITY when it is empty.
uint32_t crowd_take(struct crowd_set *set);

#endif
