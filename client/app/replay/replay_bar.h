// SPDX-License-Identifier: MIT
//
// The bar of time below a replay: where it stands, how fast it goes, whom the camera follows, and which keys do what
// for as long as nobody has pressed one. Reads the theatre; keeps nothing.
#ifndef APP_REPLAY_REPLAY_BAR_H
#define APP_REPLAY_REPLAY_BAR_H

#include "replay_viewer.h"

/// Its height, at the bottom of the picture.
#define REPLAY_BAR_PX 15

/// Draws it; `hints` tell which keys there are, `large` in the large face.
void replay_bar_draw(const struct replay_viewer *viewer, struct canvas *canvas, const struct hints *hints, bool large);

/// The mouse is at x, y of the canvas, its button clicked just now, or held since: on the line it winds to that moment
/// with the next replay_viewer_advance(), left of it it pauses. What was begun on the line goes on beside it.
void replay_bar_point(struct replay_viewer *viewer, int32_t x, int32_t y, bool clicked, bool held);

#endif
