// SPDX-License-Identifier: MIT
//
// Draws the controls of a touch screen over the window, beside the picture of the game where there is room: translucent
// discs with a rim and a glyph. They are not on the canvas, so they have a size of their own, and real transparency.
#ifndef WINDOW_TOUCH_PICTURE_H
#define WINDOW_TOUCH_PICTURE_H

#include "touch_controls.h"

/// What there is to draw: each control, and the knob of the stick.
#define TOUCH_GLYPHS (TOUCH_CONTROLS + 1)

/// Textures, made when they are needed first and whenever the size of a control changes. Zero-initialise.
struct touch_picture {
    struct SDL_Texture *textures[TOUCH_GLYPHS][2]; ///< the second: with a finger on it
    int32_t sizes[TOUCH_GLYPHS][2];
};

/// How a disc looks.
struct touch_disc {
    const char *art; ///< its glyph; NULL: none
    bool solid;      ///< it is the knob
    bool lit;        ///< a finger is on it
};

/// Draws a disc into `size` x `size` pixels 0xAARRGGBB.
void touch_picture_disc(uint32_t *pixels, int32_t size, struct touch_disc disc);

struct SDL_Renderer;

/// Draws those that there are, once a finger has been seen.
void touch_picture_draw(struct touch_picture *picture, struct SDL_Renderer *renderer,
                        const struct touch_controls *touch);

#endif
