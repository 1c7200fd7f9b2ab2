// SPDX-License-Identifier: MIT
//
// Crushers, the deadfalls of the title: one waits above, warns when somebody is beneath, falls, rests and rises.
// Its state stands in world.crushers at the index of its solid.
#ifndef GAME_CRUSHER
#define GAME_CRUSHER

#include "game/step.h"

/// Phase: every crusher looks, warns, falls, rests or rises.
void crushers_step(struct step *step);

/// True if a crusher that warns or falls would come down on this box.
bool crusher_threatens(const struct world *world, const struct map *map, struct df_box box);

/// All that a crusher sweeps from its rest to the ground, px.
struct df_box crusher_reach(const struct map_solid *crusher);

#endif
