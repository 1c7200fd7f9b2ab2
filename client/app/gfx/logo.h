// SPDX-License-Identifier: MIT
//
// The name of the game in cast iron: eight letters that hang under a beam like the things that fall in it.
#ifndef APP_GFX_LOGO_H
#define APP_GFX_LOGO_H

#include "canvas.h"

#define LOGO_WIDTH  262
#define LOGO_HEIGHT 58

/// Draws the logo with its top-left corner at x, y. `tick` counts 60ths of a second: the letters fall in one after the
/// other; a large one shows them at rest.
void logo_draw(struct canvas *canvas, int32_t x, int32_t y, uint32_t tick);

#endif
