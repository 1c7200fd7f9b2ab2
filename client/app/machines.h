// SPDX-License-Identifier: MIT
//
// Draws solids that move: brass movers and lifts on their rails, planks, crushers with their rods. What is switched and
// what is flying stand in devices.h and missiles.h. All from the view; keeps nothing.
#ifndef APP_MACHINES_H
#define APP_MACHINES_H

#include "frame.h"

/// Rails, rods and shadows: behind the walls.
void machines_draw_behind(const struct frame *frame);

/// Movers and crushers.
void machines_draw_solids(const struct frame *frame);

/// The glow of crushers that warn and fall.
void machines_draw_light(const struct frame *frame);

#endif
