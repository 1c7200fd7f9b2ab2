// SPDX-License-Identifier: MIT
//
// Draws what is worked and what works by itself: switches and the doors and lifts of their channel, which show one
// colour and one number of dots; conveyor belts; chests. All from the view; keeps nothing.
#ifndef APP_RENDER_DRAW_DEVICES_H
#define APP_RENDER_DRAW_DEVICES_H

#include "frame.h"

/// Switches and chests.
void draw_devices(const struct frame *frame);

/// A door: a grooved slab with the lamp of its channel.
void draw_devices_door(const struct frame *frame, const struct map_solid *solid, struct df_box box);

/// A belt that runs at the solid's speed.
void draw_devices_belt(const struct frame *frame, const struct map_solid *solid, struct df_box box);

/// The lamp of a channel in the middle of a box on the canvas, lit while the channel is on.
void draw_devices_channel(const struct frame *frame, uint32_t channel, struct df_box box);

#endif
