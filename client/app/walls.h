// SPDX-License-Identifier: MIT
//
// Draws the tiles: walls whose rims and corners follow from their neighbours and that darken inward, planks, blocks
// and spikes; then the lamps and furnaces that light them. Where a lamp hangs is a pure function of the map.
#ifndef APP_WALLS_H
#define APP_WALLS_H

#include "frame.h"

/// Walls, planks, blocks, spikes.
void walls_draw(const struct frame *frame);

/// The light of lamps and furnaces, over everything.
void walls_draw_light(const struct frame *frame);

#endif
