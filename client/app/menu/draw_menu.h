// SPDX-License-Identifier: MIT
//
// Draws the topmost screen of a menu over whatever is on the canvas: iron plates, brass where the focus is, and at the
// bottom what the buttons do. Also finds the item under the mouse. Keeps nothing.
#ifndef APP_MENU_DRAW_MENU_H
#define APP_MENU_DRAW_MENU_H

#include "menu.h"
#include "window/canvas.h"

/// Draws the menu; `anim_tick` counts 60ths of a second for animations.
void draw_menu(struct canvas *canvas, const struct menu *menu, uint32_t anim_tick);

/// Returns the height of a row, px.
int32_t draw_menu_row_px(const struct menu *menu);
/// Returns whether a finger on an item at column x of the canvas makes its value less, and not more.
bool draw_menu_is_less(const struct menu *menu, int32_t x);
/// Finds the button for fingers at x, y of the canvas, and what it presses. Returns false if there is none.
bool draw_menu_button_at(const struct menu *menu, int32_t x, int32_t y, enum menu_press *press);

/// Returns the item at x, y of the canvas, px; MENU_ITEM_CAPACITY: none.
uint32_t draw_menu_item_at(const struct menu *menu, int32_t x, int32_t y);

#endif
