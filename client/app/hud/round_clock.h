// SPDX-License-Identifier: MIT
//
// The seconds of a match: what its clock shows, and the last ones before a round begins or ends, which are counted
// aloud and in large letters.
#ifndef APP_HUD_ROUND_CLOCK_H
#define APP_HUD_ROUND_CLOCK_H

#include "game/world.h"

/// The last seconds that are counted.
#define ROUND_CLOCK_COUNTDOWN_S 3

/// Seconds that are left of a round, rounded up; or that have passed of one without an end.
uint32_t round_clock_display_s(const struct world *world);

/// 3, 2, 1 before a round begins or its time is up; 0: nothing is counted.
uint32_t round_clock_countdown_s(const struct world *world);

#endif
