// SPDX-License-Identifier: MIT
//
// Two faces of text with all of Latin-1, from one table of characters in font.c: a small one (5 x 7, proportional)
// and a large, heavy one (8 x 8, the same letters with doubled stems). Text is UTF-8; what is not Latin-1, or not
// UTF-8, shows as an empty box.
#ifndef APP_GFX_FONT_H
#define APP_GFX_FONT_H

#include "canvas.h"

/// Which letters.
enum font_face { FONT_SMALL, FONT_LARGE };

/// From one line of text to the next, px.
#define FONT_LINE_PX 10

/// Width of a text, px.
int32_t font_width(enum font_face face, const char *text);

/// Draws a text; x, y is the top-left corner of its first capital. Marks on capitals and descenders go beyond.
void font_draw(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour, const char *text);

/// The same with a dark outline, readable on anything.
void font_draw_outlined(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour,
                        const char *text);

/// By how much font_draw_huge() enlarges the small face.
#define FONT_HUGE 4

/// A text of a few large letters around the column `middle`, outlined; without marks on letters.
void font_draw_huge(struct canvas *canvas, int32_t middle, int32_t y, argb colour, const char *text);

#endif
