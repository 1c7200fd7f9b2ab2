// SPDX-License-Identifier: MIT
//
// Sounds of a game, which has them in tables: how each is computed at start-up, by a synthesizer and a voice, so that
// none is a file.
#ifndef WINDOW_SOUND_H
#define WINDOW_SOUND_H

#include <stdbool.h>
#include <stdint.h>

// --- sound_synth.c
//
// A small synthesiser: a patch is up to eight layers, each one wave with a gliding pitch, an envelope and a low-pass.
// Renders a whole patch into a buffer at once. Pure: no clock, no heap, no device.

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

/// Samples that a patch makes.
uint32_t sound_synth_samples(const struct sound_patch *patch);

/// Renders a patch into that many samples; never clips.
void sound_synth_render(const struct sound_patch *patch, int16_t *samples);

/// One sample of a wave at a phase of [0, 1), `step` the phase a sample; not of noise. -1 to 1, without steps that
/// would alias.
float sound_synth_wave(enum sound_wave wave, float phase, float step);

/// Evenly in [-1, 1); `random_state` is its state.
float sound_synth_noise(uint32_t *random_state);

// --- speech.c
//
// The voice of the announcer: a source and formants, as in D. H. Klatt, "Software for a cascade/parallel formant
// synthesizer" (1980). A throat buzzes or breathes, five resonators shape it into vowels, and noise of its own makes
// consonants. A line is a row of phonemes. Pure: no clock, no heap, no device.

/// Longest line, ms, with its echo.
#define SPEECH_LENGTH_MS_MAX 1600

/// A line that the announcer says.
struct speech_line {
    const char *name;     ///< for people, in small letters
    const char *phonemes; ///< symbols of speech.c with blanks between; ':' after one: stressed, longer and higher
};

/// Samples that a line makes; 0: it has a symbol that is unknown.
uint32_t speech_samples(const struct speech_line *line);

/// Renders a line into that many samples; never clips. All lines are about equally loud.
void speech_render(const struct speech_line *line, int16_t *samples);

// --- sound_bank.c
//
// The samples of all sounds in one block of memory. The program renders them once, when it opens the sound device; the
// mixer reads them from then on.

/// Sounds of a game at most.
#define SOUND_CAPACITY 64

/// What a game sounds like. Its sounds have numbers: first effects, then stings, then what the announcer says.
struct sound_set {
    const struct sound_patch *patches; ///< effects and stings
    uint32_t first_sting, first_line;
    uint32_t first_patient_line; ///< lines before it are said at once instead of all others
    uint32_t count;
    float sting_hz;                   ///< the pitch in which the stings are written
    const struct speech_line *lines;  ///< from first_line
    const struct theme_sound *themes; ///< music.h; of the theme 1 and the following
    uint32_t theme_count;
};

/// The samples of each sound, mono at SOUND_RATE_HZ.
struct sound_bank {
    const struct sound_set *set;
    const int16_t *samples[SOUND_CAPACITY]; ///< by the number of the sound
    uint32_t counts[SOUND_CAPACITY];
    int16_t *memory; ///< holds the samples of all sounds
};

/// Allocates the memory and renders every sound. Nothing else of sound allocates. Returns false without memory.
bool sound_bank_create(struct sound_bank *bank, const struct sound_set *set);

/// Frees the memory and clears the bank. Does nothing to a zeroed bank.
void sound_bank_destroy(struct sound_bank *bank);

#endif
