// SPDX-License-Identifier: MIT
//
// Who is how good: the best few while a round is played, the whole board with teams while Tab is held, and what the
// best are honoured for when the match is over. Reads a view; keeps nothing.
#ifndef APP_HUD_SCOREBOARD_H
#define APP_HUD_SCOREBOARD_H

#include "app/render/frame.h"

/// The best five, with the own player among them; with teams, their scores above.
void scoreboard_draw_ranking(const struct frame *frame);

/// The whole list of players, as many as have room below a row of the picture.
void scoreboard_draw(const struct frame *frame, int32_t top);

#endif
