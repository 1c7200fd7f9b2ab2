// SPDX-License-Identifier: MIT
//
// The painters of the arena, in the order in which draw_view.c calls them. Each reads a frame, draws, and keeps
// nothing.
#ifndef SCENE_PAINTERS_H
#define SCENE_PAINTERS_H

#include "frame.h"
#include "scene.h"

// --- draw_backdrop.c
//
// What lies behind the arena: the sky, a low sun, and two layers of the theme's skyline that move slower than
// the arena does. Drawn first, and over the whole canvas.

/// Draws the backdrop over the whole canvas.
void draw_backdrop(const struct frame *frame);

/// Draws what falls from the theme's sky, before everything else.
void draw_backdrop_weather(const struct frame *frame);

/// Draws one of the two layers of the skyline, of which each theme has one, the nearer if `near`, its foot at row
/// `horizon`. `now`: ticks by which what moves in it has moved.
void draw_backdrop_skyline(const struct frame *frame, _Bool near, int32_t horizon, uint32_t now);

// --- draw_tiles.c
//
// Draws the tiles: walls that darken inward, with rims and corners that follow from their neighbours, planks, blocks
// and spikes; then the lamps and furnaces that light them. Where a lamp hangs is a pure function of the map.

/// Draws walls, planks, blocks and spikes.
void draw_tiles(const struct frame *frame);

/// Draws the light of lamps and furnaces, over everything.
void draw_tiles_light(const struct frame *frame);

// --- draw_devices.c
//
// Draws switches, the doors and lifts of their channels, which share a colour, conveyor belts, and what holds gifts.
// Reads the view and keeps nothing.

/// Draws switches and what holds gifts.
void draw_devices(const struct frame *frame);

/// Draws a door: a grooved slab with the lamp of its channel.
void draw_devices_door(const struct frame *frame, const struct map_solid *solid, struct rect box);

/// Draws a belt that runs at the solid's speed.
void draw_devices_belt(const struct frame *frame, const struct map_solid *solid, struct rect box);

/// Draws the lamp of a channel in the middle of a box on the canvas, lit while the channel is on.
void draw_devices_channel(const struct frame *frame, uint32_t channel, struct rect box);

/// Draws a launcher; its muzzle glows up in the last moments before a shot.
void draw_devices_launcher(const struct frame *frame, const struct map_solid *solid, struct rect box);

// --- draw_solids.c
//
// Draws moving solids: brass movers and lifts on their rails, planks, crushers with their rods, the walls of sudden
// death. draw_devices.c has doors and belts. Reads the view and keeps nothing.

/// Draws rails, rods and shadows, which lie behind the tiles.
void draw_solids_behind(const struct frame *frame);

/// Draws all moving solids.
void draw_solids(const struct frame *frame);

/// Draws the glow of crushers that warn and fall.
void draw_solids_light(const struct frame *frame);

// --- draw_projectiles.c
//
// Draws arrows of each kind with their trails, balls that glow with their speed.
// All from the view; keeps nothing.

/// Draws arrows and balls.
void draw_projectiles(const struct frame *frame);

/// Draws the glow of hot balls and of fuses.
void draw_projectiles_light(const struct frame *frame);

// --- name_tags.c
//
// The names over the heads of players, and the bubbles of their emotes. Names of players who stand together are spread
// upward, so that each can be read, and a name that would cover another player stands below its own. Keeps nothing.

/// Draws the names and emotes of all who are seen. The name of the only player at this window shows only after a spawn.
void name_tags_draw(const struct frame *frame, const struct scene *scene);

#endif
