// SPDX-License-Identifier: MIT
//
// What stands against the sky: two layers that move slower than the arena, the far one and the near one. Each theme
// has one: factories, gears, towers above clouds, neon, peaks, arcades. Called by draw_backdrop.c.
#ifndef APP_RENDER_DRAW_SKYLINE_H
#define APP_RENDER_DRAW_SKYLINE_H

#include "frame.h"

/// Draws one of the two layers, the nearer if `near`, its foot at row `horizon`. `now`: ticks by which what moves in
/// it has moved.
void draw_skyline(const struct frame *frame, _Bool near, int32_t horizon, uint32_t now);

#endif
