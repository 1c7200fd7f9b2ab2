// SPDX-License-Identifier: MIT
//
// How arrows, chests and gifts look. A kind of arrow is one row, and so is a gift, which is drawn on who has it, behind
// the figure or over it.
#ifndef LOOKS_ITEM_LOOKS_H
#define LOOKS_ITEM_LOOKS_H

#include "core/view.h"
#include "window/canvas.h"

/// How a kind of arrow looks.
struct arrow_look {
    argb ink; ///< of those that a player has: in the quiver, and over a figure
    argb tip, neck, shaft;
    int32_t tip_px;  ///< length of the tip
    int32_t head_px; ///< radius of a round head; 0: a pointed one
    argb light;      ///< that it gives; 0: none
};
extern const struct arrow_look ITEM_LOOKS_ARROWS[ARROW_KINDS];

/// Returns the kind (enum arrow_kind) of an arrow that a player has, by its place in the order of shooting.
uint32_t item_looks_kind(const struct player *player, uint32_t number);

/// Draws a chest; x, y: the middle of its foot. `opens`: its lid is up.
void item_looks_chest(struct canvas *canvas, int32_t x, int32_t y, bool opens);

/// Who is drawn with their gifts.
struct gift_wearer {
    const struct player *player;
    uint32_t slot;
    int32_t x, y; ///< of the middle of the feet, on the canvas
    tick now;     ///< animation counts in it
};

/// Draws the gifts that a player has behind their figure (`over` false), or over it.
void item_looks_gifts(struct canvas *canvas, const struct view *view, const struct gift_wearer *wearer, bool over);

/// Draws the picture of a gift that lasts for a time, 10 x 8 px.
void item_looks_gift_icon(struct canvas *canvas, enum map_gift gift, int32_t x, int32_t y);

#endif
