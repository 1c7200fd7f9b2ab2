// SPDX-License-Identifier: MIT
//
// What a person reads in the window: the texts of a frame as they were drawn, and the row of a menu that has the focus.
// A program that links this with --wrap for the functions that draw them has what its last frame showed.
#ifndef TOOLS_SCREEN_FRAME_H
#define TOOLS_SCREEN_FRAME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "window/canvas.h"

/// Ends a frame: what was drawn on this canvas since the last end is what is seen from now on.
void screen_frame_end(const struct canvas *canvas);
/// Returns whether a text is seen: within one text, or over some that were drawn one after another, as the lines of a
/// sentence are. `where`, if not NULL, gets the middle of the text in which it begins.
bool screen_frame_sees(const char *text, struct rect *where);
/// Returns the text of the frame that begins with another; NULL: none.
const char *screen_frame_find(const char *begin);
/// Returns whether the row with the focus has a text, or begins with it.
bool screen_frame_is_at(const char *text, bool begins);
/// Returns a number that is another one when a text has changed or moved.
uint64_t screen_frame_hash(void);
/// Lists all texts, the ones with the focus behind ">".
void screen_frame_print(FILE *out);

#endif
