// SPDX-License-Identifier: MIT
//
// Every drawn thing that is not a plain shape: sprites as characters that a person can edit in sprites.c, each with its
// legend above it (the caller of canvas_sprite() gives each character a colour, struct inks), and pictures that are
// drawn by code.
#ifndef LOOKS_SPRITES_H
#define LOOKS_SPRITES_H

#include <stdbool.h>
#include <stdint.h>

#include "game/hat.h"
#include "window/canvas.h"

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
/// A lamp under a ceiling, and a furnace's window in a wall.
extern const struct sprite SPRITE_LAMP;
extern const struct sprite SPRITE_FURNACE;

// --- hats.c
//
// The hats that players wear (game/hat.h), as characters that a person can edit in hats.c. A hat sits on the upper rows
// of a figure's hood, over no eyes, and rises above it by its own height.

/// Draws a hat, or none, on the head of the figure at `head`: its top-left corner, its width, where it looks, how
/// faded. A height that is not 0 is that of the figure, drawn large or small, and the hat is as large.
void hats_draw(struct canvas *canvas, enum hat hat, struct placement head);

/// Returns how far a hat rises above the player figure, px; 0 for none.
int32_t hats_rise_px(enum hat hat);

// --- emotes.c
//
// The pictures of emotes, as characters that a person can edit in emotes.c. hud/quick_chat.h has what they mean.

/// Emotes that players can show.
#define EMOTES 8
/// Width and height of each, px.
#define EMOTE_PX 11

/// Draws an emote, 0 to EMOTES - 1; x, y: its top-left corner.
void emotes_draw(struct canvas *canvas, uint32_t emote, int32_t x, int32_t y);

// --- logo.c
//
// The name of the game in cast iron: eight letters that hang under a beam like the things that fall in it.

#define LOGO_WIDTH  262
#define LOGO_HEIGHT 58

/// Draws the logo with its top-left corner at x, y. `tick` counts 60ths of a second: the letters fall in one after the
/// other; a large one shows them at rest.
void logo_draw(struct canvas *canvas, int32_t x, int32_t y, uint32_t tick);

#endif
