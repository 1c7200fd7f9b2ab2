// SPDX-License-Identifier: MIT
//
// Keycaps: keys as hints show them, a small plate with a name or an arrow, and the buttons of gamepads, which have
// glyphs (gfx/pad_glyphs.h). Menus, the hints over the arena, votes and the replay bar draw theirs here. Keeps nothing.
#ifndef APP_HUD_KEYCAP_H
#define APP_HUD_KEYCAP_H

#include "app/gfx/font.h"

/// Names of the caps that show an arrow; the fonts have no letters for these.
#define KEYCAP_LEFT  "\u2190"
#define KEYCAP_UP    "\u2191"
#define KEYCAP_RIGHT "\u2192"
#define KEYCAP_DOWN  "\u2193"

/// Where the next cap is drawn: its left column, and the row of the text on it.
struct keycap_pen {
    struct canvas *canvas;
    enum font_face face;
    int32_t x, y;
};

/// Returns the width of a cap, px.
int32_t keycap_width(enum font_face face, const char *name);
/// Draws a cap and moves the pen to the column behind it.
void keycap_draw(struct keycap_pen *pen, const char *name);

/// Returns the width of a cap and the words behind it, px.
int32_t keycap_hint_width(enum font_face face, const char *name, const char *does);
/// Draws a cap and outlined words behind it, and moves the pen to where the next hint begins.
void keycap_hint(struct keycap_pen *pen, const char *name, const char *does);

/// One or two caps and what they do.
struct keycap_hint {
    const char *caps[3]; ///< NULL after the last
    const char *does;
};

/// Draws a row of hints on a panel, of which the pen's column is the middle.
void keycap_row(struct keycap_pen pen, const struct keycap_hint *hints, uint32_t count);

#endif
