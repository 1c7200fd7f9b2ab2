// SPDX-License-Identifier: MIT
//
// Draws the controls of a touch screen over the window, beside the picture of the game where there is room.
#ifndef APP_PLATFORM_TOUCH_PICTURE_H
#define APP_PLATFORM_TOUCH_PICTURE_H

#include "app/gfx/sprites.h"
#include "touch_controls.h"

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
