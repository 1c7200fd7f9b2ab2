// SPDX-License-Identifier: MIT
//
// What the engine sees of this game, beside the functions of sync/game.h: its structs, how a map becomes bytes, and how
// likely its players are to press what.
#include "../ai/nav_graph.h"
#include "../hat.h"
#include "../map/map_blob.h"
#include "../state.h"

/// The kind of command that comes most often.
#define GAME_COMMAND_FREQUENT COMMAND_ROLL

/// What may even out players of unequal skill: numbers below this one.
#define GAME_HANDICAPS HANDICAPS

/// Bytes of the name of a map, which ends with a zero if it is shorter.
#define GAME_MAP_NAME_BYTES MAP_NAME_CAPACITY

/// The most rolls in a tick.
#define GAME_ROLL_CAPACITY MAP_CHEST_CAPACITY

/// Buttons that do something when they go down, rather than while they are held.
#define GAME_EDGE_BUTTONS ((uint32_t)(BUTTON_JUMP | BUTTON_DASH | BUTTON_SHOOT))
