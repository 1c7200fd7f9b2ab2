// SPDX-License-Identifier: MIT
//
// The course of a match: a warm-up until enough players are there, countdown, play, the end of a round, the next round,
// and at the end of the match its scoreboard; then the next match begins by itself. mode.h holds what the modes differ
// in.
#ifndef GAME_MATCH_FLOW
#define GAME_MATCH_FLOW

#include "game/step.h"

/// Phase: changes the phase of the round when its time is over or the mode has decided it.
void match_flow_step(struct step *step);

#endif
