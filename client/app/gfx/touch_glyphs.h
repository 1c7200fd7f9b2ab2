// SPDX-License-Identifier: MIT
//
// Pictures of the controls on a touch screen: a translucent disc with a rim and a glyph. They lie over the whole window
// and not in the canvas, so they have a size of their own, and real transparency. Pure.
#ifndef APP_GFX_TOUCH_GLYPHS_H
#define APP_GFX_TOUCH_GLYPHS_H

#include <stdbool.h>
#include <stdint.h>

/// What there is to draw: each of enum touch_control, and the knob of the stick.
#define TOUCH_GLYPHS_KNOB 8
#define TOUCH_GLYPHS      9

/// Draws one of them into `size` x `size` pixels 0xAARRGGBB; `lit`: a finger is on it.
void touch_glyphs_draw(uint32_t *pixels, int32_t size, uint32_t glyph, bool lit);

#endif
