// SPDX-License-Identifier: MIT
//
// What living players do in a tick, in order: aim and shoot, dash, hold on to ledges, run, fall, jump, and move.
// Humans, bots and replays are all the same here.
#ifndef GAME_PLAYER_STEP
#define GAME_PLAYER_STEP

#include "game/state.h"

struct step;

/// Phase: stores the input of this tick in every player. `inputs` has PLAYER_CAPACITY entries.
void player_step_take_inputs(struct world *world, const struct player_input *inputs);

/// Phase: every living player acts and moves.
void player_step(struct step *step);

#endif
