// SPDX-License-Identifier: MIT
//
// Draws arrows of each kind with their trails, balls that glow with their speed.
// All from the view; keeps nothing.
#ifndef APP_RENDER_DRAW_PROJECTILES_H
#define APP_RENDER_DRAW_PROJECTILES_H

#include "frame.h"

/// Draws arrows and balls.
void draw_projectiles(const struct frame *frame);

/// Draws the glow of hot balls and of fuses.
void draw_projectiles_light(const struct frame *frame);

#endif
