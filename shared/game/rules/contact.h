// SPDX-License-Identifier: MIT
//
// What happens when those who moved touch: stomps, shoves, arrows that hit, are caught or picked up, hazards, balls.
// All of a tick's deaths happen at once, so two who kill each other both die whatever their slots.
#ifndef GAME_CONTACT
#define GAME_CONTACT

#include "game/step.h"

/// Phase: finds all contacts of the tick and does what they demand.
void contacts_step(struct step *step);

#endif
