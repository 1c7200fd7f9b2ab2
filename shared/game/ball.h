// SPDX-License-Identifier: MIT
//
// The balls of the map: they fly for ever at the speed they have, break blocks, and return to their start when a
// solid squishes them or they are lost. Whom they kill is decided in contact.c.
#ifndef GAME_BALL_H
#define GAME_BALL_H

#include "step.h"

/// Phase: every ball flies on; one that was squished starts again as soon as there is room.
void balls_step(struct step *step);

/// The box around a ball, px.
struct df_box ball_box(const struct df_ball *ball);

/// Puts ball `ball` of a world where the map starts it.
void ball_start(struct world *world, const struct map *map, uint32_t ball);

/// Breaks the block that a ball met, if it is one: told by physics.
void ball_meet(struct step *step, struct df_ball_hit hit);

#endif
