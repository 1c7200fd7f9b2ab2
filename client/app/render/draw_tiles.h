// SPDX-License-Identifier: MIT
//
// Draws the tiles: walls whose rims and corners follow from their neighbours and that darken inward, planks, blocks
// and spikes; then the lamps and furnaces that light them. Where a lamp hangs is a pure function of the map.
#ifndef APP_RENDER_DRAW_TILES_H
#define APP_RENDER_DRAW_TILES_H

#include "frame.h"

/// Draws walls, planks, blocks and spikes.
void draw_tiles(const struct frame *frame);

/// Draws the light of lamps and furnaces, over everything.
void draw_tiles_light(const struct frame *frame);

#endif
