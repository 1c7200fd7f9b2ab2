// SPDX-License-Identifier: MIT
//
// The end of a match: the winner, large and dancing, beside the scores with the awards, and below them one number worth
// smiling at. Reads a view; keeps nothing.
#ifndef APP_HUD_MATCH_END_H
#define APP_HUD_MATCH_END_H

#include "app/render/frame.h"
#include "app/text/text.h"

/// Writes the oddity of a match as a sentence: "Bo shot 12 arrows into walls". Returns false, and writes "", if nothing
/// remarkable has happened.
bool match_end_oddity_text(const struct world *world, char text[TEXT_BYTES]);

/// Draws the end of a match below row `top`.
void match_end_draw(const struct frame *frame, int32_t top);

#endif
