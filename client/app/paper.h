// SPDX-License-Identifier: MIT
//
// Words over the arena: lines of text on dark paper through which a player who stands behind it is seen. The HUD, the
// scoreboard, the chat and the bar of time are written with it.
#ifndef APP_PAPER_H
#define APP_PAPER_H

#include "font.h"
#include "frame.h"

/// Colours of what is written.
#define PAPER     RGB(0x0E0C16)
#define INK       RGB(0xF2ECDD)
#define INK_DIM   RGB(0xA79FA8)
#define INK_GOLD  RGB(0xF6C12D)
#define INK_ALARM RGB(0xFF6A4A)
/// Between words and the edge of the picture, px.
#define PAPER_MARGIN 6
/// How much of 256 the paper of the HUD hides.
#define PAPER_PART 190

/// The face that a person wants for what is read while playing.
enum font_face paper_face(const struct frame *frame);

/// A line that ends at `right`; one in the middle of the picture, outlined; the same on paper.
void paper_right(struct canvas *canvas, enum font_face face, int32_t right, int32_t y, argb colour, const char *text);
void paper_middle(struct canvas *canvas, enum font_face face, int32_t y, argb colour, const char *text);
void paper_backed(struct canvas *canvas, enum font_face face, int32_t y, argb colour, const char *text);

/// Paper with rounded corners; `part` of 256 hides what is below.
void paper_sheet(struct canvas *canvas, int32_t x, int32_t y, int32_t w, int32_t h, int32_t part);

/// A text in lines of at most `width` px, outlined, from x, y; x negative: each in the middle. Returns the row below.
int32_t paper_wrapped(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, int32_t width, argb colour,
                      const char *text);

/// Pixels of the largest sheet that can be seen through.
#define PAPER_BENEATH_PX 16384

/// A part of the picture as it was before something was written over it.
struct paper_beneath {
    int32_t x, y, w, h;
    argb pixels[PAPER_BENEATH_PX];
};

/// Keeps that part (x, y, w, h are set; it is cut down to the picture and to its room).
void paper_keep(struct paper_beneath *beneath, const struct canvas *canvas);
/// Lets it be seen again where players stand behind, the more the nearer they are.
void paper_show_through(const struct frame *frame, const struct paper_beneath *beneath);

#endif
