// SPDX-License-Identifier: MIT
//
// The variants of a match, as people read them: in a row over the arena before a round and on the scoreboard, and as a
// text in the menus.
#ifndef APP_HUD_VARIANT_ROW_H
#define APP_HUD_VARIANT_ROW_H

#include "app/render/frame.h"

/// Bytes of the titles of all variants, with the final zero.
#define VARIANT_ROW_BYTES 320

/// Writes the titles of the variants of these bits as "Low gravity, Ice"; without any `none`.
void variant_row_titles(uint32_t variants, const char *none, char text[VARIANT_ROW_BYTES]);

/// Draws the titles of the match's variants from row `y` down, wrapped to `width` px in the middle of the picture.
/// Returns the rows that they take; without variants 0.
int32_t variant_row_draw(const struct frame *frame, int32_t y, int32_t width);
/// Returns the rows that variant_row_draw() takes.
int32_t variant_row_height(const struct frame *frame, int32_t width);

#endif
