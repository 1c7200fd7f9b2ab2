// SPDX-License-Identifier: MIT
//
// How gifts look on those who have them. A gift is one row of the table in gift_looks.c; it is drawn behind the figure
// or over it.
#ifndef LOOKS_GIFT_LOOKS_H
#define LOOKS_GIFT_LOOKS_H

#include "core/view.h"
#include "window/canvas.h"

/// Who is drawn with their gifts.
struct gift_wearer {
    const struct player *player;
    uint32_t slot;
    int32_t x, y; ///< of the middle of the feet, on the canvas
    tick now;     ///< animation counts in it
};

/// Draws what a player has from chests behind their figure (`over` false), or over it.
void gift_looks_draw(struct canvas *canvas, const struct view *view, const struct gift_wearer *wearer, bool over);

/// Draws the picture of a gift that lasts for a time, 10 x 8 px.
void gift_looks_draw_icon(struct canvas *canvas, enum map_gift gift, int32_t x, int32_t y);

#endif
