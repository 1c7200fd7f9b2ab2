// SPDX-License-Identifier: MIT
//
// Draws what flies and what has landed: arrows of each kind with their trails, balls that glow with their speed.
// All from the view; keeps nothing.
#ifndef APP_RENDER_DRAW_PROJECTILES_H
#define APP_RENDER_DRAW_PROJECTILES_H

#include "frame.h"

/// Arrows and balls.
void draw_projectiles(const struct frame *frame);

/// The glow of hot balls and of fuses.
void draw_projectiles_light(const struct frame *frame);

#endif
