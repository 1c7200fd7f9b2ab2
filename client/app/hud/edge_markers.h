// SPDX-License-Identifier: MIT
//
// Marks at the rim of the picture for players outside of it: those at this window, team mates, and everybody once few
// are alive. A mark has the player's colour and the number of their arrows.
#ifndef APP_HUD_EDGE_MARKERS_H
#define APP_HUD_EDGE_MARKERS_H

#include "app/render/frame.h"

/// Draws the marks of all players outside of the picture.
void edge_markers_draw(const struct frame *frame);

#endif
