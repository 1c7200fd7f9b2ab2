// SPDX-License-Identifier: MIT
//
// The bar of time below a replay: where it stands, how fast it goes, whom the camera follows, and which keys do what
// for as long as nobody has pressed one. Reads the theatre; keeps nothing.
#ifndef APP_THEATRE_BAR_H
#define APP_THEATRE_BAR_H

#include "theatre.h"

/// Its height, at the bottom of the picture.
#define THEATRE_BAR_PX 15

/// Draws it; `hints` tell which keys there are, `large` in the large face.
void theatre_bar_draw(const struct theatre *theatre, struct canvas *canvas, const struct hints *hints, bool large);

/// The mouse is at x, y of the canvas, its button clicked just now, or held since: on the line it winds to that moment
/// with the next theatre_pass(), left of it it pauses. What was begun on the line goes on beside it.
void theatre_bar_point(struct theatre *theatre, int32_t x, int32_t y, bool clicked, bool held);

#endif
