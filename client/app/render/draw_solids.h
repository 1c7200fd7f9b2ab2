// SPDX-License-Identifier: MIT
//
// Draws moving solids: brass movers and lifts on their rails, planks, crushers with their rods, the walls of sudden
// death. draw_devices.h has doors and belts. Reads the view and keeps nothing.
#ifndef APP_RENDER_DRAW_SOLIDS_H
#define APP_RENDER_DRAW_SOLIDS_H

#include "frame.h"

/// Draws rails, rods and shadows, which lie behind the tiles.
void draw_solids_behind(const struct frame *frame);

/// Draws all moving solids.
void draw_solids(const struct frame *frame);

/// Draws the glow of crushers that warn and fall.
void draw_solids_light(const struct frame *frame);

#endif
