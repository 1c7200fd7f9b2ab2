// SPDX-License-Identifier: MIT
//
// The controls of gamepads as small drawings, in the look of their family: coloured letters of an Xbox pad, shapes of a
// PlayStation pad, white letters of a Switch pad; shoulders, sticks, the D-pad. A glyph has a name, a short text that
// no font has, so that it can stand wherever the name of a key can; hud/keycap.h draws both. Keeps nothing.
#ifndef APP_GFX_PAD_GLYPHS_H
#define APP_GFX_PAD_GLYPHS_H

#include "canvas.h"

/// Families of gamepads, by what is printed on them.
enum pad_family { PAD_XBOX, PAD_PLAYSTATION, PAD_SWITCH, PAD_FAMILIES };

/// A glyph beyond the buttons (enum gamepad_button): the left stick, and the whole D-pad.
#define PAD_GLYPH_STICK 18
#define PAD_GLYPH_DPAD  19

/// Returns the name of the glyph for a button (enum gamepad_button, or one of those above); "none" for none.
const char *pad_glyphs_name(enum pad_family family, uint32_t button);

/// Returns the width of the glyph with a name, px; 0: the name is not that of a glyph.
int32_t pad_glyphs_width(const char *name);

/// Draws the glyph with a name. Its 13 rows begin at `y`.
void pad_glyphs_draw(struct canvas *canvas, int32_t x, int32_t y, const char *name);

#endif
