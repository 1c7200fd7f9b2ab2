// SPDX-License-Identifier: MIT
//
// Sudden death: two walls that come in from both sides of the map once a round of lms has lasted long enough, and meet
// in the middle. They are the last solids of the world, after those of the map, and present only while they close in,
// so they carry, push and squish like any other solid. Their positions are a pure function of the map and
// round.sudden_death_ticks.
#ifndef GAME_SUDDEN_DEATH
#define GAME_SUDDEN_DEATH

#include "game/step.h"

/// Returns the number of walls in a mode: WALL_COUNT, or 0.
uint32_t sudden_death_walls(enum mode mode);

/// Writes the walls of a new world after the solids of its map, and counts them.
void sudden_death_init(struct world *world, const struct map *map);

/// Phase: moves the walls closer when it is time.
void sudden_death_step(struct step *step);

/// Removes the walls.
void sudden_death_reset(struct step *step);

/// Returns true if `solid`, one after those of the map, is exactly where and what it should be.
bool sudden_death_is_valid(const struct world *world, const struct map *map, uint32_t solid);

#endif
