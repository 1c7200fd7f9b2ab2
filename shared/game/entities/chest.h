// SPDX-License-Identifier: MIT
//
// Chests: boxes that fall, are carried and pushed like players, open when a living player touches them, and give one of
// the gifts that the map allows, chosen by the world's random numbers. A squish or an explosion breaks a chest, and its
// gift is lost. After its time a chest comes back to its place as soon as that is free. Chest c is actor
// CHEST_ACTORS + c.
#ifndef GAME_CHEST
#define GAME_CHEST

#include "game/step.h"

/// Phase: chests fall, are opened, and come back.
void chest_step(struct step *step);

/// Removes a closed chest with an event; it comes back after its time.
void chest_break(struct step *step, uint32_t chest);

/// Removes every chest; each comes back in the next tick in which its place is free.
void chest_reset(struct step *step);

#endif
