// SPDX-License-Identifier: MIT
//
// Solids that follow a path, alone or as a rigid group: movers for ever, doors and lifts as lift.h sets their clocks.
// Where one is, is a pure function of the map and its clock, so it cannot drift, and a world that says otherwise is not
// sound.
#ifndef GAME_MOVER
#define GAME_MOVER

#include "game/step.h"

/// Phase: everything on a path goes to its place of this tick, and carries, pushes or squishes what is there.
void movers_step(struct step *step);

/// The way from where a solid is (px and rem) to where it should be (sub), on an axis of so many tiles; in a map that
/// wraps, the short way round.
int32_t mover_way(const struct map *map, int32_t at_px, int32_t rem, int32_t to_sub, int32_t side_tiles);

/// What a solid's clock shows: of a mover the world's tick, of a door or lift what its switch has made of it.
uint32_t mover_clock_ticks(const struct world *world, const struct map *map, uint32_t solid);

/// Place of a solid when its clock shows so many ticks, exactly: 256 * px + rem, sub. Without a path: its box.
void mover_place(const struct map *map, uint32_t solid, uint32_t clock_ticks, int32_t *x_sub, int32_t *y_sub);

#endif
