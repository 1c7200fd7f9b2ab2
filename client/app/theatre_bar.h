// SPDX-License-Identifier: MIT
//
// The bar of time below a replay: where it stands, how fast it goes, whom the camera follows, and which keys do what
// for as long as nobody has pressed one. Reads the theatre; keeps nothing.
#ifndef APP_THEATRE_BAR_H
#define APP_THEATRE_BAR_H

#include "theatre.h"

/// Its height, at the bottom of the picture.
#define THEATRE_BAR_PX 15

void theatre_bar_draw(const struct theatre *theatre, struct canvas *canvas);

/// The moment that a click at x, y on the canvas means; false if it is not on the bar.
bool theatre_bar_moment(const struct theatre *theatre, int32_t x, int32_t y, tick *moment);

#endif
