// SPDX-License-Identifier: MIT
//
// What happens when moving things touch: stomps, shoves, arrows that hit, are caught or picked up, hazards, balls.
// All deaths of a tick happen together, so two players who kill each other both die, whatever their slots are.
#ifndef GAME_CONTACT
#define GAME_CONTACT

#include "game/step.h"

/// Phase: finds all contacts of the tick and applies their effects.
void contact_step(struct step *step);

#endif
