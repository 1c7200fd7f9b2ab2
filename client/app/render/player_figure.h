// SPDX-License-Identifier: MIT
//
// What the screen remembers of one player between two frames: the scarf, the stride, how the body is squashed, and
// where it was during a dash. Only for show: the world knows nothing of it. draw_player.h draws the figure.
#ifndef APP_RENDER_PLAYER_FIGURE_H
#define APP_RENDER_PLAYER_FIGURE_H

#include "frame.h"

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

#endif
