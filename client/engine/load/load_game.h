// SPDX-License-Identifier: MIT
//
// What a load test asks of a game, besides sync/game.h: what its clients press, which events count, and the words of
// its command line. A game is linked, not registered, so a program that load-tests another game is another main.c.
#ifndef LOAD_LOAD_GAME_H
#define LOAD_LOAD_GAME_H

#include <stdio.h>

#include "sync/world.h"

/// The name of the program, for messages and --help.
extern const char LOAD_GAME_PROGRAM[];
/// The server under test if the command line names none, "HOST:PORT"; its port is also that of a server without one.
extern const char LOAD_GAME_SERVER[];
/// The values of --skill, NULL behind the last; and the one that counts if --skill is not given.
extern const char *const LOAD_GAME_SKILLS[];
extern const char LOAD_GAME_SKILL[];

/// Returns what a full client presses in its next tick. `skill`: index into LOAD_GAME_SKILLS.
struct player_input load_game_think(const struct world *world, const struct map *map, uint32_t slot, uint32_t skill);

/// Returns what a client that knows no world presses for the next third of a second. `random`: 24 bits.
struct player_input load_game_walk(uint32_t random);

/// Returns the name of a kind of event, below EVENT_KINDS, in reports; NULL: it is not counted.
const char *load_game_event(uint32_t kind);

/// Prints the players by score, for --scoreboard. `redraw`: clears the terminal first.
void load_game_print_scores(const struct world *world, const struct map *map, bool redraw, FILE *out);

#endif
