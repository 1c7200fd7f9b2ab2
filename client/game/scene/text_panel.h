// SPDX-License-Identifier: MIT
//
// Text over the arena: lines on dark panels through which players who stand behind them stay visible. The HUD, the
// scoreboard, the chat and the bar of a replay use it.
#ifndef SCENE_TEXT_PANEL_H
#define SCENE_TEXT_PANEL_H

#include "frame.h"
#include "window/font.h"

/// Colours of panels and text.
#define TEXT_PANEL_COLOUR RGB(0x0E0C16)
#define INK               RGB(0xF2ECDD)
#define INK_DIM           RGB(0xA79FA8)
#define INK_GOLD          RGB(0xF6C12D)
#define INK_ALARM         RGB(0xFF6A4A)
/// Between text and the edge of the picture, px.
#define TEXT_PANEL_MARGIN 6
/// How much of 256 a panel of the HUD hides.
#define TEXT_PANEL_PART 190

/// Returns the face that the display options choose for text that is read while playing.
enum font_face text_panel_face(const struct frame *frame);

/// Draw a line of text that ends at `right`; one that is centred and outlined; the same on a panel.
void text_panel_right(struct canvas *canvas, enum font_face face, int32_t right, int32_t y, argb colour,
                      const char *text);
void text_panel_centred(struct canvas *canvas, enum font_face face, int32_t y, argb colour, const char *text);
void text_panel_backed(struct canvas *canvas, enum font_face face, int32_t y, argb colour, const char *text);

/// Draws a panel with rounded corners that hides `part` of 256 of what is below.
void text_panel_sheet(struct canvas *canvas, struct rect rect, int32_t part);

/// Bytes of a line that text_panel_take_line() writes at most, with its final zero.
#define TEXT_PANEL_LINE_BYTES 256
/// Moves the longest line that fits `width` px from the front of `*text` to `line`: whole words; or whole names of a
/// path, or else part of a word, if one word is too wide. Returns false at the end of the text.
bool text_panel_take_line(const char **text, enum font_face face, int32_t width, char line[TEXT_PANEL_LINE_BYTES]);
/// Returns the longest end of a text that fits `width` px, for text that is being typed.
const char *text_panel_tail(enum font_face face, const char *text, int32_t width);

/// Pixels of the largest panel that can be seen through.
#define TEXT_PANEL_BENEATH_PX 16384

/// A part of the picture as it was before a panel covered it.
struct text_panel_beneath {
    struct rect area;
    argb pixels[TEXT_PANEL_BENEATH_PX];
};

/// Copies an area, less what exceeds the picture or the capacity.
void text_panel_keep(struct text_panel_beneath *beneath, const struct canvas *canvas, struct rect area);
/// Lets the copy show through the panel where players stand behind it, the more the nearer they are.
void text_panel_show_through(const struct frame *frame, const struct text_panel_beneath *beneath);

#endif
