// SPDX-License-Identifier: MIT
//
// The pictures of emotes, as characters that a person can edit in emotes.c. hud/quick_chat.h has what they mean.
#ifndef APP_GFX_EMOTES_H
#define APP_GFX_EMOTES_H

#include "canvas.h"

/// Emotes that players can show.
#define EMOTES 8
/// Width and height of each, px.
#define EMOTE_PX 11

/// Draws an emote, 0 to EMOTES - 1; x, y: its top-left corner.
void emotes_draw(struct canvas *canvas, uint32_t emote, int32_t x, int32_t y);

#endif
