// SPDX-License-Identifier: MIT
//
// Draws the topmost screen of a menu over whatever is on the canvas: iron plates, brass where the focus is, and at the
// bottom what the buttons do. Also finds the item under the mouse, and handles what is pressed. Keeps nothing.
#ifndef APP_MENU_DRAW_MENU_H
#define APP_MENU_DRAW_MENU_H

#include "menu.h"
#include "window/canvas.h"
#include "window/font.h"
#include "window/window.h"

/// Draws the menu; `anim_tick` counts 60ths of a second for animations.
void draw_menu(struct canvas *canvas, const struct menu *menu, uint32_t anim_tick);

/// Returns the height of a row, px.
int32_t draw_menu_row_px(const struct menu *menu);
/// Returns whether a finger on an item at column x of the canvas makes its value less, and not more.
bool draw_menu_is_less(const struct menu *menu, int32_t x);

/// Returns the item at x, y of the canvas, px; MENU_NOTHING: none.
uint32_t draw_menu_item_at(const struct menu *menu, int32_t x, int32_t y);

/// Draws what keys and buttons do, at the bottom of the picture; for fingers, the buttons that they tap.
void draw_menu_hints(struct canvas *canvas, const struct menu *menu);
/// Finds the button for fingers at x, y of the canvas, and what it presses. Returns false if there is none.
bool draw_menu_button_at(const struct menu *menu, int32_t x, int32_t y, enum menu_press *press);

/// Handles a window event while a menu is open: a key, a gamepad's button, the mouse or a finger on what is drawn.
void menu_input_take(struct menu *menu, const struct window_event *event);

/// Draws the lobby of a menu over whatever is on the canvas: a card for each of four players with their figure in their
/// colour and hat, and what each of their keys or buttons does; a free card shows what to press to stand there.
void draw_lobby(struct canvas *canvas, const struct menu *menu, uint32_t anim_tick);

/// Where a row of a long list is drawn, or the card of a replay.
struct draw_rows_pen {
    struct canvas *canvas;
    enum font_face face;
    struct rect rect;
    bool focused;           ///< brass lies below
    uint32_t colour_vision; ///< for the colours of players
};

/// Draws a server: a row of cells under the titles of the columns. In large text there are fewer columns, and the help
/// below the list says the rest.
void draw_rows_server(const struct draw_rows_pen *pen, const struct server_row *row);
/// Draws the titles of the columns, of which the one that the list is sorted by stands out.
void draw_rows_server_head(const struct draw_rows_pen *pen, enum servers_sort sort);
/// Draws a replay: its date, map and length.
void draw_rows_replay(const struct draw_rows_pen *pen, const struct menu_replay *replay);
/// Draws a card with a picture of the match and its best players, at the width of its picture; `card` NULL: it is still
/// made.
void draw_rows_replay_card(const struct draw_rows_pen *pen, const struct menu_replay *replay,
                           const struct menu_card *card);

#endif
