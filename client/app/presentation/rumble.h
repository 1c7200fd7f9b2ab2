// SPDX-License-Identifier: MIT
//
// What players at this machine feel in their gamepads: their own death and their kills, the hit that their shield
// takes, and what comes down or bursts near them. Pure: a view in, the strength of two motors out; platform/gamepads.h
// has the motors.
#ifndef APP_PRESENTATION_RUMBLE_H
#define APP_PRESENTATION_RUMBLE_H

#include "core/view.h"

/// How a gamepad shakes.
struct rumble {
    uint16_t low, high;   ///< strength of the heavy motor and of the light one: 0 (off) to 65,535
    uint32_t duration_ms; ///< 0: not at all
};

/// Returns the strongest of what a player feels of the events that a view shows for the first time.
struct rumble rumble_of(const struct view *view, uint32_t slot);

#endif
