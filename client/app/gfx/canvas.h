// SPDX-License-Identifier: MIT
//
// A picture in memory and the few functions that draw into it. The game draws every frame of 480 x 270 pixels with
// these alone, so that a screenshot is exact and a test needs no screen; SDL only scales the result. All functions clip
// to the picture. Pure: no I/O, no clock.
#ifndef APP_GFX_CANVAS_H
#define APP_GFX_CANVAS_H

#include <stdint.h>

/// The logical size of the game, px.
#define CANVAS_WIDTH  480
#define CANVAS_HEIGHT 270

/// A colour 0xRRGGBB. The top byte is 0 for "nothing" and 0xFF for a colour.
typedef uint32_t argb;

/// Makes a colour of 0xRRGGBB.
#define RGB(hex) (0xFF000000u | (hex))

/// The picture, row by row.
struct canvas {
    argb pixels[CANVAS_WIDTH * CANVAS_HEIGHT];
};

/// A rectangle on a picture, px: its top-left corner and its size.
struct rect {
    int32_t x, y, w, h;
};

/// What a sprite's characters mean: a colour for each; 0 draws nothing.
struct inks {
    argb of[128];
};

/// A picture as characters, row by row, `w` x `h` of them.
struct sprite {
    int32_t w, h;
    const char *art;
};

/// Returns a mixture of two colours: `part` 0 gives a, 256 gives b.
argb canvas_mix(argb a, argb b, int32_t part);

/// Returns the part of a rectangle that lies on the picture; its size is 0 if none does.
struct rect canvas_clip(struct rect rect);

/// Sets one pixel.
void canvas_dot(struct canvas *canvas, int32_t x, int32_t y, argb colour);
/// Covers one pixel by `part` of 256.
void canvas_tint(struct canvas *canvas, int32_t x, int32_t y, argb colour, int32_t part);
/// Fills a rectangle.
void canvas_box(struct canvas *canvas, struct rect rect, argb colour);
/// Covers a rectangle by `part` of 256.
void canvas_veil(struct canvas *canvas, struct rect rect, argb colour, int32_t part);
/// Draws a line one pixel wide, both ends included.
void canvas_line(struct canvas *canvas, int32_t x0, int32_t y0, int32_t x1, int32_t y1, argb colour);
/// Fills a circle.
void canvas_disc(struct canvas *canvas, int32_t cx, int32_t cy, int32_t radius, argb colour);
/// Draws a circle one pixel wide that covers by `part` of 256.
void canvas_ring(struct canvas *canvas, int32_t cx, int32_t cy, int32_t radius, argb colour, int32_t part);
/// Adds light: `strength` of 256 in the middle, nothing at the radius, in dithered steps.
void canvas_glow(struct canvas *canvas, int32_t cx, int32_t cy, int32_t radius, argb colour, int32_t strength);
/// Where and how a sprite is drawn.
struct placement {
    int32_t x, y;   ///< top-left corner
    int32_t w, h;   ///< stretched to this size (nearest pixel); 0: its own size
    _Bool mirrored; ///< left is right
    int32_t fade;   ///< of 256: 0 covers fully
};

/// Draws a sprite.
void canvas_sprite(struct canvas *canvas, const struct sprite *sprite, struct placement place, const struct inks *inks);

/// Returns the threshold of an ordered dither: 0 to 15, each once in any 4 x 4 pixels.
int32_t canvas_dither(int32_t x, int32_t y);

#endif
