// SPDX-License-Identifier: MIT
//
// What keys, gamepad buttons and the mouse do in a menu.
#ifndef APP_MENU_MENU_INPUT_H
#define APP_MENU_MENU_INPUT_H

#include "menu.h"
#include "window/window.h"

/// Handles a window event while a menu is open.
void menu_input_take(struct menu *menu, const struct window_event *event);

#endif
