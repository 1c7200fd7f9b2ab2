// SPDX-License-Identifier: MIT
//
// The scoreboard of a match as text, for a terminal without a window. Reads a world; draws over itself when told that
// it stands on a terminal.
#ifndef BOTS_SCORE_TABLE_H
#define BOTS_SCORE_TABLE_H

#include <stdio.h>

#include "game/world.h"

/// Prints who plays, by score. `redraw`: on a terminal, over the scoreboard of before.
void score_table_print(const struct world *world, const struct map *map, bool redraw, FILE *out);

#endif
