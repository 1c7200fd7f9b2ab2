// SPDX-License-Identifier: MIT
//
// The voice of the announcer: a source and formants, as in D. H. Klatt, "Software for a cascade/parallel formant
// synthesizer" (1980). A throat buzzes or breathes, five resonators shape it into vowels, and noise of its own makes
// consonants. A line is a row of phonemes in speech_lines.c. Pure: no clock, no heap, no device.
#ifndef APP_AUDIO_SPEECH_H
#define APP_AUDIO_SPEECH_H

#include <stdint.h>

#include "sound.h"

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

#endif
