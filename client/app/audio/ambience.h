// SPDX-License-Identifier: MIT
//
// The background sound of an arena, without end: slow chords, wind, and now and then a note. One row of a table
// describes each theme. Computes sample by sample. Plain data, no heap.
#ifndef APP_AUDIO_AMBIENCE_H
#define APP_AUDIO_AMBIENCE_H

#include <stdint.h>

/// Notes of a chord.
#define AMBIENCE_VOICES 3

/// Starts as zeros; silent until a theme is chosen.
struct ambience {
    uint32_t theme;                ///< enum map_theme + 1; 0: silence
    uint32_t now;                  ///< samples since the theme began, folded to its bars
    uint32_t random_state;         ///< of its noise and its notes
    float phases[AMBIENCE_VOICES]; ///< of the chord
    float steps[AMBIENCE_VOICES];  ///< of these phases, a sample
    float dark;                    ///< low-passed chord
    float wind;                    ///< low-passed noise
    float note_phase, note_hz, note_loud;
    float loud; ///< 0 to 1: comes and goes slowly
};

/// Chooses the theme (enum map_theme + 1; 0: silence). The same theme plays on.
void ambience_choose(struct ambience *ambience, uint32_t theme);

/// Returns the chord that sounds now, AMBIENCE_VOICES half-tones above ambience_root_hz(); NULL without a theme.
const int32_t *ambience_chord(const struct ambience *ambience);

/// Returns which of `parts` even parts of its chord the ambience is in.
uint32_t ambience_part(const struct ambience *ambience, uint32_t parts);

/// Returns the pitch of half-tone 0 of a theme (enum map_theme + 1).
float ambience_root_hz(uint32_t theme);

/// Returns the next sample, well within -1 to 1.
float ambience_next(struct ambience *ambience);

#endif
