// SPDX-License-Identifier: MIT
//
// How a player has a match drawn: in colours that they can tell apart, with larger text, with less motion. A part of
// the preferences that painters read.
#ifndef LOOKS_DISPLAY_OPTIONS_H
#define LOOKS_DISPLAY_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/// The colours that a player can tell apart: all of them, or those left by one of three kinds of colour blindness.
enum colour_vision {
    COLOUR_VISION_FULL,
    COLOUR_VISION_DEUTERANOPIA,
    COLOUR_VISION_PROTANOPIA,
    COLOUR_VISION_TRITANOPIA,
    COLOUR_VISIONS
};

/// How frames are drawn for one player.
struct display_options {
    uint32_t colour_vision; ///< enum colour_vision
    int64_t shake;          ///< of the picture when something heavy lands: 0 (none) to 10 (full)
    bool reduced_motion;    ///< no shaking, no flashes, a third of the particles, a backdrop that stands still
    bool large_text;        ///< what is read while playing uses the large face
    bool kill_replays;      ///< the kill that decided a round is shown again
};

/// The default options.
static const struct display_options DISPLAY_OPTIONS_DEFAULT = {.shake = 10, .kill_replays = true};

#endif
