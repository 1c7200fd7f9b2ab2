// SPDX-License-Identifier: MIT
//
// Blocks: tiles that break, and come back after a time that the map or the mode sets, once nothing is inside.
// world.broken says which are broken, world.rubble which come back and when. In breakout the blocks of a goal stay
// broken.
#ifndef GAME_BLOCK
#define GAME_BLOCK

#include "game/step.h"

/// Breaks the block at a tile; in a map that wraps, column and row may lie beyond the seam. `by` is the slot of the
/// player who did it, or EVENT_NOBODY. Returns false if there is no block, it is broken already, or the world can
/// remember no more rubble.
bool block_break(struct step *step, int32_t column, int32_t row, uint32_t by);

/// Breaks all blocks that the box overlaps. Returns true if any broke.
bool block_break_in(struct step *step, struct df_box box, uint32_t by);

/// Phase: brings back the blocks that are due, if nothing is inside.
void block_step(struct step *step);

/// Brings back all blocks at once; those with something inside follow as soon as they are free.
void block_reset(struct step *step);

#endif
