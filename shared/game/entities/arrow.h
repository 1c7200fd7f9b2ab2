// SPDX-License-Identifier: MIT
//
// Arrows: they fly, fall a little, stick in what they hit and ride it when it moves, until somebody picks them up
// or something breaks them. A drill passes the first wall of tiles that is not too thick; a bomb burns where it sticks,
// and explodes. Arrow a is actor PLAYER_CAPACITY + a. Whom they hit is decided in contact.c.
#ifndef GAME_ARROW
#define GAME_ARROW

#include "game/step.h"

/// Phase: every flying arrow flies on; one that lost its hold falls.
void arrows_step(struct step *step);

/// A new arrow from the middle of the shooter's box toward one of eight directions.
void arrow_shoot(struct step *step, enum arrow_kind kind, uint32_t owner, struct df_box from, int32_t aim_x,
                 int32_t aim_y);

/// Takes an arrow out of the world.
void arrow_remove(struct step *step, uint32_t arrow);

/// The same, with an event for eyes and ears. A bomb explodes.
void arrow_break(struct step *step, uint32_t arrow);

/// It loses its hold or its speed, and falls.
void arrow_drop(struct step *step, uint32_t arrow);

/// Arrows that stick in tiles at this box fall: a block has broken.
void arrows_release(struct step *step, struct df_box box);

#endif
