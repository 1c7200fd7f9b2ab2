// SPDX-License-Identifier: MIT
//
// Solids that follow a path, alone or as a rigid group: movers always, doors and lifts as a channel of switches drives
// their clock. A door is a lift along a line of two points: open at its end, shut at its beginning. The position of a
// solid is a pure function of the map and its clock, so it cannot drift, and a world that says otherwise is invalid.
#ifndef GAME_MOVER
#define GAME_MOVER

#include "game/step.h"

/// Phase: the clocks of doors and lifts go on, go back or stand, as their channels say.
void mover_step_clocks(struct step *step);

/// Phase: every solid with a path moves to its position of this tick, and carries, pushes or squishes what is there.
void mover_step(struct step *step);

/// Returns the clock of a solid: a mover's is the world's tick without pauses, a door's or lift's is its own.
uint32_t mover_clock_ticks(const struct world *world, const struct map *map, uint32_t solid);

/// Returns what that clock will be in `ticks`, if no switch and no pause changes anything.
uint32_t mover_clock_in(const struct world *world, const struct map *map, uint32_t solid, uint32_t ticks);

/// Returns the highest value that the clock of a door or lift reaches.
uint32_t mover_clock_max(const struct map_solid *solid);

/// Computes the exact position of a solid at a clock value: 256 * px + rem, sub. Without a path: its box.
void mover_place(const struct map *map, uint32_t solid, uint32_t clock_ticks, int32_t *x_sub, int32_t *y_sub);

/// Returns the distance from where a solid is (px and rem) to where it should be (sub), on an axis of `side_tiles`
/// tiles; in a map that wraps, the short way round.
int32_t mover_way(const struct map *map, int32_t at_px, int32_t rem, int32_t to_sub, int32_t side_tiles);

#endif
