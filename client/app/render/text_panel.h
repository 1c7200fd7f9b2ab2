// SPDX-License-Identifier: MIT
//
// Words over the arena: lines of text on dark paper through which a player who stands behind it is seen. The HUD, the
// scoreboard, the chat and the bar of time are written with it.
#ifndef APP_RENDER_TEXT_PANEL_H
#define APP_RENDER_TEXT_PANEL_H

#include "app/gfx/font.h"
#include "frame.h"

/// Colours of what is written.
#define TEXT_PANEL_COLOUR RGB(0x0E0C16)
#define INK               RGB(0xF2ECDD)
#define INK_DIM           RGB(0xA79FA8)
#define INK_GOLD          RGB(0xF6C12D)
#define INK_ALARM         RGB(0xFF6A4A)
/// Between words and the edge of the picture, px.
#define TEXT_PANEL_MARGIN 6
/// How much of 256 the paper of the HUD hides.
#define TEXT_PANEL_PART 190

/// The face that a person wants for what is read while playing.
enum font_face text_panel_face(const struct frame *frame);

/// A line that ends at `right`; one in the middle of the picture, outlined; the same on paper.
void text_panel_right(struct canvas *canvas, enum font_face face, int32_t right, int32_t y, argb colour,
                      const char *text);
void text_panel_centred(struct canvas *canvas, enum font_face face, int32_t y, argb colour, const char *text);
void text_panel_backed(struct canvas *canvas, enum font_face face, int32_t y, argb colour, const char *text);

/// Paper with rounded corners; `part` of 256 hides what is below.
void text_panel_sheet(struct canvas *canvas, int32_t x, int32_t y, int32_t w, int32_t h, int32_t part);

/// A text in lines of at most `width` px, outlined, from x, y; x negative: each in the middle. Returns the row below.
int32_t text_panel_wrapped(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, int32_t width, argb colour,
                           const char *text);

/// Pixels of the largest sheet that can be seen through.
#define TEXT_PANEL_BENEATH_PX 16384

/// A part of the picture as it was before something was written over it.
struct text_panel_beneath {
    int32_t x, y, w, h;
    argb pixels[TEXT_PANEL_BENEATH_PX];
};

/// Keeps that part (x, y, w, h are set; it is cut down to the picture and to its room).
void text_panel_keep(struct text_panel_beneath *beneath, const struct canvas *canvas);
/// Lets it be seen again where players stand behind, the more the nearer they are.
void text_panel_show_through(const struct frame *frame, const struct text_panel_beneath *beneath);

#endif
