// SPDX-License-Identifier: MIT
//
// The card between two rounds: who has won the round, the points so far as pips toward the goal, who leads, and whether
// the next point can decide the match. Reads a view; keeps nothing.
#ifndef APP_HUD_ROUND_CARD_H
#define APP_HUD_ROUND_CARD_H

#include "app/render/frame.h"
#include "app/text/text.h"

/// Writes what is at stake in the next round: "Match point: Ada", "Ada leads", "Ada and Bo lead", "All level"; in a
/// mode without rounds "". Returns whether it is a match point.
bool round_card_stake(const struct world *world, char text[TEXT_BYTES]);

/// Draws the card of the round that is over, below row `top`.
void round_card_draw(const struct frame *frame, int32_t top);

#endif
