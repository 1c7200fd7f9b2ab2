// SPDX-License-Identifier: MIT
#include "music.h"

#include <math.h>
#include <stddef.h>

#define FADE        (1.0f / (3 * SOUND_RATE_HZ)) ///< three seconds from silence to full
#define SCALE       5
#define RISE        (1.0f / (2 * SOUND_RATE_HZ)) ///< about two seconds to another tension
#define OCTAVE      12
#define STEPS_EVERY 16 ///< samples between two looks at the clock

static float raised(float hz, int32_t half_tones)
{
    return hz * exp2f((float)half_tones / 12);
}

static float advance(float *phase, float step)
{
    *phase += step;
    *phase -= floorf(*phase);
    return *phase;
}

void music_ambience_choose(struct ambience *ambience, const struct theme_sound *theme)
{
    if (theme != ambience->theme)
        *ambience = (struct ambience){.theme = theme, .random_state = theme ? theme->seed : 0};
}

static uint32_t chord_samples(const struct ambience_row *row)
{
    return (uint32_t)row->chord_ms * SOUND_RATE_HZ / 1000;
}

// Returns the chord that sounds now, half-tones above the root; NULL without a theme.
static const int32_t *chord_of(const struct ambience *ambience)
{
    const struct theme_sound *theme = ambience->theme;
    return theme ? theme->ambience.chords[ambience->now / chord_samples(&theme->ambience) % AMBIENCE_CHORDS] : NULL;
}

// Returns which of `parts` even parts of its chord the ambience is in.
static uint32_t part_of(const struct ambience *ambience, uint32_t parts)
{
    uint32_t length = ambience->theme ? chord_samples(&ambience->theme->ambience) : 1;
    return (uint32_t)((uint64_t)(ambience->now % length) * parts / length);
}

static float chord(struct ambience *ambience, const struct ambience_row *row)
{
    uint32_t length = chord_samples(row);
    uint32_t at = ambience->now % length;
    float part = (float)at / (float)length, sum = 0;
    for (int32_t i = 0; i < AMBIENCE_VOICES; i++) {
        if (!at)
            ambience->steps[i] = raised(row->root_hz, chord_of(ambience)[i]) / SOUND_RATE_HZ;
        float step = ambience->steps[i];
        sum += sound_synth_wave(row->wave, advance(&ambience->phases[i], step), step);
    }
    // The loudness swells and ebbs, which hides changes of pitch.
    ambience->dark += (sum - ambience->dark) * row->dark_hz / (row->dark_hz + SOUND_RATE_HZ / 6.28f);
    return ambience->dark * row->chord_gain * sinf(part * 3.1415927f);
}

static float wind(struct ambience *ambience, const struct ambience_row *row)
{
    float gust = 0.6f + 0.4f * sinf((float)(ambience->now % (11 * SOUND_RATE_HZ)) * 6.2831853f / (11 * SOUND_RATE_HZ));
    float cut = row->wind_hz / (row->wind_hz + SOUND_RATE_HZ / 6.28f);
    ambience->wind += (sound_synth_noise(&ambience->random_state) - ambience->wind) * cut;
    return ambience->wind * row->wind_gain * gust;
}

static float note(struct ambience *ambience, const struct ambience_row *row)
{
    static const int32_t PENTATONIC[SCALE] = {0, 3, 5, 7, 10};
    uint32_t apart = (uint32_t)row->note_ms * SOUND_RATE_HZ / 1000;
    if (ambience->now % apart == 0 && (ambience->random_state >> 9) % row->note_one_of == 0) {
        ambience->note_hz = raised(row->note_root_hz, PENTATONIC[(ambience->random_state >> 16) % SCALE]);
        ambience->note_loud = row->note_gain;
    }
    ambience->note_loud *= 1 - 1000.0f / (row->note_ms_of_life * SOUND_RATE_HZ);
    float step = ambience->note_hz / SOUND_RATE_HZ;
    return sound_synth_wave(row->note, advance(&ambience->note_phase, step), step) * ambience->note_loud;
}

float music_ambience_next(struct ambience *ambience)
{
    if (!ambience->theme)
        return 0;
    const struct ambience_row *row = &ambience->theme->ambience;
    uint32_t bars = chord_samples(row) * AMBIENCE_CHORDS;
    ambience->loud += (1 - ambience->loud) * FADE * 3;
    float sum = chord(ambience, row) + wind(ambience, row) + note(ambience, row);
    ambience->now = (ambience->now + 1) % (bars * 11); // the period of both chords and gusts
    return sum * ambience->loud;
}

// clang-format off
static const struct {
    float enters, gain;    ///< at which tension of 1 it begins to sound; its loudness
    float life_ms;         ///< until a note has faded to a third; 0: never
    float pan;             ///< -1 left to 1 right
} PARTS[MUSIC_PARTS] = {
    [MUSIC_PAD]          = {-0.1f, 0.12f,    0, -0.6f},
    [MUSIC_PAD + 1]      = {-0.1f, 0.12f,    0,  0.6f},
    [MUSIC_PAD + 2]      = {-0.1f, 0.12f,    0,  0.0f},
    [MUSIC_BASS]         = {-0.1f, 0.22f,  300,  0.0f},
    [MUSIC_ARPEGGIO]     = { 0.1f, 0.14f,  140,  0.4f},
    [MUSIC_HAT]          = { 0.2f, 0.07f,   18, -0.3f},
    [MUSIC_KICK]         = { 0.3f, 0.45f,   90,  0.0f},
    [MUSIC_SNARE]        = { 0.5f, 0.20f,   55,  0.1f},
    [MUSIC_LEAD]         = { 0.6f, 0.15f,  280, -0.4f},
};
// clang-format on

void music_choose(struct music *music, const struct theme_sound *theme, uint32_t tension)
{
    if (theme != music->theme)
        *music = (struct music){.theme = theme, .random_state = theme ? theme->seed : 0, .tense = (float)tension / 256};
    music->tension = tension < 256 ? tension : 256;
}

static float pitch(const struct music *music, const int32_t *chord, uint32_t note, int32_t octaves)
{
    int32_t up = chord[note % AMBIENCE_VOICES] + OCTAVE * ((int32_t)(note / AMBIENCE_VOICES) + octaves);
    return music->theme->ambience.root_hz * exp2f((float)up / OCTAVE) / SOUND_RATE_HZ;
}

static void start_note(struct music_note *note, float step)
{
    *note = (struct music_note){.phase = note->phase, .step = step, .loud = 1};
}

static void play(struct music *music, const int32_t *chord, enum music_part part, char note, int32_t octaves)
{
    if (note != '.')
        start_note(&music->notes[part], pitch(music, chord, (uint32_t)(note - '0'), octaves));
}

// Starts the notes of a step.
static void begin_step(struct music *music, const struct music_row *row, const int32_t *chord, uint32_t step)
{
    uint32_t at = step % row->length;
    for (uint32_t i = 0; !step && i < AMBIENCE_VOICES; i++)
        start_note(&music->notes[MUSIC_PAD + i], pitch(music, chord, i, 1));
    play(music, chord, MUSIC_BASS, row->bass_notes[at], 0);
    play(music, chord, MUSIC_ARPEGGIO, row->arpeggio[at], 2);
    play(music, chord, MUSIC_LEAD, row->lead_notes[at], 1);
    if (row->hat[at] == 'x')
        start_note(&music->notes[MUSIC_HAT], 0);
    if (row->kick[at] == 'x')
        music->notes[MUSIC_KICK] = (struct music_note){.step = 150.0f / SOUND_RATE_HZ, .loud = 1};
    if (row->snare[at] == 'x')
        start_note(&music->notes[MUSIC_SNARE], 0);
}

static float voice(struct music *music, const struct music_row *row, uint32_t part)
{
    struct music_note *note = &music->notes[part];
    note->phase += note->step;
    note->phase -= note->phase >= 1 ? 1 : 0;
    switch ((enum music_part)part) {
    case MUSIC_BASS:
        return sound_synth_wave(row->bass, note->phase, note->step);
    case MUSIC_ARPEGGIO:
        return sound_synth_wave(WAVE_TRIANGLE, note->phase, note->step);
    case MUSIC_HAT:
    case MUSIC_SNARE:
        return sound_synth_noise(&music->random_state);
    case MUSIC_KICK:
        note->step += (46.0f / SOUND_RATE_HZ - note->step) * 0.0012f; // falls to 46 Hz
        return sound_synth_wave(WAVE_SINE, note->phase, note->step);
    case MUSIC_LEAD:
        return sound_synth_wave(row->lead, note->phase, note->step);
    case MUSIC_PAD:
    case MUSIC_PARTS:
        break;
    }
    return sound_synth_wave(row->pad, note->phase, note->step);
}

static float filtered(struct music *music, const struct music_row *row, uint32_t which, float value)
{
    float cut =
        row->bright_hz * (0.5f + music->tense) / (row->bright_hz * (0.5f + music->tense) + SOUND_RATE_HZ / 6.28f);
    music->smooth[which] += (value - music->smooth[which]) * cut;
    return music->smooth[which];
}

struct music_frame music_next(struct music *music, const struct ambience *ambience)
{
    struct music_frame frame = {0};
    const int32_t *chord = chord_of(ambience);
    if (!music->theme || ambience->theme != music->theme || !chord)
        return frame;
    const struct music_row *row = &music->theme->music;
    if (ambience->now % STEPS_EVERY == 0) {
        uint32_t step = part_of(ambience, row->steps);
        music->tense += ((float)music->tension / 256 - music->tense) * RISE * STEPS_EVERY;
        for (uint32_t part = 0; part < MUSIC_PARTS; part++) { // each part comes and goes with the tension
            float wanted = (music->tense - PARTS[part].enters) * 8;
            wanted = wanted < 0 ? 0 : wanted > 1 ? 1 : wanted;
            music->levels[part] += (wanted - music->levels[part]) * RISE * 4 * STEPS_EVERY;
        }
        if (music->at != step + 1)
            begin_step(music, row, chord, step);
        music->at = step + 1;
    }
    for (uint32_t part = 0; part < MUSIC_PARTS; part++) {
        struct music_note *note = &music->notes[part];
        float level = music->levels[part] * PARTS[part].gain;
        if (note->loud * level < 0.0002f)
            continue;
        float value = voice(music, row, part) * note->loud * level;
        note->loud -= PARTS[part].life_ms > 0 ? note->loud * 1000 / (PARTS[part].life_ms * SOUND_RATE_HZ) : 0;
        frame.left += value * (1 - PARTS[part].pan) / 2;
        frame.right += value * (1 + PARTS[part].pan) / 2;
    }
    float gain = row->calm + (row->tense - row->calm) * music->tense;
    frame.left = filtered(music, row, 0, frame.left) * gain;
    frame.right = filtered(music, row, 1, frame.right) * gain;
    return frame;
}
