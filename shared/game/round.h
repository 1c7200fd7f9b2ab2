// SPDX-License-Identifier: MIT
//
// Rounds: warm-up until enough are there, play to a score or a time, the scoreboard, and again by itself.
#ifndef GAME_ROUND_H
#define GAME_ROUND_H

#include "step.h"

/// Phase: moves the round on when its time or somebody's score says so.
void round_step(struct step *step);

#endif
