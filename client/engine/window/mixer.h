// SPDX-License-Identifier: MIT
//
// Mixes sounds, music and ambience into samples. Plain state and integers, no device: sound_device.h plays what it
// fills.
#ifndef WINDOW_MIXER_H
#define WINDOW_MIXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "music.h"

/// Voices at once, and of one sound.
#define MIXER_VOICES     24
#define MIXER_SAME_SOUND 3

/// Volumes, 0 to 100 each.
struct sound_volumes {
    uint32_t master, effects, ambience, music;
    uint32_t voices; ///< of the announcer
};

/// A sound to play.
struct sound_cue {
    uint32_t sound; ///< its number
    int32_t pan;    ///< -256 left to 256 right
    int32_t gain;   ///< 0 to 256
};

/// A sound that is playing.
struct mixer_voice {
    uint32_t sound;      ///< its number
    uint64_t at;         ///< in its samples, 1/65536
    uint32_t step;       ///< the same for each frame
    int32_t left, right; ///< 0 to 256; both 0: free
};

/// Turns a mix down while it is louder than the target. Starts as zeros.
struct leveller {
    float bass[2], middle[2]; ///< low-passed channels: the ear hears bass less, and treble more
    float loud;               ///< mean square of the last second
    float quieter;            ///< 0: unchanged; 1: silence
};

/// Lines that the announcer has begun and has still to say.
#define MIXER_LINES 4

/// The announcer, who says one line after the other. Starts as zeros.
struct mixer_announcer {
    uint32_t lines[MIXER_LINES]; ///< the first is being said
    uint32_t count;
    uint32_t at;  ///< in the samples of that line
    uint32_t cut; ///< samples until it ends early; 0: it does not
};

/// Zero-initialise, then set the bank.
struct mixer {
    const struct sound_bank *bank;
    struct sound_volumes volumes;
    struct ambience ambience;
    struct music music; ///< keeps time with the ambience
    struct leveller leveller;
    struct mixer_voice voices[MIXER_VOICES];
    struct mixer_announcer announcer;
    struct sound_volumes heard; ///< volumes of the frames before
    bool renders;               ///< there were some
    bool cuts;                  ///< something ends or changes with the next frame
    int32_t last[2];            ///< the last frame before it was levelled
    float step[2];              ///< by which it differed from what followed; fades
    float ducked;               ///< by how much music and ambience make room, 0 to 1
    uint32_t random_state;      ///< of the small differences in pitch
};

/// Starts a sound. Without a free voice, the one that has played longest ends, without a click. A sound of which
/// MIXER_SAME_SOUND have just started takes the place of the softest of them, or is skipped if it is no louder. A sting
/// plays in the key of the music. The announcer waits with a line until those before it are said; numbers and the start
/// of a round are said at once instead of all others.
void mixer_play(struct mixer *mixer, const struct sound_cue *cue);

/// Chooses the theme of ambience and music (its number, from 1; 0: none), and how tense the music is, 0 to 256.
void mixer_set_scene(struct mixer *mixer, uint32_t theme, uint32_t tension);

/// Renders the next frames: left, right, left, right...
void mixer_render(struct mixer *mixer, int16_t *stereo, size_t frames);

#endif
