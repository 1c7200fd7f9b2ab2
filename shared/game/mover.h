// SPDX-License-Identifier: MIT
//
// Movers: solids that follow their path for ever, alone or as a rigid group. Where a mover is, is a pure function of
// the map and the tick, so it cannot drift, and a world that says otherwise is not sound.
#ifndef GAME_MOVER_H
#define GAME_MOVER_H

#include "step.h"

/// Phase: every mover and group goes to its place of this tick, and carries, pushes or squishes what is there.
void movers_step(struct step *step);

/// The way from where a solid is (px and rem) to where it should be (sub), on an axis of so many tiles; in a map that
/// wraps, the short way round.
int32_t mover_way(const struct map *map, int32_t at_px, int32_t rem, int32_t to_sub, int32_t side_tiles);

/// Place of a mover at a tick, exactly: 256 * px + rem, sub.
void mover_place(const struct map *map, uint32_t solid, tick at, int32_t *x_sub, int32_t *y_sub);

#endif
