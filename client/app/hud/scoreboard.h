// SPDX-License-Identifier: MIT
//
// The scores: the best players during a round, the whole scoreboard while Tab is held or between rounds, and awards
// when the match is over. Reads a view; keeps nothing.
#ifndef APP_HUD_SCOREBOARD_H
#define APP_HUD_SCOREBOARD_H

#include "app/render/frame.h"

/// Draws the best five players, the viewer's player among them.
void scoreboard_draw_ranking(const struct frame *frame);

/// Draws the scoreboard with as many players as fit below row `top`.
void scoreboard_draw(const struct frame *frame, int32_t top);

#endif
