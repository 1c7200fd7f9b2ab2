// SPDX-License-Identifier: MIT
//
// Every drawn thing that is not a plain shape, as characters that a person can edit in sprites.c. The legend of
// each stands above it; the caller of canvas_sprite() gives each character a colour (struct inks).
#ifndef APP_GFX_SPRITES_H
#define APP_GFX_SPRITES_H

#include "canvas.h"

/// How a figure holds its legs.
enum legs { LEGS_STAND, LEGS_RUN_1, LEGS_RUN_2, LEGS_RUN_3, LEGS_RUN_4, LEGS_RISE, LEGS_FALL, LEGS_WALL, LEGS_POSES };

/// Size of a figure as drawn; its box in the world is smaller.
#define FIGURE_WIDTH  12
#define FIGURE_HEIGHT 14
/// Rows of SPRITE_LEGS, below those of SPRITE_TORSO.
#define LEGS_HEIGHT 3

extern const struct sprite SPRITE_TORSO;
extern const struct sprite SPRITE_LEGS[LEGS_POSES];
/// How a death came about, by enum death_cause; for the kill feed.
extern const struct sprite SPRITE_CAUSES[];
/// A carried arrow in the HUD.
extern const struct sprite SPRITE_ARROW;
/// The inner pattern of walls, repeated; and a spike that points up.
extern const struct sprite SPRITE_WALL;
extern const struct sprite SPRITE_SPIKE;
/// A block that can break, one with a broken neighbour, and a plank.
extern const struct sprite SPRITE_BLOCK;
extern const struct sprite SPRITE_BLOCK_CRACKED;
extern const struct sprite SPRITE_PLANK;
/// A closed chest, and an open one.
extern const struct sprite SPRITE_CHEST, SPRITE_CHEST_OPEN;
/// A lamp under a ceiling, and a furnace's window in a wall.
extern const struct sprite SPRITE_LAMP;
extern const struct sprite SPRITE_FURNACE;

#endif
