// SPDX-License-Identifier: MIT
//
// How players are drawn: the figure of each, which moves between ticks, and the painter.
#ifndef SCENE_DRAW_PLAYER_H
#define SCENE_DRAW_PLAYER_H

#include "frame.h"
#include "looks/sprites.h"
#include "wire/message.h"

// --- player_figure.c
//
// What the screen remembers of one player between two frames: the scarf, the stride, how the body is squashed, and
// where it was during a dash. Only for show: the world knows nothing of it. draw_player.h draws the figure.

#define SCARF_POINTS 8
#define GHOSTS       4

/// One drawn player.
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

/// Moves the figure of the player in `slot` for one tick.
void player_figure_step(struct player_figure *figure, const struct view *view, uint32_t slot);

/// Squashes (positive) or stretches (negative) the figure by px.
void player_figure_squash(struct player_figure *figure, int32_t px);
/// Shows the bow for a moment.
void player_figure_shoot(struct player_figure *figure);

/// Returns the middle of a player's feet in the map, px.
void player_figure_feet(const struct view *view, uint32_t slot, int32_t *x, int32_t *y);

/// Ticks of the dance of a winner, in the arena and large at the end of a match: two steps, a turn and a leap.
#define DANCE_TICKS 96

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

/// Draws the same as they dance at `anim_tick`, up to seven pixels of the figure above the place.
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
