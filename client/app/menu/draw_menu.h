// SPDX-License-Identifier: MIT
//
// Draws the topmost screen of a menu over whatever is on the canvas: iron plates, brass where the focus is, and at the
// bottom what the buttons do. Also finds the item under the mouse. Keeps nothing.
#ifndef APP_MENU_DRAW_MENU_H
#define APP_MENU_DRAW_MENU_H

#include "app/gfx/canvas.h"
#include "menu.h"

/// Draws the menu; `anim_tick` counts 60ths of a second for animations.
void draw_menu(struct canvas *canvas, const struct menu *menu, uint32_t anim_tick);

/// Returns the item at x, y of the canvas, px; MENU_ITEM_CAPACITY: none.
uint32_t draw_menu_item_at(const struct menu *menu, int32_t x, int32_t y);

#endif
