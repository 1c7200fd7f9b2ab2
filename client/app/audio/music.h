// SPDX-License-Identifier: MIT
//
// The music of an arena: a sequencer plays the patterns of a theme, one row of a table, on the chords of its ambience.
// More of its parts sound the tenser the match is: pad and bass first, then an arpeggio, drums and a lead. As loud calm
// as tense. Computes sample by sample. Plain data, no heap.
#ifndef APP_AUDIO_MUSIC_H
#define APP_AUDIO_MUSIC_H

#include "ambience.h"

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
    uint32_t theme;            ///< enum map_theme + 1; 0: silence
    uint32_t tension;          ///< 0 to 256: where it goes
    uint32_t at;               ///< 1 + the step of the chord that has begun; 0: none
    uint32_t random_state;     ///< of its noise
    float tense;               ///< 0 to 1: where it is
    float levels[MUSIC_PARTS]; ///< how much of each part sounds now
    float smooth[2];           ///< low-passed pad, and lead and arpeggio
    struct music_note notes[MUSIC_PARTS];
};

/// One sample for each ear.
struct music_frame {
    float left, right;
};

/// Chooses the theme (enum map_theme + 1; 0: silence) and the tension, 0 to 256. The same theme plays on and goes to
/// the new tension in some seconds.
void music_choose(struct music *music, uint32_t theme, uint32_t tension);

/// Returns the next samples, within -1 to 1. The ambience has the same theme and gives chords and time.
struct music_frame music_next(struct music *music, const struct ambience *ambience);

#endif
