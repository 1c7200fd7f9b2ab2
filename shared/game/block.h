// SPDX-License-Identifier: MIT
//
// Blocks: tiles that break, and come back after a time that the map or the mode gives, once nobody is inside. Which
// are broken stands in world.broken, those to come back in world.rubble. A team's goal in Breakout stays broken.
#ifndef GAME_BLOCK_H
#define GAME_BLOCK_H

#include "step.h"

/// Breaks the block of a tile; in a map that wraps, column and row may lie beyond the seam. False if there is none, or
/// it is broken already, or the world cannot remember more rubble.
bool block_break(struct step *step, int32_t column, int32_t row);

/// Phase: the blocks whose time has come return, if nobody is inside.
void blocks_step(struct step *step);

/// All blocks return at once, but for those with somebody inside: they do as soon as they can.
void blocks_reset(struct step *step);

#endif
