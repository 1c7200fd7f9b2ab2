// SPDX-License-Identifier: MIT
//
// The open vote, drawn over the arena: the question, the seconds left, and each choice with its key and its votes.
// The preferences have the keys. Keeps nothing.
#ifndef APP_HUD_VOTE_PANEL_H
#define APP_HUD_VOTE_PANEL_H

#include "app/render/frame.h"
#include "hints.h"
#include "wire/message.h"

/// Rows where it begins: below the clock and the time to respawn, and above the scoreboard.
#define VOTE_PANEL_Y     46
#define VOTE_PANEL_TOP_Y 8

/// Draws the vote in the middle, from row `y` down, with the keys or the button of a player's hints. Returns the
/// row below it.
int32_t vote_panel_draw(const struct frame *frame, const struct vote_message *vote, const struct hints *hints,
                        int32_t y);

/// Returns the choice at x, y of the canvas, with room for a finger around it, when it is drawn from row `top` down;
/// VOTE_CHOICE_CAPACITY: none.
uint32_t vote_panel_at(const struct frame *frame, const struct vote_message *vote, const struct hints *hints,
                       int32_t top, int32_t x, int32_t y);

#endif
