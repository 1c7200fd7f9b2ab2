// SPDX-License-Identifier: MIT
//
// Golden pictures: the output of every painter and every screen of the window, pixel for pixel. Each is a row of one of
// the tables here and a PNG in tests/golden/pictures. pictures_test compares them, pictures_renew writes them again. A
// row draws on the game's canvas and depends only on its number: it reads no clock, and only files of this repository.
#ifndef GOLDEN_PICTURES_H
#define GOLDEN_PICTURES_H

#include <stdbool.h>
#include <stddef.h>

#include "window/canvas.h"

/// One picture.
struct picture {
    const char *name;   ///< of its file, without .png; null ends a table
    int32_t x, y, w, h; ///< the part that is kept of a canvas that is not fine, px; w 0: all
    void (*draw)(struct canvas *canvas, uint32_t variant); ///< on a canvas with any content
    uint32_t variant;                                      ///< passed to `draw`
};

/// The tables: the arena, text and panels over it, menus, whole screens, rounds, courses. Null ends them.
extern const struct picture PICTURES_ARENA[], PICTURES_FIGURES[], PICTURES_HUD[], PICTURES_MENUS[], PICTURES_MATCHES[],
    PICTURES_QUICK_CHAT[], PICTURES_ROUNDS[], PICTURES_TRIALS[];
extern const struct picture *const PICTURE_TABLES[];

/// Pixels with their size; `pixels` has room for three fine canvases beside each other.
#define IMAGE_PIXELS (3 * CANVAS_WIDTH * CANVAS_FINE * CANVAS_HEIGHT * CANVAS_FINE)
struct image {
    int32_t w, h;
    argb pixels[IMAGE_PIXELS];
};

/// Calls `visit` for every picture, in the order of the tables.
void pictures_each(void (*visit)(const struct picture *picture, void *context), void *context);

/// Draws a picture and copies its part of the canvas. Returns false if its painter wrote outside the canvas.
bool picture_draw(const struct picture *picture, struct image *image);

/// Draws a match of bots on a map (index in SCREEN_MAPS), the first `local_count` of which play at this window, in the
/// colours for a vision (enum colour_vision). For contact sheets.
void picture_couch(struct canvas *canvas, uint32_t map, uint32_t local_count, uint32_t colour_vision);

/// The path of a picture's PNG.
void picture_path(const char *name, char *path, size_t path_bytes);

/// Reads a PNG. False if it cannot be read, or is larger than a fine canvas.
_Bool image_read(struct image *image, const char *path);

/// The number of pixels that differ; with different sizes, pixels that only one picture has count too.
uint32_t image_difference(const struct image *a, const struct image *b);

/// Shows the new picture, the old one, and their difference in red over the darkened new one, side by side.
void image_side_by_side(struct image *all, const struct image *new_one, const struct image *old_one);

#endif
