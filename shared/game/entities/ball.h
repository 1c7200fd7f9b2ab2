// SPDX-License-Identifier: MIT
//
// The balls of the map: they keep flying at their speed, break blocks, and return to their start when a solid squishes
// them or they are lost. A ball pressed against blocks is not squished: the blocks break. A dash kicks a ball, an arrow
// drives it on, a bomb throws it. A ball that was hit belongs to the player who hit it last, who is credited with its
// kills until it is back at the speed that the map gave it. contact.c decides which players it kills.
#ifndef GAME_BALL
#define GAME_BALL

#include "game/step.h"

/// Phase: every ball flies on; one that was squished starts again as soon as there is room.
void ball_step(struct step *step);

/// Puts a ball where the map starts it.
void ball_start(struct world *world, const struct map *map, uint32_t ball);

/// Breaks the tile that a ball met, if it is a block. Called by physics.
void ball_meet_tile(struct step *step, uint32_t ball, struct df_ball_hit hit);

/// A solid presses a ball against something: breaks the blocks that it touches; if there are none, the ball is gone
/// until it starts again. Called by physics.
void ball_squish(struct step *step, uint32_t ball);

/// Sends a ball in the direction of a player's dash.
void ball_kick(struct step *step, uint32_t ball, uint32_t slot);

/// Lets an arrow hit a ball. A fast arrow gives it a part of its speed and drops, a fast bomb explodes, a slow arrow
/// does nothing.
void ball_meet_arrow(struct step *step, uint32_t ball, uint32_t arrow);

/// Adds to the speed of a ball, sub per tick; it then belongs to `by`: slot + 1, or 0.
void ball_throw(struct step *step, uint32_t ball, uint32_t by, int32_t vx, int32_t vy);

/// Returns true if the circle of a living ball reaches into the box.
bool ball_touches(const struct step *step, uint32_t ball, struct df_box box);

/// Returns true if the ball is fast enough to kill.
bool ball_kills(const struct df_ball *ball);

#endif
