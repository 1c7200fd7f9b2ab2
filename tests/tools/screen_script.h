// SPDX-License-Identifier: MIT
//
// A script that uses the window as a person does and says what they see, as tests/screens/README.md describes it: one
// step a line. This file reads it; screen_play.h does what it says.
#ifndef TOOLS_SCREEN_SCRIPT_H
#define TOOLS_SCREEN_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "words.h"

#define SCREEN_SCRIPT_STEPS      400
#define SCREEN_SCRIPT_WORDS      24
#define SCREEN_SCRIPT_WINDOWS    4
#define SCREEN_SCRIPT_BYTES_MAX  32768
#define SCREEN_SCRIPT_NAME_BYTES 16
/// The frames within which something is seen, unless a step says others: ten seconds.
#define SCREEN_SCRIPT_FRAMES 600

/// What a step does or waits for.
enum screen_verb {
    // Not of a window:
    SCREEN_WINDOW, ///< opens a window, with options
    SCREEN_SERVER, ///< starts a server, with options
    SCREEN_LIAR,   ///< starts a liar before the server, who claims a key in lists
    SCREEN_STOP,   ///< asks the server (`window` SCREEN_SCRIPT_WINDOWS) or a window to end
    SCREEN_ENDS,   ///< a window has ended, with exit status 0
    SCREEN_FILE,   ///< writes a file: path, lines
    SCREEN_KEPT,   ///< a file has a text: path, text
    // Of a window:
    SCREEN_PRESS,
    SCREEN_HOLD,
    SCREEN_RELEASE,
    SCREEN_TYPE,
    SCREEN_CHOOSE, ///< moves the focus to a row and accepts it
    SCREEN_POINT,
    SCREEN_CLICK,
    SCREEN_TAP,
    SCREEN_PLUG,
    SCREEN_UNPLUG,
    SCREEN_PAD_PRESS,
    SCREEN_PAD_HOLD,
    SCREEN_PAD_RELEASE,
    SCREEN_PAD_AXIS,
    SCREEN_BLUR,
    SCREEN_FOCUS,
    SCREEN_CLOSE,    ///< by its frame
    SCREEN_SEE,      ///< a text is drawn
    SCREEN_GONE,     ///< a text is not drawn
    SCREEN_AT,       ///< the row with the focus has a text
    SCREEN_LOG,      ///< the log has a text, behind the last one that was found
    SCREEN_UNLOGGED, ///< it has it not
    SCREEN_NOTE,     ///< keeps the word that begins with a text as {name}
    SCREEN_FRAMES,   ///< so many frames are drawn
    SCREEN_STILL,    ///< in so many frames no text changes or moves
    SCREEN_MOVES,    ///< one does
};

/// One step.
struct screen_step {
    enum screen_verb verb;
    int32_t line;
    const char *source; ///< the line
    bool is_of_director;
    uint32_t window; ///< its number
    uint32_t pad;
    uint32_t frames; ///< at the most, or exactly
    bool is_within;  ///< `frames` was given
    uint32_t count;  ///< words
    const char *words[SCREEN_SCRIPT_WORDS];
    uint32_t times[SCREEN_SCRIPT_WORDS]; ///< a key is pressed
};

/// A whole script. Large: not for the stack.
struct screen_script {
    uint32_t window_count, count;
    uint32_t opened; ///< the window that was opened last
    char windows[SCREEN_SCRIPT_WINDOWS][SCREEN_SCRIPT_NAME_BYTES];
    struct screen_step steps[SCREEN_SCRIPT_STEPS];
    uint32_t used;
    char texts[3 * SCREEN_SCRIPT_BYTES_MAX];
    bool (*is_key)(const char *name);        ///< asked about each key
    bool (*is_pad_button)(const char *name); ///< and about each button and axis of a pad
    bool (*is_pad_axis)(const char *name);
};

/// Reads a script; the functions that know names are set. False with the error.
bool screen_script_read(struct screen_script *script, const char *text, size_t bytes, struct words_error *error);

#endif
