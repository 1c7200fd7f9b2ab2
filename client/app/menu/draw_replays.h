// SPDX-License-Identifier: MIT
//
// Draws the list of replays: a row for each, with when it began, its map and its length; and beside the list the card
// of the one with the focus, a picture of the match and its best players. In the largest text a row has no map.
#ifndef APP_MENU_DRAW_REPLAYS_H
#define APP_MENU_DRAW_REPLAYS_H

#include "app/gfx/font.h"
#include "menu.h"

/// What a row or a card is drawn with, and where.
struct replay_pen {
    struct canvas *canvas;
    enum font_face face;
    struct rect rect;
    uint32_t colour_vision; ///< for the colours of players
};

/// Draws a row; `focused`: brass lies below.
void draw_replays_row(const struct replay_pen *pen, const struct menu_replay *replay, bool focused);
/// Draws a card, at the width of its picture; `card` NULL: it is still made.
void draw_replays_card(const struct replay_pen *pen, const struct menu_replay *replay, const struct menu_card *card);

#endif
