// SPDX-License-Identifier: MIT
//
// The scoreboard of a match as text, for a terminal. Reads a world.
#ifndef BOTS_SCORE_TABLE_H
#define BOTS_SCORE_TABLE_H

#include <stdio.h>

#include "sync/world.h"

/// Prints the players by score. `redraw`: clears the terminal first.
void score_table_print(const struct world *world, const struct map *map, bool redraw, FILE *out);

#endif
