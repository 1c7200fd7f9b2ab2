// SPDX-License-Identifier: MIT
//
// The scoreboard of a match as text, for a terminal without a window. Reads a world; draws over itself when told that
// it stands on a terminal.
#ifndef BOTS_SCOREBOARD_H
#define BOTS_SCOREBOARD_H

#include <stdio.h>

#include "game/world.h"

/// Prints who plays, by score. `redraw`: on a terminal, over the scoreboard of before.
void scoreboard_print(const struct world *world, const struct map *map, bool redraw, FILE *out);

#endif
