// SPDX-License-Identifier: MIT
//
// A QR code in the picture: dark modules on a light sheet with its quiet zone.
#ifndef APP_MENU_DRAW_QR_CODE_H
#define APP_MENU_DRAW_QR_CODE_H

#include "app/gfx/canvas.h"
#include "discovery/qr_code.h"

/// Draws the code into a square of `side_px`, as large as whole pixels for each module allow, in its middle. Draws
/// nothing if there is none, or no room for it.
void draw_qr_code(struct canvas *canvas, const struct qr_code *code, int32_t x, int32_t y, int32_t side_px);

#endif
