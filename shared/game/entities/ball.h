// SPDX-License-Identifier: MIT
//
// The balls of the map: they fly for ever at the speed they have, break blocks, and return to their start when a
// solid squishes them or they are lost. A ball pressed against blocks is not squished: the blocks break. Whom they kill
// is decided in contact.c, what sets them going stands in strike.h.
#ifndef GAME_BALL
#define GAME_BALL

#include "game/step.h"

/// Phase: every ball flies on; one that was squished starts again as soon as there is room.
void balls_step(struct step *step);

/// Puts ball `ball` of a world where the map starts it.
void ball_start(struct world *world, const struct map *map, uint32_t ball);

/// Breaks the block that a ball met, if it is one: told by physics.
void ball_meet(struct step *step, uint32_t ball, struct df_ball_hit hit);

/// A solid presses a ball against something: breaks the blocks it touches, or else the ball is gone until it starts
/// again. Told by physics.
void ball_squish(struct step *step, uint32_t ball);

/// True if a living ball's circle reaches into the box.
bool ball_touches(const struct step *step, uint32_t ball, struct df_box box);

/// True if it is fast enough to kill.
bool ball_kills(const struct df_ball *ball);

/// A speed on one axis brought within what a ball may have.
int32_t ball_limited(int32_t speed);

#endif
