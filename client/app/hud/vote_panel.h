// SPDX-License-Identifier: MIT
//
// The open vote, drawn over the arena: the question, the seconds left, and each choice with its key and its votes.
// hotkeys.h has the keys. Keeps nothing.
#ifndef APP_HUD_VOTE_PANEL_H
#define APP_HUD_VOTE_PANEL_H

#include "app/render/frame.h"
#include "wire/message.h"

/// Draws the vote in the middle, from row `y` down; `by_gamepad`: for a player with a gamepad. Returns the row below
/// it.
int32_t vote_panel_draw(const struct frame *frame, const struct vote_message *vote, bool by_gamepad, int32_t y);

#endif
