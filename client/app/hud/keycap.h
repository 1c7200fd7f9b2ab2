// SPDX-License-Identifier: MIT
//
// A key or a pad's button as hints show it: a small plate with its name, a direction as an arrow. Menus, the hints over
// the arena, votes and the bar of a replay draw theirs with it. Keeps nothing.
#ifndef APP_HUD_KEYCAP_H
#define APP_HUD_KEYCAP_H

#include "app/gfx/font.h"

/// Columns that the plate of a name takes, px.
int32_t keycap_width(enum font_face face, const char *name);

/// Draws the plate around a name whose first capital would stand at x + 4, y. Returns the column behind the plate.
int32_t keycap_draw(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, const char *name);

/// Columns of a plate and the words behind it, px; draws both, the words outlined, and returns the column behind them.
int32_t keycap_hint_width(enum font_face face, const char *name, const char *does);
int32_t keycap_hint(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, const char *name,
                    const char *does);

/// Some caps and what they do, for keycap_row(); null ends the caps.
struct keycap_hint {
    const char *caps[3];
    const char *does;
};

/// A row of hints on paper, in the middle of the picture; its words stand at y.
void keycap_row(struct canvas *canvas, enum font_face face, int32_t y, const struct keycap_hint *hints, uint32_t count);

#endif
