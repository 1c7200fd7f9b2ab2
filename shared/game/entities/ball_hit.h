// SPDX-License-Identifier: MIT
//
// What sets a ball going, and whose it is since: a dash kicks it, an arrow drives it on, a bomb throws it. A struck
// ball is his who struck it last, for the credit of whom it kills, until it has calmed down to the speed the map gave
// it.
#ifndef GAME_BALL_HIT
#define GAME_BALL_HIT

#include "game/step.h"

/// A player who dashes into a ball sends it the way of his dash.
void ball_hit_kick(struct step *step, uint32_t ball, uint32_t slot);

/// A fast arrow that hits a ball gives it a part of its speed and drops; a bomb explodes. A slow one does nothing.
void ball_hit_shoot(struct step *step, uint32_t ball, uint32_t arrow);

/// Adds to the speed of a ball by the doing of `by`, slot + 1 or 0.
void ball_hit_throw(struct step *step, uint32_t ball, uint32_t by, int32_t vx, int32_t vy);

#endif
