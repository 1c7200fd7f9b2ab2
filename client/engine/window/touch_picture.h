// SPDX-License-Identifier: MIT
//
// Draws the controls of a touch screen over the window, beside the picture of the game where there is room.
#ifndef WINDOW_TOUCH_PICTURE_H
#define WINDOW_TOUCH_PICTURE_H

#include "touch_controls.h"

// --- touch_glyphs.c
//
// Pictures of the controls on a touch screen: a translucent disc with a rim and a glyph. They lie over the whole window
// and not in the canvas, so they have a size of their own, and real transparency. Pure.

/// What there is to draw: each of enum touch_control, and the knob of the stick.
#define TOUCH_GLYPHS_KNOB 8
#define TOUCH_GLYPHS      9

/// Draws one of them into `size` x `size` pixels 0xAARRGGBB; `lit`: a finger is on it.
void touch_glyphs_draw(uint32_t *pixels, int32_t size, uint32_t glyph, bool lit);

/// Textures, made when they are needed first and whenever the size of a control changes. Zero-initialise.
struct touch_picture {
    struct SDL_Texture *textures[TOUCH_GLYPHS][2]; ///< the second: with a finger on it
    int32_t sizes[TOUCH_GLYPHS][2];
};

struct SDL_Renderer;

/// Draws those that there are, once a finger has been seen.
void touch_picture_draw(struct touch_picture *picture, struct SDL_Renderer *renderer,
                        const struct touch_controls *touch);

#endif
