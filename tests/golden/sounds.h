// SPDX-License-Identifier: MIT
//
// The golden measurements of every sound: its length, and how loud and how bright each eighth of it is. The synthesiser
// computes with floats, so samples are not compared one by one; any changed value of a patch changes these figures.
#ifndef GOLDEN_SOUNDS_H
#define GOLDEN_SOUNDS_H

#include "sounds/sounds.h"

#define SOUND_PARTS 8
/// Their file, one line per sound: its name with '-' for blanks, its samples, then loud and bright of each part.
#define SOUNDS_PATH SOURCE_ROOT "/tests/golden/sounds.txt"

/// The measurements of one sound.
struct sound_measure {
    uint32_t samples;
    uint32_t loud[SOUND_PARTS];   ///< mean distance of a sample from 0, 1/16
    uint32_t bright[SOUND_PARTS]; ///< mean distance of a sample from the one before, 1/16: grows with pitch
};

/// Renders a sound and measures it.
void sound_measure(const struct sound_patch *patch, struct sound_measure *measure);

/// The name of a sound in that file.
void sound_word(const struct sound_patch *patch, char word[32]);

#endif
