// SPDX-License-Identifier: MIT
//
// The line of a match: warm-up until enough are there, countdown, play, the end of a round, again, and the end of the
// match with its scoreboard; then the next match by itself. What the modes differ in stands in mode.h.
#ifndef GAME_MATCH_FLOW
#define GAME_MATCH_FLOW

#include "game/step.h"

/// Phase: moves the match on when its time or the mode says so.
void match_flow_step(struct step *step);

#endif
