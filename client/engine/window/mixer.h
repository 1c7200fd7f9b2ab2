// SPDX-License-Identifier: MIT
//
// Mixes sounds, music and ambience into samples. Plain state and integers, no device: sound_device.h plays what it
// fills.
#ifndef WINDOW_MIXER_H
#define WINDOW_MIXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sound.h"

// --- ambience.c
//
// The background sound of an arena, without end: slow chords, wind, and now and then a note. One row of a table
// describes each theme. Computes sample by sample. Plain data, no heap.

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

// --- music.c
//
// The music of an arena: a sequencer plays the patterns of a theme, one row of a table, on the chords of its ambience.
// More of its parts sound the tenser the match is: pad and bass first, then an arpeggio, drums and a lead. As loud calm
// as tense. Computes sample by sample. Plain data, no heap.

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
    enum sound sound;
    int32_t pan;  ///< -256 left to 256 right
    int32_t gain; ///< 0 to 256
};

/// A sound that is playing.
struct mixer_voice {
    enum sound sound;
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
    enum sound lines[MIXER_LINES]; ///< the first is being said
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

/// Chooses the theme of ambience and music (enum map_theme + 1; 0: none), and how tense the music is, 0 to 256.
void mixer_set_scene(struct mixer *mixer, uint32_t theme, uint32_t tension);

/// Renders the next frames: left, right, left, right...
void mixer_render(struct mixer *mixer, int16_t *stereo, size_t frames);

#endif
