// SPDX-License-Identifier: MIT
//
// The kill feed: the last deaths with their causes, newest first, in the top right corner. A scene owns one and adds
// each death; the HUD draws it.
#ifndef APP_RENDER_KILL_FEED_H
#define APP_RENDER_KILL_FEED_H

#include "frame.h"

#define KILL_FEED_LINES 5

/// One death. Starts as zeros.
struct kill_feed_line {
    char killer[PLAYER_NAME_BYTES + 1]; ///< empty: nobody
    char victim[PLAYER_NAME_BYTES + 1]; ///< empty: no line
    uint32_t killer_colour, victim_colour;
    uint32_t cause; ///< enum death_cause
    uint32_t until; ///< the tick from which it is no longer shown
};

/// Adds an EVENT_KILL of a view before the other lines; the oldest goes.
void kill_feed_add(struct kill_feed_line feed[KILL_FEED_LINES], const struct view *view, const struct event *kill);
/// Draws the lines that are still shown.
void kill_feed_draw(const struct frame *frame, const struct kill_feed_line feed[KILL_FEED_LINES]);

#endif
