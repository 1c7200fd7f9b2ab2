// SPDX-License-Identifier: MIT
//
// The winner's dance: two steps, a turn and a leap, again and again. The figure in the arena and the large one at the
// end of a match dance alike. Pure.
#ifndef APP_GFX_DANCE_H
#define APP_GFX_DANCE_H

#include "app/gfx/sprites.h"

/// Ticks of the whole dance.
#define DANCE_TICKS 96

/// One moment of it.
struct dance {
    enum legs legs;
    int32_t rise;   ///< above the floor, px of a figure
    int32_t squash; ///< px: positive flat, negative tall
    bool mirrored;  ///< looks left
    bool arms_up;
};

/// Returns the moment of a tick of the picture.
struct dance dance_at(uint32_t anim_tick);

#endif
