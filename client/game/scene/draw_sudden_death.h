// SPDX-License-Identifier: MIT
//
// What sudden death does to the arena besides its walls (draw_solids.c): the light dims and reddens, and bands with
// chevrons show where the walls will be in two seconds. Both begin some seconds before the walls do. Reads the view and
// keeps nothing.
#ifndef SCENE_DRAW_SUDDEN_DEATH_H
#define SCENE_DRAW_SUDDEN_DEATH_H

#include "frame.h"

/// From when on sudden death is announced, ticks before the walls begin to close in.
#define DRAW_SUDDEN_DEATH_NOTICE_TICKS 600

/// Returns whether the walls of sudden death are moving.
bool draw_sudden_death_moves(const struct view *view);

/// Returns the colours of the arena: the frame's, or while sudden death is near or here, a darker and redder copy that
/// it writes to `dimmed`.
const struct palette *draw_sudden_death_light(const struct frame *frame, struct palette *dimmed);

/// Returns whether a wall covers a column of the map (px).
bool draw_sudden_death_hides(const struct frame *frame, int32_t x_px);

/// Draws the bands into which the walls come next.
void draw_sudden_death_bands(const struct frame *frame);

#endif
