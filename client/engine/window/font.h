// SPDX-License-Identifier: MIT
//
// Two faces of text with Latin-1, the letters of Polish and French, and the ellipsis, dashes and quotes, from one table
// of characters in font.c: a small one (5 x 7, proportional) and a large, heavy one (8 x 8, the same letters with
// doubled stems). japanese.hex has the Japanese characters that the game uses: squares of 16 x 16 pixels, which make
// the picture fine. Text is UTF-8. Another character, or a byte that is not UTF-8, shows as an empty box.
#ifndef WINDOW_FONT_H
#define WINDOW_FONT_H

#include "canvas.h"

/// The two faces.
enum font_face { FONT_SMALL, FONT_LARGE };

/// From one line of text to the next, px.
#define FONT_LINE_PX 10

/// Returns whether there is a glyph for a character.
bool font_has(uint32_t character);

/// Returns the width of a text, px.
int32_t font_width(enum font_face face, const char *text);

/// Returns the face, or the small one if the text is wider than `width` px in it.
enum font_face font_that_fits(enum font_face face, const char *text, int32_t width);

/// What stands at the end of a text that was cut.
#define FONT_CUT_END "\u2026"
/// Bytes that font_cut() can add to a text.
#define FONT_CUT_BYTES 3
/// Cuts a text that is wider than `width` px between characters, with an ellipsis. The text has room for
/// FONT_CUT_BYTES.
void font_cut(enum font_face face, char *text, int32_t width);

/// Draws a text; x, y is the top-left corner of its first capital. Marks on capitals and descenders go beyond.
void font_draw(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour, const char *text);

/// Draws a text with a dark outline, readable on any background.
void font_draw_outlined(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour,
                        const char *text);

/// The factor by which font_draw_huge() enlarges the small face.
#define FONT_HUGE 4

/// Draws a few huge letters, outlined and centred on the column `middle`. Leaves out accents.
void font_draw_huge(struct canvas *canvas, int32_t middle, int32_t y, argb colour, const char *text);

#endif
