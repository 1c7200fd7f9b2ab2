// SPDX-License-Identifier: MIT
//
// The hats that players wear (wire/hat.h), as characters that a person can edit in hats.c. A hat sits on the upper rows
// of a figure's hood, over no eyes, and rises above it by its own height.
#ifndef APP_GFX_HATS_H
#define APP_GFX_HATS_H

#include "canvas.h"
#include "wire/message.h"

/// Draws a hat, or none, on the head of the figure at `head`: its top-left corner, its width, where it looks, how
/// faded. A height that is not 0 is that of the figure, drawn large or small, and the hat is as large.
void hats_draw(struct canvas *canvas, enum hat hat, struct placement head);

/// Returns how far a hat rises above the player figure, px; 0 for none.
int32_t hats_rise_px(enum hat hat);

#endif
