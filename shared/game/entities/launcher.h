// SPDX-License-Identifier: MIT
//
// Launchers: solids of the map that shoot an arrow once a period. When they shoot is a pure function of the map and the
// tick, like the place of a mover; their arrows belong to nobody.
#ifndef GAME_LAUNCHER
#define GAME_LAUNCHER

#include "game/step.h"

/// Phase: the launchers shoot when their period has passed, from the middle of their side.
void launcher_step(struct step *step);

#endif
