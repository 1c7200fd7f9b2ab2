// SPDX-License-Identifier: MIT
//
// Sudden death: two walls that come in from both sides of the map once a round of lms has lasted long enough, and meet
// in the middle. They are solids of the world after those of the map, present only while they close, so they carry,
// push and squish like any other. Where they are is a pure function of the map and round.closing_ticks.
#ifndef GAME_SUDDEN_DEATH
#define GAME_SUDDEN_DEATH

#include "game/step.h"

/// Walls in a mode: WALL_COUNT, or none.
uint32_t sudden_death_walls(enum mode mode);

/// Writes the walls of a fresh world after the solids of its map.
void sudden_death_init(struct world *world, const struct map *map);

/// Phase: brings the walls nearer when it is time for it.
void sudden_death_step(struct step *step);

/// Takes the walls away.
void sudden_death_reset(struct step *step);

/// True if solid `solid`, one after those of the map, is as it should be.
bool sudden_death_is_sound(const struct world *world, const struct map *map, uint32_t solid);

#endif
