// SPDX-License-Identifier: MIT
//
// Arrows: they fly, fall a little, stick in what they hit and ride it when it moves, until a player picks them up or
// something breaks them. A drill arrow passes the first wall of tiles that is not too thick; a bomb arrow burns where
// it sticks, and explodes. Arrow a is actor PLAYER_CAPACITY + a. contact.c decides which players they hit.
#ifndef GAME_ARROW
#define GAME_ARROW

#include "game/step.h"

/// Phase: flying arrows fly on, stuck ones that lost their hold fall, burnt bombs explode.
void arrow_step(struct step *step);

/// Adds an arrow that flies from the middle of the shooter's box in one of eight directions (-1, 0, +1 on each axis).
/// In a full world the oldest stuck arrow makes room.
void arrow_shoot(struct step *step, enum arrow_kind kind, uint32_t owner, struct df_box from, int32_t aim_x,
                 int32_t aim_y);

/// Leaves a lit bomb of a player in the air, its middle at x, y px, unless something solid is there.
void arrow_leave_bomb(struct step *step, uint32_t owner, int32_t x, int32_t y, uint32_t fuse_ticks);

/// Moves an arrow at rest, without a bomb's fuse, by so many sub until something blocks it; it is still at rest. From
/// the first tick on in which it is not pulled, it falls, unless it touches a tile.
void arrow_pull(struct step *step, uint32_t arrow, int32_t dx_sub, int32_t dy_sub);

/// Removes an arrow without an event.
void arrow_remove(struct step *step, uint32_t arrow);

/// Removes an arrow with an event; a bomb explodes.
void arrow_break(struct step *step, uint32_t arrow);

/// Takes an arrow's hold or speed away, so that it falls.
void arrow_drop(struct step *step, uint32_t arrow);

/// Drops the arrows that stick in tiles at this box, because a block has broken.
void arrow_release_in(struct step *step, struct df_box box);

#endif
