// SPDX-License-Identifier: MIT
//
// Draws what is worked and what works by itself: switches and the doors and lifts of their channel, which show one
// colour and one number of dots; conveyor belts; chests. All from the view; keeps nothing.
#ifndef APP_DEVICES_H
#define APP_DEVICES_H

#include "frame.h"

/// Switches and chests.
void devices_draw(const struct frame *frame);

/// A door: a grooved slab with the lamp of its channel.
void devices_draw_door(const struct frame *frame, const struct map_solid *solid, struct df_box box);

/// A belt that runs at the solid's speed.
void devices_draw_belt(const struct frame *frame, const struct map_solid *solid, struct df_box box);

/// The lamp of a channel in the middle of a box on the canvas, lit while the channel is on.
void devices_draw_channel(const struct frame *frame, uint32_t channel, struct df_box box);

#endif
