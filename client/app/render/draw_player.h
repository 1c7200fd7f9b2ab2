// SPDX-License-Identifier: MIT
//
// Draws the players: hooded figures of 12 x 14 px with a scarf in their colour, eyes that look where they aim, legs
// that run, bodies that squash and stretch. What a figure remembers (its scarf, its stride) is for the eye alone.
#ifndef APP_RENDER_DRAW_PLAYER_H
#define APP_RENDER_DRAW_PLAYER_H

#include "frame.h"
#include "wire/hat.h"

#define SCARF_POINTS 8
#define GHOSTS       4

/// What the eye remembers of one player.
struct player_figure {
    uint32_t generation;                                              ///< of the player it belongs to
    bool seen;                                                        ///< the places below are of the tick before
    int32_t x, y;                                                     ///< drawn middle of the feet, px
    int32_t stride;                                                   ///< px run; chooses the leg
    int32_t squash;                                                   ///< px: positive flat, negative tall; dies away
    int32_t draw_ticks;                                               ///< for which the bow is still shown
    float scarf_x[SCARF_POINTS], scarf_y[SCARF_POINTS];               ///< px
    float scarf_before_x[SCARF_POINTS], scarf_before_y[SCARF_POINTS]; ///< a tick ago
    int32_t ghost_x[GHOSTS], ghost_y[GHOSTS];                         ///< former places, for a dash
};

/// One tick of the player in `slot`.
void player_figure_step(struct player_figure *figure, const struct view *view, uint32_t slot);

/// Squashes (positive) or stretches (negative) by px.
void player_figure_squash(struct player_figure *figure, int32_t px);
/// Shows the bow for a moment.
void player_figure_shoot(struct player_figure *figure);

/// Draws a living player.
void draw_player(const struct frame *frame, const struct player_figure *figure, uint32_t slot);

/// A player of a colour as he stands, looking right, in `place`: a whole multiple of his size.
void draw_player_portrait(struct canvas *canvas, argb colour, enum hat hat, struct placement place);

/// The name over his head.
void draw_player_name(const struct frame *frame, uint32_t slot);

/// Points at a player from above, to be found among many.
void draw_player_marker(const struct frame *frame, uint32_t slot);

/// A player's name as text.
void player_figure_name(const struct player *player, char name[PLAYER_NAME_BYTES + 1]);

#endif
