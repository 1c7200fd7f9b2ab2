// SPDX-License-Identifier: MIT
//
// Crushers, the deadfalls of the title: a crusher waits above, warns when a player is beneath, falls, rests and rises.
// Its state is in world.crushers at the index of its solid.
#ifndef GAME_CRUSHER
#define GAME_CRUSHER

#include "game/step.h"

/// Phase: every crusher looks, warns, falls, rests or rises.
void crusher_step(struct step *step);

/// Returns what a crusher is after tick `now`: its solid has moved by the difference of `fallen`. `sees_someone`: a
/// living player is in its reach.
struct crusher crusher_next(struct crusher crusher, const struct map_solid *solid, const struct tuning *tuning,
                            tick now, bool sees_someone);

/// Returns true if a crusher that warns or falls would come down on this box.
bool crusher_threatens(const struct world *world, const struct map *map, struct df_box box);

/// Returns the box that a crusher sweeps from its rest position to the ground, px.
struct df_box crusher_reach(const struct map_solid *crusher);

#endif
