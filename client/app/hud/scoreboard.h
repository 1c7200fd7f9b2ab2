// SPDX-License-Identifier: MIT
//
// The scores: the best players during a round, the whole scoreboard while Tab is held or between rounds, and awards
// when the match is over (match_end.h has the winner). Reads a view; keeps nothing.
#ifndef APP_HUD_SCOREBOARD_H
#define APP_HUD_SCOREBOARD_H

#include "app/render/frame.h"

/// Draws the best five players, the viewer's player among them.
void scoreboard_draw_ranking(const struct frame *frame);

/// Draws the scoreboard with as many players as fit below row `top`.
void scoreboard_draw(const struct frame *frame, int32_t top);

/// Draws the same at the right, `margin` px from the side, as high as the stage of a match's end beside it, and with
/// `foot` rows free below. Returns what it covers.
struct rect scoreboard_draw_right(const struct frame *frame, int32_t top, int32_t margin, int32_t foot);

/// Returns the name of a team, 1 or 2.
const char *scoreboard_team_name(uint32_t team);

#endif
