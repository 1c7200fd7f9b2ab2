// SPDX-License-Identifier: MIT
//
// Draws the wheels of quick_chat.h around the players who hold them open. Keeps nothing.
#ifndef APP_HUD_DRAW_QUICK_CHAT_H
#define APP_HUD_DRAW_QUICK_CHAT_H

#include "app/render/frame.h"
#include "quick_chat.h"

/// Draws a wheel around its player, or in the middle if they are not in the picture, wholly inside the picture. Draws
/// nothing if it is closed.
void draw_quick_chat(const struct frame *frame, const struct quick_chat_wheel *wheel);

#endif
