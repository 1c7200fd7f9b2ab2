// SPDX-License-Identifier: MIT
//
// Chests: boxes that fall, are carried and pushed like anybody, open at a living player's touch and give what the
// world's dice choose of what the map allows. What squishes or blasts one breaks it, and its gift is lost. After its
// time a chest comes back to its place, as soon as that is free. Chest c is actor CHEST_ACTORS + c.
#ifndef GAME_CHEST
#define GAME_CHEST

#include "game/step.h"

/// Phase: chests fall, are opened, and come back.
void chests_step(struct step *step);

/// Takes a closed chest out of the world with an event; it comes back after its time.
void chest_break(struct step *step, uint32_t chest);

/// Takes every chest out of the world; each comes back in the next tick in which its place is free.
void chests_reset(struct step *step);

#endif
