// SPDX-License-Identifier: MIT
//
// Draws switches, the doors and lifts of their channels, which share a colour, conveyor belts, and chests. Reads the
// view and keeps nothing.
#ifndef APP_RENDER_DRAW_DEVICES_H
#define APP_RENDER_DRAW_DEVICES_H

#include "frame.h"

/// Draws switches and chests.
void draw_devices(const struct frame *frame);

/// Draws a door: a grooved slab with the lamp of its channel.
void draw_devices_door(const struct frame *frame, const struct map_solid *solid, struct rect box);

/// Draws a belt that runs at the solid's speed.
void draw_devices_belt(const struct frame *frame, const struct map_solid *solid, struct rect box);

/// Draws the lamp of a channel in the middle of a box on the canvas, lit while the channel is on.
void draw_devices_channel(const struct frame *frame, uint32_t channel, struct rect box);

/// Draws a launcher; its muzzle glows up in the last moments before a shot.
void draw_devices_launcher(const struct frame *frame, const struct map_solid *solid, struct rect box);

#endif
