// SPDX-License-Identifier: MIT
//
// Every drawn thing that is not a plain shape: sprites as characters that a person can edit in sprites.c, each with its
// legend above it (the caller of canvas_sprite() gives each character a colour, struct inks), and pictures that are
// drawn by code.
#ifndef APP_GFX_SPRITES_H
#define APP_GFX_SPRITES_H

#include <stdbool.h>
#include <stdint.h>

#include "canvas.h"
#include "game/hat.h"

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

// --- hats.c
//
// The hats that players wear (wire/hat.h), as characters that a person can edit in hats.c. A hat sits on the upper rows
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

// --- pad_glyphs.c
//
// The controls of gamepads as small drawings, in the look of their family: coloured letters of an Xbox pad, shapes of a
// PlayStation pad, white letters of a Switch pad; shoulders, sticks, the D-pad. A glyph has a name, a short text that
// no font has, so that it can stand wherever the name of a key can; hud/keycap.c draws both. Keeps nothing.

/// Families of gamepads, by what is printed on them.
enum pad_family { PAD_XBOX, PAD_PLAYSTATION, PAD_SWITCH, PAD_FAMILIES };

/// A glyph beyond the buttons (enum gamepad_button): the left stick, and the whole D-pad.
#define PAD_GLYPH_STICK 18
#define PAD_GLYPH_DPAD  19

/// Returns the name of the glyph for a button (enum gamepad_button, or one of those above); "none" for none.
const char *pad_glyphs_name(enum pad_family family, uint32_t button);

/// Returns the width of the glyph with a name, px; 0: the name is not that of a glyph.
int32_t pad_glyphs_width(const char *name);

/// Draws the glyph with a name. Its 13 rows begin at `y`.
void pad_glyphs_draw(struct canvas *canvas, int32_t x, int32_t y, const char *name);

// --- touch_glyphs.c
//
// Pictures of the controls on a touch screen: a translucent disc with a rim and a glyph. They lie over the whole window
// and not in the canvas, so they have a size of their own, and real transparency. Pure.

/// What there is to draw: each of enum touch_control, and the knob of the stick.
#define TOUCH_GLYPHS_KNOB 8
#define TOUCH_GLYPHS      9

/// Draws one of them into `size` x `size` pixels 0xAARRGGBB; `lit`: a finger is on it.
void touch_glyphs_draw(uint32_t *pixels, int32_t size, uint32_t glyph, bool lit);

#endif
