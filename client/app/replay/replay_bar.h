// SPDX-License-Identifier: MIT
//
// The bar below a replay: position, speed, camera mode, and, until the first key press or on demand, what the keys do.
// Reads the viewer; keeps nothing.
#ifndef APP_REPLAY_REPLAY_BAR_H
#define APP_REPLAY_REPLAY_BAR_H

#include "replay_viewer.h"

/// Its height, at the bottom of the picture.
#define REPLAY_BAR_PX 15

/// Draws it. `hints` has the names of the keys; `large`: in the large font.
void replay_bar_draw(const struct replay_viewer *viewer, struct canvas *canvas, const struct hints *hints, bool large);

/// Handles the mouse at x, y of the canvas, its button clicked just now or held. A click on the line seeks with the
/// next replay_viewer_advance(); a click left of it pauses. A drag that began on the line goes on beside it.
void replay_bar_point(struct replay_viewer *viewer, int32_t x, int32_t y, bool clicked, bool held);

#endif
