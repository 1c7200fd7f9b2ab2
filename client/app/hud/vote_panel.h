// SPDX-License-Identifier: MIT
//
// The vote that is open, over the arena: what is asked, for how long, and each choice with the key that chooses it and
// those who did. Which key that is stands in key_actions.h. Keeps nothing.
#ifndef APP_HUD_VOTE_PANEL_H
#define APP_HUD_VOTE_PANEL_H

#include "app/render/frame.h"
#include "wire/message.h"

/// Draws it in the middle, from a row on; `by_pad`: for one who holds a pad. Returns the row below it.
int32_t vote_panel_draw(const struct frame *frame, const struct vote_message *vote, bool by_pad, int32_t y);

#endif
