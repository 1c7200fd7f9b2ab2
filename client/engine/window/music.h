// SPDX-License-Identifier: MIT
//
// What sounds all the time: the ambience of a theme, without end (slow chords, wind, and now and then a note), and its
// music, a sequencer that plays patterns on the chords of the ambience. More of the music's parts sound the tenser the
// match is: pad and bass first, then an arpeggio, drums and a lead; it is as loud calm as tense. Computes sample by
// sample. Plain data, no heap.
#ifndef WINDOW_MUSIC_H
#define WINDOW_MUSIC_H

#include <stdint.h>

#include "sound.h"

/// Chords of a theme, and notes of a chord.
#define AMBIENCE_CHORDS 4
#define AMBIENCE_VOICES 3

/// What the background of a theme sounds like.
struct ambience_row {
    float root_hz;                                    ///< of half-tone 0
    int32_t chords[AMBIENCE_CHORDS][AMBIENCE_VOICES]; ///< half-tones above the root
    int32_t chord_ms;
    enum sound_wave wave;
    float chord_gain, dark_hz;
    float wind_gain, wind_hz;
    enum sound_wave note;
    int32_t note_ms;      ///< between two moments at which a note may start
    uint32_t note_one_of; ///< how many of these there are to each note that is played
    float note_root_hz, note_gain;
    float note_ms_of_life; ///< until it has faded to a third
};

/// What the music of a theme plays. A digit of a pattern is a note of the chord, 3 to 5 an octave above; '.' is a rest.
struct music_row {
    uint32_t steps;  ///< of each chord
    uint32_t length; ///< of the patterns, steps
    enum sound_wave pad, bass, lead;
    float bright_hz; ///< of pad and lead
    const char *bass_notes, *arpeggio, *lead_notes, *hat, *kick, *snare;
    float calm, tense; ///< loudness at tension 0 and 256: -16 LUFS
};

/// A theme of a game (struct sound_set).
struct theme_sound {
    uint32_t seed; ///< of its noise, and of its notes that come now and then
    struct ambience_row ambience;
    struct music_row music;
};

/// Starts as zeros; silent until a theme is chosen.
struct ambience {
    const struct theme_sound *theme; ///< NULL: silence
    uint32_t now;                    ///< samples since the theme began, folded to its bars
    uint32_t random_state;           ///< of its noise and its notes
    float phases[AMBIENCE_VOICES];   ///< of the chord
    float steps[AMBIENCE_VOICES];    ///< of these phases, a sample
    float dark;                      ///< low-passed chord
    float wind;                      ///< low-passed noise
    float note_phase, note_hz, note_loud;
    float loud; ///< 0 to 1: comes and goes slowly
};

/// Chooses the theme; NULL: silence. The same theme plays on.
void music_ambience_choose(struct ambience *ambience, const struct theme_sound *theme);

/// Returns the next sample, well within -1 to 1.
float music_ambience_next(struct ambience *ambience);

/// What plays, in the order in which it comes in.
enum music_part {
    MUSIC_PAD,
    MUSIC_BASS = MUSIC_PAD + AMBIENCE_VOICES,
    MUSIC_ARPEGGIO,
    MUSIC_HAT,
    MUSIC_KICK,
    MUSIC_SNARE,
    MUSIC_LEAD,
    MUSIC_PARTS
};

/// The note that a part plays.
struct music_note {
    float phase, step; ///< turns, and turns a sample
    float loud;        ///< dies away
};

/// Starts as zeros; silent until a theme is chosen.
struct music {
    const struct theme_sound *theme; ///< NULL: silence
    uint32_t tension;                ///< 0 to 256: where it goes
    uint32_t at;                     ///< 1 + the step of the chord that has begun; 0: none
    uint32_t random_state;           ///< of its noise
    float tense;                     ///< 0 to 1: where it is
    float levels[MUSIC_PARTS];       ///< how much of each part sounds now
    float smooth[2];                 ///< low-passed pad, and lead and arpeggio
    struct music_note notes[MUSIC_PARTS];
};

/// One sample for each ear.
struct music_frame {
    float left, right;
};

/// Chooses the theme, NULL for silence, and the tension, 0 to 256. The same theme plays on and goes to the new tension
/// in some seconds.
void music_choose(struct music *music, const struct theme_sound *theme, uint32_t tension);

/// Returns the next samples, within -1 to 1. The ambience has the same theme and gives chords and time.
struct music_frame music_next(struct music *music, const struct ambience *ambience);

#endif
