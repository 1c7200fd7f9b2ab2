// SPDX-License-Identifier: MIT
//
// The seconds of a match: what the clock shows, and the countdown before a round begins or ends. The phase is that of
// the confirmed world, the time that of the present, so the clock is neither wrong nor late.
#ifndef APP_HUD_ROUND_CLOCK_H
#define APP_HUD_ROUND_CLOCK_H

#include "core/view.h"

/// First second of the countdown.
#define ROUND_CLOCK_COUNTDOWN_S 3

/// Returns the seconds left of a round, rounded up; without a time limit, the seconds passed.
uint32_t round_clock_display_s(const struct view *view);

/// Returns 3, 2, 1 before a round begins or its time is up; 0: no countdown.
uint32_t round_clock_countdown_s(const struct view *view);

/// Sudden death is announced so many seconds before.
#define ROUND_CLOCK_SUDDEN_DEATH_S 10

/// Returns the seconds until the walls of sudden death begin to close in, in the last ROUND_CLOCK_SUDDEN_DEATH_S; once
/// they do, until they meet; 0: neither.
uint32_t round_clock_sudden_death_s(const struct view *view);

#endif
