// SPDX-License-Identifier: MIT
//
// The parts that menus are drawn with: riveted iron plates, brass under the focus, bars for volumes, a scroll bar, QR
// codes on a light sheet with their quiet zone. They know nothing of items and screens.
#ifndef APP_MENU_MENU_PARTS_H
#define APP_MENU_MENU_PARTS_H

#include "discovery/qr_code.h"
#include "window/canvas.h"

/// Colours of text on brass, and of what glows.
#define MENU_PARTS_ON_BRASS RGB(0x1C0F14)
#define MENU_PARTS_EMBER    RGB(0xFF9A3C)

/// Width of the bars of a volume, and of a swatch, px.
#define MENU_PARTS_BARS_PX   60
#define MENU_PARTS_SWATCH_PX 31
/// Height of the hints at the bottom of the picture, px.
#define MENU_PARTS_HINTS_PX 21

/// Draws an iron plate with a rivet in each corner.
void menu_parts_plate(struct canvas *canvas, struct rect rect);
/// Draws a line below a title, two rows high.
void menu_parts_rule(struct canvas *canvas, int32_t x, int32_t y, int32_t w);
/// Draws the brass of the item that has the focus; its glow pulses with `anim_tick`, 60ths of a second.
void menu_parts_focus(struct canvas *canvas, struct rect rect, uint32_t anim_tick);
/// Draws arrows that point out of a rectangle to the left and to the right, at the height of its middle.
void menu_parts_arrows(struct canvas *canvas, struct rect rect, argb ink);
/// Draws ten bars that end at column `right`, `level` of them full; brass lies behind those of the focus.
void menu_parts_bars(struct canvas *canvas, int32_t right, int32_t y, int64_t level, _Bool focused);
/// Draws a swatch of a colour and its shade that ends at column `right`.
void menu_parts_swatch(struct canvas *canvas, int32_t right, int32_t y, argb colour, argb shade);
/// Draws a scroll bar that shows which part of a list is seen: `shown` items from `first` on, of `count`.
void menu_parts_scroll_bar(struct canvas *canvas, struct rect rect, uint32_t first, uint32_t shown, uint32_t count);

/// Draws the code into a square of `side_px`, as large as whole pixels for each module allow, in its middle. Draws
/// nothing if there is none, or no room for it.
void menu_parts_qr_code(struct canvas *canvas, const struct qr_code *code, int32_t x, int32_t y, int32_t side_px);

#endif
