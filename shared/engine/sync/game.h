// SPDX-License-Identifier: MIT
//
// What the engine asks of a game, with the functions of world.h. A game is linked, not registered: its struct world is
// copied and compared by value, so the engine is compiled with the game's own "game_state.h", which the include path
// finds (shared/game/seam). No other header of a game is in reach of an engine room.
#ifndef SYNC_GAME_H
#define SYNC_GAME_H

#include "walk.h"
#include "world.h"

// --- commands and rules: the order of their fields is that of the wire and of replays

/// Walks the fields of a command after its kind, or, unless the walk is whole, those that count in a command of its
/// kind.
void game_walk_command(struct walk *walk, struct command *command);

/// Returns true if a command can make sense: a player `is_there` in its slot, or not, and its values are in range.
bool game_command_is_possible(const struct command *command, bool is_there);

/// Walks all fields of the rules of a match, each of 32 bits.
void game_walk_rules(struct walk *walk, struct rules *rules);

/// Returns true if every value is in range.
bool game_rules_are_valid(const struct rules *rules);

#endif
