// SPDX-License-Identifier: MIT
//
// Every sound: its name, and how it is computed at start-up, by a synthesizer and a voice, so that none is a file.
#ifndef WINDOW_SOUND_H
#define WINDOW_SOUND_H

#include <stdbool.h>
#include <stdint.h>

/// One sound.
enum sound {
    SOUND_SPAWN,
    SOUND_JUMP,
    SOUND_WALL_JUMP,
    SOUND_LAND,
    SOUND_DASH,
    SOUND_SHOOT,
    SOUND_SHOOT_BOMB,
    SOUND_SHOOT_DRILL,
    SOUND_STICK,
    SOUND_PICKUP,
    SOUND_CATCH,
    SOUND_DEATH,
    SOUND_SQUISH,
    SOUND_STOMP,
    SOUND_OWN_KILL, ///< the viewer's player killed somebody
    SOUND_WARN,     ///< a crusher rattles
    SOUND_FALL,
    SOUND_SLAM,
    SOUND_BOUNCE,
    SOUND_BREAK,
    SOUND_EXPLOSION,
    SOUND_LID, ///< the lid of the own player's chest goes up
    SOUND_CHEST,
    SOUND_SHIELD, ///< a shield is gained, or breaks
    SOUND_SWITCH,
    SOUND_RETURN, ///< a block or a chest is there again
    SOUND_DOOR,
    SOUND_COUNT, ///< three, two, one
    SOUND_GO,    ///< the round begins
    SOUND_JOIN,
    SOUND_LEAVE,
    SOUND_CHAT,
    SOUND_MENU_MOVE,
    SOUND_MENU_SELECT,
    SOUND_MENU_BACK,
    SOUND_STING_DRAW, ///< stings are in the key of the music, which makes room for them
    SOUND_STING_ROUND,
    SOUND_STING_MATCH,
    SOUND_STING_LAST, ///< few are left
    SOUND_STING_SUDDEN_DEATH,
    SOUND_SAY_THREE, ///< the announcer says one thing at a time
    SOUND_SAY_TWO,
    SOUND_SAY_ONE,
    SOUND_SAY_FIGHT,
    SOUND_SAY_ROUND,
    SOUND_SAY_DRAW,
    SOUND_SAY_WINNER,
    SOUND_SAY_YOU_WIN,
    SOUND_SAY_MATCH_POINT,
    SOUND_SAY_LAST_ONE,
    SOUND_SAY_LAST_TWO,
    SOUND_SAY_SUDDEN_DEATH,
    SOUND_SAY_TEN_SECONDS,
    SOUNDS,
    SOUND_STING_FIRST = SOUND_STING_DRAW,
    SOUND_SAY_FIRST = SOUND_SAY_THREE
};

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

/// All effects and stings, by enum sound; what the announcer says is in speech.c.
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

// --- speech.c
//
// The voice of the announcer: a source and formants, as in D. H. Klatt, "Software for a cascade/parallel formant
// synthesizer" (1980). A throat buzzes or breathes, five resonators shape it into vowels, and noise of its own makes
// consonants. A line is a row of phonemes, SPEECH_LINES. Pure: no clock, no heap, no device.

/// Longest line, ms, with its echo.
#define SPEECH_LENGTH_MS_MAX 1600

/// A line that the announcer says.
struct speech_line {
    const char *name;     ///< for people, in small letters
    const char *phonemes; ///< symbols of speech.c with blanks between; ':' after one: stressed, longer and higher
};

/// All lines, by enum sound - SOUND_SAY_FIRST.
extern const struct speech_line SPEECH_LINES[SOUNDS - SOUND_SAY_FIRST];

/// Samples that a line makes; 0: it has a symbol that is unknown.
uint32_t speech_samples(const struct speech_line *line);

/// Renders a line into that many samples; never clips. All lines are about equally loud.
void speech_render(const struct speech_line *line, int16_t *samples);

// --- sound_bank.c
//
// The samples of all sounds in one block of memory. The program renders them once, when it opens the sound device; the
// mixer reads them from then on.

/// The samples of each sound, mono at SOUND_RATE_HZ.
struct sound_bank {
    const int16_t *samples[SOUNDS]; ///< by enum sound
    uint32_t counts[SOUNDS];
    int16_t *memory; ///< holds the samples of all sounds
};

/// Allocates the memory and renders every sound. Nothing else in this room allocates. Returns false without memory.
bool sound_bank_create(struct sound_bank *bank);

/// Frees the memory and clears the bank. Does nothing to a zeroed bank.
void sound_bank_destroy(struct sound_bank *bank);

#endif
