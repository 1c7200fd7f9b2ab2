// SPDX-License-Identifier: MIT
//
// Draws the players: hooded figures of 12 x 14 px with a scarf in their colour, eyes that look where they aim, legs
// that run, bodies that squash and stretch. player_figure.h has what a figure remembers from frame to frame.
#ifndef APP_RENDER_DRAW_PLAYER_H
#define APP_RENDER_DRAW_PLAYER_H

#include "app/gfx/sprites.h"
#include "player_figure.h"
#include "wire/message.h"

/// Draws a living player.
void draw_player(const struct frame *frame, const struct player_figure *figure, uint32_t slot);

/// How a player in no world is drawn.
struct portrait {
    argb colour; ///< of the player
    argb main;   ///< of hood and coat: the team's, or the player's
    enum hat hat;
    enum legs legs;
    bool has_scarf; ///< it trails to the left
    bool blinks;
    uint32_t anim_tick; ///< moves the scarf, 60ths of a second
};

/// Draws a player who looks right, in `place`: a whole multiple of the figure's size.
void draw_player_portrait(struct canvas *canvas, const struct portrait *portrait, struct placement place);

/// Draws the same as they dance (dance.h) at `anim_tick`, up to seven pixels of the figure above the place.
void draw_player_dancer(struct canvas *canvas, const struct portrait *portrait, struct placement place);

/// Returns where a player's figure stands on the canvas, with its hat.
struct rect draw_player_box(const struct frame *frame, uint32_t slot);
/// Returns where the name over a player's head stands if nothing is in its way.
struct rect draw_player_name_box(const struct frame *frame, uint32_t slot);
/// Draws the name of a player over their head, or below their feet, at row `y`.
void draw_player_name(const struct frame *frame, uint32_t slot, int32_t y);

/// Draws a marker over a player, so that they are found among many.
void draw_player_marker(const struct frame *frame, uint32_t slot);

#endif
