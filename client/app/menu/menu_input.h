// SPDX-License-Identifier: MIT
//
// What a key, a pad's button or the mouse means to a menu.
#ifndef APP_MENU_MENU_INPUT_H
#define APP_MENU_MENU_INPUT_H

#include "app/platform/window.h"
#include "menu.h"

/// Gives an open menu something that happened.
void menu_input_take(struct menu *menu, const struct window_event *event);

#endif
