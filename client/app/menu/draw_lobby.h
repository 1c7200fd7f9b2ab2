// SPDX-License-Identifier: MIT
//
// Draws the lobby: a card for each of four players with their figure in their colour and hat, and what each of their
// keys or buttons does; a free card shows what to press to stand there. Keeps nothing.
#ifndef APP_MENU_DRAW_LOBBY_H
#define APP_MENU_DRAW_LOBBY_H

#include "menu.h"
#include "window/canvas.h"

/// Draws the lobby of a menu over whatever is on the canvas; `anim_tick` counts 60ths of a second.
void draw_lobby(struct canvas *canvas, const struct menu *menu, uint32_t anim_tick);

#endif
