// SPDX-License-Identifier: MIT
//
// A small synthesiser: a patch is up to eight layers, each one wave with a gliding pitch, an envelope and a low-pass.
// Renders a whole patch into a buffer at once. Pure: no clock, no heap, no device.
#ifndef APP_AUDIO_SOUND_SYNTH_H
#define APP_AUDIO_SOUND_SYNTH_H

#include <stdint.h>

#include "sound.h"

/// Samples a second of everything that sounds.
#define SOUND_RATE_HZ 44100
/// Layers of a patch, and the longest patch, ms.
#define SOUND_LAYERS        8
#define SOUND_LENGTH_MS_MAX 2200

/// The shape of a layer's wave.
enum sound_wave { WAVE_NONE, WAVE_SINE, WAVE_TRIANGLE, WAVE_SQUARE, WAVE_SAW, WAVE_NOISE };

/// One layer. Its pitch and its filter glide evenly to the ear from the first value to the second.
struct sound_layer {
    enum sound_wave wave;     ///< WAVE_NONE: no such layer
    float from_hz, to_hz;     ///< 20 to 12,000; of no meaning for noise
    int32_t delay_ms;         ///< before it begins
    int32_t attack_ms;        ///< to full loudness
    int32_t length_ms;        ///< from its begin; the rest after the attack dies away
    float gain;               ///< 0 to 1
    float bright_hz, dull_hz; ///< the low-pass at its begin and at its end; 0: none
};

/// One sound.
struct sound_patch {
    const char *name;
    struct sound_layer layers[SOUND_LAYERS];
};

/// All effects and stings, by enum sound; what the announcer says is in speech.h.
extern const struct sound_patch SOUND_PATCHES[SOUND_SAY_FIRST];
/// The pitch in which the stings are written.
#define SOUND_STING_HZ 110

/// Samples that a patch makes.
uint32_t sound_synth_samples(const struct sound_patch *patch);

/// Renders a patch into that many samples; never clips.
void sound_synth_render(const struct sound_patch *patch, int16_t *samples);

/// One sample of a wave at a phase of [0, 1), `step` the phase a sample; not of noise. -1 to 1, without steps that
/// would alias.
float sound_synth_wave(enum sound_wave wave, float phase, float step);

/// Evenly in [-1, 1); `random_state` is its state.
float sound_synth_noise(uint32_t *random_state);

#endif
