// SPDX-License-Identifier: MIT
//
// Draws the players: hooded figures of 12 x 14 px with a scarf in their colour, eyes that look where they aim, legs
// that run, bodies that squash and stretch. What a figure remembers (its scarf, its stride) is for the eye alone.
#ifndef APP_RENDER_DRAW_PLAYER_H
#define APP_RENDER_DRAW_PLAYER_H

#include "player_figure.h"
#include "wire/hat.h"

/// Draws a living player.
void draw_player(const struct frame *frame, const struct player_figure *figure, uint32_t slot);

/// A player of a colour as he stands, looking right, in `place`: a whole multiple of his size.
void draw_player_portrait(struct canvas *canvas, argb colour, enum hat hat, struct placement place);

/// The name over his head.
void draw_player_name(const struct frame *frame, uint32_t slot);

/// Points at a player from above, to be found among many.
void draw_player_marker(const struct frame *frame, uint32_t slot);

#endif
