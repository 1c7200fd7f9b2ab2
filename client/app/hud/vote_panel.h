// SPDX-License-Identifier: MIT
//
// The open vote, drawn over the arena: the question, the seconds left, and each choice with its key and its votes.
// The preferences have the keys. Keeps nothing.
#ifndef APP_HUD_VOTE_PANEL_H
#define APP_HUD_VOTE_PANEL_H

#include "app/render/frame.h"
#include "hints.h"
#include "wire/message.h"

/// Draws the vote in the middle, from row `y` down, with the keys or the button of a player's hints. Returns the
/// row below it.
int32_t vote_panel_draw(const struct frame *frame, const struct vote_message *vote, const struct hints *hints,
                        int32_t y);

#endif
