// SPDX-License-Identifier: MIT
//
// Puts what sounds at the same time into one stream: voices with a place from left to right, the ambience, three
// volumes, and a limiter, so that sixty deaths at once are loud and not broken. Knows no device: the audio callback
// calls it, and so do tests.
#ifndef APP_AUDIO_MIXER_H
#define APP_AUDIO_MIXER_H

#include <stdbool.h>
#include <stddef.h>

#include "ambience.h"
#include "sound_bank.h"

/// Voices at once, and of one sound.
#define MIXER_VOICES     24
#define MIXER_SAME_SOUND 3

/// How loud, 0 to 100 each.
struct sound_volumes {
    uint32_t master, effects, ambience;
};

/// One sound as it is to be heard.
struct sound_cue {
    enum sound sound;
    int32_t pan;  ///< -256 left to 256 right
    int32_t gain; ///< 0 to 256
};

/// One that sounds.
struct mixer_voice {
    enum sound sound;
    uint32_t at, step;   ///< in its samples, 1/65536
    int32_t left, right; ///< 0 to 256; both 0: free
};

/// Zero-initialise, then give it a bank.
struct mixer {
    const struct sound_bank *bank;
    struct sound_volumes volumes;
    struct ambience ambience;
    struct mixer_voice voices[MIXER_VOICES];
    uint32_t random_state; ///< of the small differences in pitch
};

/// Begins a sound. Of too many, the one that has sounded longest ends; a fourth at once of the same is left out.
void mixer_play(struct mixer *mixer, const struct sound_cue *cue);

/// The next frames: left, right, left, right...
void mixer_render(struct mixer *mixer, int16_t *stereo, size_t frames);

#endif
