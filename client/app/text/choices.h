// SPDX-License-Identifier: MIT
//
// Words of other rooms that the window shows: the choices of options, which stand in the preferences as English words
// with hyphens, and names of keys from SDL. tests/tools/words_renew.sh reads them here; a test checks that no choice is
// missing.
#ifndef APP_TEXT_CHOICES_H
#define APP_TEXT_CHOICES_H

#include "text.h"

/// All of them, separated by commas.
#define TEXT_CHOICES                                                                                                   \
    TEXT_KEY("on"), TEXT_KEY("off"), TEXT_KEY("none"), TEXT_KEY("auto"), TEXT_KEY("integer"), TEXT_KEY("fit"),         \
        TEXT_KEY("stretch"), TEXT_KEY("display"), TEXT_KEY("predicted"), TEXT_KEY("interpolated"),                     \
        TEXT_KEY("all colours"), TEXT_KEY("deuteranopia"), TEXT_KEY("protanopia"), TEXT_KEY("tritanopia"),             \
        TEXT_KEY("miner"), TEXT_KEY("top hat"), TEXT_KEY("bowler"), TEXT_KEY("crown"), TEXT_KEY("flat cap"),           \
        TEXT_KEY("cone"), TEXT_KEY("goggles"), TEXT_KEY("idle"), TEXT_KEY("random"), TEXT_KEY("easy"),                 \
        TEXT_KEY("normal"), TEXT_KEY("hard"), TEXT_KEY("back"), TEXT_KEY("guide"), TEXT_KEY("start"),                  \
        TEXT_KEY("left stick"), TEXT_KEY("right stick"), TEXT_KEY("left shoulder"), TEXT_KEY("right shoulder"),        \
        TEXT_KEY("left trigger"), TEXT_KEY("right trigger"), TEXT_KEY("up"), TEXT_KEY("down"), TEXT_KEY("left"),       \
        TEXT_KEY("right"), TEXT_KEY("Space"), TEXT_KEY("Return"), TEXT_KEY("Backspace"), TEXT_KEY("Tab"),              \
        TEXT_KEY("Left Shift"), TEXT_KEY("Right Shift"), TEXT_KEY("Left Ctrl"), TEXT_KEY("Right Ctrl"),                \
        TEXT_KEY("Left Alt"), TEXT_KEY("Right Alt")

#endif
