// SPDX-License-Identifier: MIT
//
// A picture in memory and the few functions that draw into it. The game draws every frame with these alone, so that a
// screenshot is exact and a test needs no screen; SDL only scales the result. All functions clip to the picture. Pure:
// no I/O, no clock.
//
// A picture has 640 x 360 points, which the usual displays show as squares of 2, 3, 4 or 6 pixels. A fine picture has
// four pixels in each point: the arena is drawn pixel by pixel, so that four times as much of it is seen, and texts
// and panels point by point, as large as ever. A window that is higher than wide shows pictures of other shapes.
#ifndef WINDOW_CANVAS_H
#define WINDOW_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

/// The size of a wide picture, points.
#define CANVAS_WIDTH  640
#define CANVAS_HEIGHT 360
/// Pixels along a point of a fine picture.
#define CANVAS_FINE 2

/// A colour 0xRRGGBB. The top byte is 0 for "nothing" and 0xFF for a colour.
typedef uint32_t argb;

/// Makes a colour of 0xRRGGBB.
#define RGB(hex) (0xFF000000u | (hex))

/// The shapes of pictures.
enum canvas_shape {
    CANVAS_WIDE,   ///< CANVAS_WIDTH x CANVAS_HEIGHT
    CANVAS_TALL,   ///< that turned on its side: menus of a phone that is held upright
    CANVAS_SQUARE, ///< about as high as wide: the arena there, above the controls
};
/// Their sizes, points.
#define CANVAS_TALL_WIDTH    CANVAS_HEIGHT
#define CANVAS_TALL_HEIGHT   CANVAS_WIDTH
#define CANVAS_SQUARE_HEIGHT 400

/// The picture.
struct canvas {
    enum canvas_shape shape;
    bool fine;      ///< a point has CANVAS_FINE x CANVAS_FINE pixels, else one
    bool by_points; ///< lengths and places are points, else pixels; without `fine` there is no difference
    bool refined;   ///< became fine after the arena was drawn in points
    argb pixels[CANVAS_WIDTH * CANVAS_HEIGHT * CANVAS_FINE * CANVAS_FINE]; ///< row by row of canvas_columns
};

/// A rectangle on a picture, px or points: its top-left corner and its size.
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

/// Makes the picture fine or not. Pixels are drawn then; their colours are undefined.
void canvas_resize(struct canvas *canvas, bool fine);
/// Makes a picture fine without a change to what is drawn on it, and draws from now on in points: for characters that
/// need small pixels.
void canvas_refine(struct canvas *canvas);
/// Enlarges a part of a picture, pixels, to the whole of it, smoothly.
void canvas_zoom(struct canvas *canvas, struct rect part);
/// Draws from now on in points.
void canvas_use_points(struct canvas *canvas);

/// Returns the width of a shape, points.
static inline int32_t canvas_shape_width(enum canvas_shape shape)
{
    return shape == CANVAS_WIDE ? CANVAS_WIDTH : CANVAS_TALL_WIDTH;
}

/// Returns the height of a shape, points.
static inline int32_t canvas_shape_height(enum canvas_shape shape)
{
    return shape == CANVAS_WIDE ? CANVAS_HEIGHT : shape == CANVAS_TALL ? CANVAS_TALL_HEIGHT : CANVAS_SQUARE_HEIGHT;
}

/// Returns the width of a picture, points.
static inline int32_t canvas_width(const struct canvas *canvas)
{
    return canvas_shape_width(canvas->shape);
}

/// Returns the height of a picture, points.
static inline int32_t canvas_height(const struct canvas *canvas)
{
    return canvas_shape_height(canvas->shape);
}

/// Returns the columns of pixels.
static inline int32_t canvas_columns(const struct canvas *canvas)
{
    return canvas_width(canvas) * (canvas->fine ? CANVAS_FINE : 1);
}

/// Returns the rows of pixels.
static inline int32_t canvas_rows(const struct canvas *canvas)
{
    return canvas_height(canvas) * (canvas->fine ? CANVAS_FINE : 1);
}

/// Returns how many pixels a length of 1 is.
static inline int32_t canvas_unit(const struct canvas *canvas)
{
    return canvas->fine && canvas->by_points ? CANVAS_FINE : 1;
}

/// Returns how many pixels of the arena a length of 1 is.
static inline int32_t canvas_arena_unit(const struct canvas *canvas)
{
    return canvas->refined ? 1 : canvas_unit(canvas);
}

/// Returns the part of a rectangle that lies on the picture; its size is 0 if none does.
struct rect canvas_clip(const struct canvas *canvas, struct rect rect);

/// Returns the colour at a place on the picture.
argb canvas_colour(const struct canvas *canvas, int32_t x, int32_t y);

/// Sets one pixel, or point.
void canvas_dot(struct canvas *canvas, int32_t x, int32_t y, argb colour);
/// Covers one pixel, or point, by `part` of 256.
void canvas_tint(struct canvas *canvas, int32_t x, int32_t y, argb colour, int32_t part);
/// Fills a rectangle.
void canvas_box(struct canvas *canvas, struct rect rect, argb colour);
/// Covers a rectangle by `part` of 256.
void canvas_veil(struct canvas *canvas, struct rect rect, argb colour, int32_t part);
/// Covers a rectangle by `part` of 256 at its left, and less and less up to nothing at its right.
void canvas_fade(struct canvas *canvas, struct rect rect, argb colour, int32_t part);
/// Draws a line of width 1, both ends included.
void canvas_line(struct canvas *canvas, int32_t x0, int32_t y0, int32_t x1, int32_t y1, argb colour);
/// Fills a circle.
void canvas_disc(struct canvas *canvas, int32_t cx, int32_t cy, int32_t radius, argb colour);
/// Draws a circle of width 1 that covers by `part` of 256.
void canvas_ring(struct canvas *canvas, int32_t cx, int32_t cy, int32_t radius, argb colour, int32_t part);
/// Adds light: `strength` of 256 in the middle, nothing at the radius, in dithered steps.
void canvas_glow(struct canvas *canvas, int32_t cx, int32_t cy, int32_t radius, argb colour, int32_t strength);

/// Where and how a sprite is drawn.
struct placement {
    int32_t x, y;  ///< top-left corner
    int32_t w, h;  ///< stretched to this size (nearest pixel); 0: its own size
    bool mirrored; ///< left is right
    int32_t fade;  ///< of 256: 0 covers fully
};

/// Draws a sprite.
void canvas_sprite(struct canvas *canvas, const struct sprite *sprite, struct placement place, const struct inks *inks);

/// Returns the threshold of an ordered dither: 0 to 15, each once in any 4 x 4 pixels.
int32_t canvas_dither(int32_t x, int32_t y);

#endif
