// SPDX-License-Identifier: MIT
//
// A script that plays, for tests and pictures. Each line is a tick and the buttons held from then on:
//
//     # run to the right, jump, let go
//     20 right
//     50 right jump
//     65 -
//     80 screenshot jump.png
//     90 touch 150 800 900 850
//
// Ticks are those of the match, counted from the one in which the player joined it, and never decrease; so the same
// script plays the same match. The first few pass before the client holds its first world. Words: left right up down
// jump dash shoot grab; "-" is nothing held; "screenshot FILE" saves the next frame and changes nothing that is held.
// "touch X Y X Y" is where fingers are from then on, in thousandths of the window; "touch" alone: they are lifted.
#ifndef APP_INPUT_SCRIPT_H
#define APP_INPUT_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sync/world.h"

#define INPUT_SCRIPT_LINE_CAPACITY 512
#define INPUT_SCRIPT_BYTES_MAX     32768
#define INPUT_SCRIPT_PATH_BYTES    128
#define INPUT_SCRIPT_FINGERS       4

/// The fingers on a touch screen.
struct input_script_fingers {
    uint32_t count;
    struct {
        int32_t x, y; ///< thousandths of the window
    } of[INPUT_SCRIPT_FINGERS];
};

/// One line.
struct input_script_line {
    uint32_t tick;                            ///< from when
    uint32_t buttons;                         ///< held, enum button; of another line: those of the line before
    char screenshot[INPUT_SCRIPT_PATH_BYTES]; ///< file to write; empty: none
    struct input_script_fingers fingers;      ///< of another line than "touch": those of the line before
};

/// A whole script.
struct input_script {
    uint32_t count;
    struct input_script_line lines[INPUT_SCRIPT_LINE_CAPACITY];
};

/// Reads a script from a file. Returns false with an error and its exit code: EXIT_IO if the file cannot be read,
/// EXIT_DATA if a line is wrong.
bool input_script_load(struct input_script *script, const char *path, struct error *error);

/// Reads a script from text. Returns false with an error "NAME:LINE: ..." if a line is wrong.
bool input_script_read(struct input_script *script, const char *name, const char *text, struct error *error);

/// Returns the tick in which the present player of a slot joined, from which scripts count; the current tick if the
/// world no longer has that event.
tick input_script_origin(const struct world *world, uint32_t slot);

/// Returns the buttons held at a tick since the beginning.
uint32_t input_script_buttons(const struct input_script *script, uint32_t moment);

/// Returns the fingers at a tick since the beginning; NULL: no finger has touched yet.
const struct input_script_fingers *input_script_fingers(const struct input_script *script, uint32_t moment);

/// Returns the file of the last screenshot after tick `after` and up to `moment`; NULL: none.
const char *input_script_screenshot(const struct input_script *script, uint32_t after, uint32_t moment);

#endif
