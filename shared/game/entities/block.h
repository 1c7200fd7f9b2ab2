// SPDX-License-Identifier: MIT
//
// Blocks: tiles that break, and come back after a time that the map or the mode gives, once nobody is inside. Which
// are broken stands in world.broken, those to come back in world.rubble. A team's goal in Breakout stays broken.
#ifndef GAME_BLOCK
#define GAME_BLOCK

#include "game/step.h"

/// Breaks the block of a tile; in a map that wraps, column and row may lie beyond the seam. False if there is none, or
/// it is broken already, or the world cannot remember more rubble. `by`: the slot of him whose doing it is, or
/// EVENT_NOBODY.
bool block_break(struct step *step, int32_t column, int32_t row, uint32_t by);

/// Breaks all blocks that the box overlaps. True if any broke.
bool blocks_break(struct step *step, struct df_box box, uint32_t by);

/// Phase: the blocks whose time has come return, if nobody is inside.
void blocks_step(struct step *step);

/// All blocks return at once, but for those with somebody inside: they do as soon as they can.
void blocks_reset(struct step *step);

#endif
