// SPDX-License-Identifier: MIT
//
// Draws what moves and is no player: brass movers on their rails, planks, crushers with their rods, balls, arrows.
// All from the view; keeps nothing.
#ifndef APP_MACHINES_H
#define APP_MACHINES_H

#include "frame.h"

/// Rails, rods and shadows: behind the walls.
void machines_draw_behind(const struct frame *frame);

/// Movers and crushers.
void machines_draw_solids(const struct frame *frame);

/// Arrows with their trails; balls.
void machines_draw_flying(const struct frame *frame);

/// The glow of hot balls and of warning crushers.
void machines_draw_light(const struct frame *frame);

#endif
