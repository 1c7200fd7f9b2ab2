// SPDX-License-Identifier: MIT
//
// What the living do in a tick, in order: aim and shoot, dash, hold on to ledges, run, fall, jump, and move. Knows
// nothing of who sits behind a player.
#ifndef GAME_PLAYER_STEP
#define GAME_PLAYER_STEP

#include "game/state.h"

struct step;

/// Phase: takes everybody's input of this tick. `inputs` has PLAYER_CAPACITY entries.
void players_take_inputs(struct world *world, const struct player_input *inputs);

/// Phase: every living player acts and moves.
void players_step(struct step *step);

#endif
