// SPDX-License-Identifier: MIT
//
// What lies behind the arena: the sky, a low sun, and two layers of the theme's skyline that move slower than
// the arena does. Drawn first, and over the whole canvas.
#ifndef APP_RENDER_DRAW_BACKDROP_H
#define APP_RENDER_DRAW_BACKDROP_H

#include "frame.h"

/// Draws the backdrop over the whole canvas.
void draw_backdrop(const struct frame *frame);

/// Draws what falls from the theme's sky, before everything else.
void draw_backdrop_weather(const struct frame *frame);

#endif
