// SPDX-License-Identifier: MIT
//
// Draws solids that move: brass movers and lifts on their rails, planks, crushers with their rods. What is switched and
// what is flying stand in draw_devices.h and draw_projectiles.h. All from the view; keeps nothing.
#ifndef APP_RENDER_DRAW_SOLIDS_H
#define APP_RENDER_DRAW_SOLIDS_H

#include "frame.h"

/// Rails, rods and shadows: behind the walls.
void draw_solids_behind(const struct frame *frame);

/// Movers and crushers.
void draw_solids(const struct frame *frame);

/// The glow of crushers that warn and fall.
void draw_solids_light(const struct frame *frame);

#endif
