// SPDX-License-Identifier: MIT
//
// Draws what flies and what has landed: arrows of each kind with their trails, balls that glow with their speed.
// All from the view; keeps nothing.
#ifndef APP_MISSILES_H
#define APP_MISSILES_H

#include "frame.h"

/// Arrows and balls.
void missiles_draw(const struct frame *frame);

/// The glow of hot balls and of fuses.
void missiles_draw_light(const struct frame *frame);

#endif
