// SPDX-License-Identifier: MIT
#include "mixer.h"

#include <math.h>

#include "game/map/map.h"
#include "sound.h"

#define CHORDS 4
#define FADE   (1.0f / (3 * SOUND_RATE_HZ)) ///< three seconds from silence to full
#define SCALE  5

// What a theme sounds like.
struct ambience_row {
    float root_hz;
    int32_t chords[CHORDS][AMBIENCE_VOICES]; ///< half-tones above the root
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

// clang-format off
static const struct ambience_row ROWS[MAP_THEMES] = {
    [MAP_THEME_FOUNDRY]   = { 73.4f, {{0, 7, 15}, {-4, 3, 12}, {-2, 5, 14}, {0, 7, 10}}, 6000, WAVE_SAW,      0.10f,
                              420, 0.16f, 260, WAVE_TRIANGLE,  750, 5, 587.3f, 0.07f, 260},
    [MAP_THEME_CLOCKWORK] = { 98.0f, {{0, 7, 12}, {3, 7, 15}, {-2, 5, 10}, {0, 8, 12}}, 4000, WAVE_TRIANGLE, 0.14f,
                              900, 0.05f, 400, WAVE_SQUARE,    500, 1, 1568.0f, 0.018f, 25},
    [MAP_THEME_SKYLINE]   = {130.8f, {{0, 4, 11}, {-3, 4, 9}, {5, 9, 12}, {-5, 2, 7}}, 5000, WAVE_TRIANGLE,  0.14f,
                              1200, 0.12f, 700, WAVE_SINE,     625, 4, 1046.5f, 0.06f, 420},
    [MAP_THEME_BREAKOUT]  = { 55.0f, {{0, 12, 19}, {-4, 8, 15}, {3, 10, 19}, {-2, 10, 17}}, 4000, WAVE_SQUARE, 0.07f,
                              520, 0.03f, 300, WAVE_SAW,       250, 2, 440.0f, 0.03f, 110},
    [MAP_THEME_SNOW]      = {110.0f, {{0, 7, 14}, {-4, 5, 12}, {3, 10, 14}, {-2, 5, 12}}, 7000, WAVE_SINE,    0.15f,
                              800, 0.22f, 520, WAVE_SINE,     1100, 3, 1760.0f, 0.05f, 600},
    [MAP_THEME_DESERT]    = { 82.4f, {{0, 7, 12}, {1, 8, 13}, {0, 7, 16}, {-2, 5, 10}}, 6000, WAVE_SAW,      0.08f,
                              500, 0.18f, 380, WAVE_TRIANGLE,  375, 4, 329.6f, 0.08f, 180},
};
// clang-format on

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

void ambience_choose(struct ambience *ambience, uint32_t theme)
{
    if (theme != ambience->theme)
        *ambience = (struct ambience){.theme = theme <= MAP_THEMES ? theme : 0, .random_state = theme};
}

static uint32_t chord_samples(const struct ambience_row *row)
{
    return (uint32_t)row->chord_ms * SOUND_RATE_HZ / 1000;
}

const int32_t *ambience_chord(const struct ambience *ambience)
{
    if (!ambience->theme)
        return NULL;
    const struct ambience_row *row = &ROWS[ambience->theme - 1];
    return row->chords[ambience->now / chord_samples(row) % CHORDS];
}

uint32_t ambience_part(const struct ambience *ambience, uint32_t parts)
{
    uint32_t length = ambience->theme ? chord_samples(&ROWS[ambience->theme - 1]) : 1;
    return (uint32_t)((uint64_t)(ambience->now % length) * parts / length);
}

float ambience_root_hz(uint32_t theme)
{
    return theme && theme <= MAP_THEMES ? ROWS[theme - 1].root_hz : 0;
}

static float chord(struct ambience *ambience, const struct ambience_row *row)
{
    uint32_t length = chord_samples(row);
    uint32_t at = ambience->now % length;
    float part = (float)at / (float)length, sum = 0;
    for (int32_t i = 0; i < AMBIENCE_VOICES; i++) {
        if (!at)
            ambience->steps[i] = raised(row->root_hz, ambience_chord(ambience)[i]) / SOUND_RATE_HZ;
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

float ambience_next(struct ambience *ambience)
{
    if (!ambience->theme)
        return 0;
    const struct ambience_row *row = &ROWS[ambience->theme - 1];
    uint32_t bars = chord_samples(row) * CHORDS;
    ambience->loud += (1 - ambience->loud) * FADE * 3;
    float sum = chord(ambience, row) + wind(ambience, row) + note(ambience, row);
    ambience->now = (ambience->now + 1) % (bars * 11); // the period of both chords and gusts
    return sum * ambience->loud;
}
