// SPDX-License-Identifier: MIT
//
// What can be done with a world. The game has the rules, so it begins, moves and checks one; the engine copies and
// hashes any, by its replication tables.
#ifndef SYNC_WORLD_H
#define SYNC_WORLD_H

#include "game_state.h"

// --- by the game

/// Begins a match on a valid map: tick 0, no players, solids at their positions.
void world_init(struct world *world, const struct map *map, const struct rules *rules);

/// Begins a match at another tick: a match that follows another continues its ticks.
void world_begin(struct world *world, const struct map *map, const struct rules *rules, tick first_tick);

/// Moves the match by one tick. `inputs` has PLAYER_CAPACITY entries; those of absent players are ignored.
/// Pure: the same world, map and inputs give the same world on every machine.
void world_step(struct world *world, const struct map *map, const struct player_input *inputs);

/// Applies a command. Returns false, and changes nothing, if it is not possible (slot out of range, taken, or empty).
bool world_command(struct world *world, const struct map *map, const struct command *command);

/// Returns true if a decoded world cannot make world_step read or write out of bounds: every count, index and size is
/// possible on this map. Decoders call it before anything else sees the world.
bool world_validate(const struct world *world, const struct map *map);

// --- by the engine

/// Copies what is in use, and clears what only the target had in use: to save and to restore.
void world_copy(struct world *target, const struct world *source);

/// Returns the 64-bit hash of what is in use, the same on every machine (base/hash.h says how).
uint64_t world_hash(const struct world *world);

#endif
