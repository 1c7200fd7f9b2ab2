// SPDX-License-Identifier: MIT
//
// The world in which a course begins. Above the rules, because it joins its players by commands.
#ifndef GAME_TRIAL_WORLD
#define GAME_TRIAL_WORLD

#include "sync/world.h"

/// Begins a course: its world before the first tick, with the player in slot 0 and its bots in the slots after that.
/// `catches`: arrows to catch, besides what the map asks for; `variants`: as in struct rules.
void trial_world_begin(struct world *world, const struct map *map, uint32_t catches, uint32_t variants);

#endif
