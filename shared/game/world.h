// SPDX-License-Identifier: MIT
//
// The one function that moves a match, and those that begin, copy and check it. The world itself, which is the whole
// truth of a match, stands in state.h; all else in the tree carries it, compares it or draws it.
#ifndef GAME_WORLD_H
#define GAME_WORLD_H

#include "state.h"

/// Begins a match on a sound map: tick 0, nobody there, solids at their places.
void world_init(struct world *world, const struct map *map, const struct rules *rules);

/// The same at another tick: a match that follows another goes on with its ticks.
void world_begin(struct world *world, const struct map *map, const struct rules *rules, tick first_tick);

/// Moves the match by one tick. `inputs` has PLAYER_CAPACITY entries; those of absent players are ignored.
/// Pure: same world, map and inputs give the same world on every machine. Reads as its table of phases.
void world_step(struct world *world, const struct map *map, const struct player_input *inputs);

/// Applies a command. False, and nothing changed, if it makes no sense (slot out of range, taken, or empty).
bool world_command(struct world *world, const struct map *map, const struct command *command);

/// Copies what is in use, and clears the rest of the target's used part: save and restore.
void world_copy(struct world *target, const struct world *source);

/// 64-bit field-wise hash of what is in use, the same on every machine (hash.h says how).
uint64_t world_hash(const struct world *world);

/// True if a decoded world cannot make world_step read or write out of bounds: every count, index and size is sound
/// for this map. Decoders call it before anything else sees the world.
bool world_validate(const struct world *world, const struct map *map);

#endif
