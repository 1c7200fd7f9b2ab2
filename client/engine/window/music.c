// SPDX-License-Identifier: MIT
#include "mixer.h"

#include <math.h>

#include "game/map/map.h"
#include "sound.h"

#define RISE        (1.0f / (2 * SOUND_RATE_HZ)) ///< about two seconds to another tension
#define OCTAVE      12
#define PATTERN     16
#define STEPS_EVERY 16 ///< samples between two looks at the clock

// What a theme plays. A digit of a pattern is a note of the chord, 3 to 5 an octave above; '.' is a rest.
struct music_row {
    uint32_t steps;  ///< of each chord
    uint32_t length; ///< of the patterns, steps
    enum sound_wave pad, bass, lead;
    float bright_hz; ///< of pad and lead
    const char *bass_notes, *arpeggio, *lead_notes, *hat, *kick, *snare;
    float calm, tense; ///< loudness at tension 0 and 256: -16 LUFS, as loudness_test.c measures
};

// clang-format off
static const struct music_row ROWS[MAP_THEMES] = {
    [MAP_THEME_FOUNDRY]   = {48, 16, WAVE_SAW, WAVE_SAW, WAVE_SQUARE, 1400,
                             "0.......0..0....", "0.1.2.1.0.2.1.2.", "3...4.5...4.3...",
                             "x.x.x.x.x.x.x.xx", "x.....x.x.......", "....x.......x..x", 2.29f, 1.27f},
    [MAP_THEME_CLOCKWORK] = {24, 12, WAVE_TRIANGLE, WAVE_TRIANGLE, WAVE_SQUARE, 2400,
                             "0.....3.....", "012345543210", "5..4..3.4.5.",
                             "x.xx.xx.xx.x", "x.....x.....", "...x.....x.x", 2.26f, 1.30f},
    [MAP_THEME_SKYLINE]   = {32, 16, WAVE_TRIANGLE, WAVE_TRIANGLE, WAVE_TRIANGLE, 3000,
                             "0.....0...3.....", "0.2.4.2.3.5.4.2.", "5...4...3.4.....",
                             "..x...x...x...x.", "x.........x.....", "....x.......x...", 2.16f, 1.46f},
    [MAP_THEME_BREAKOUT]  = {32, 16, WAVE_SQUARE, WAVE_SAW, WAVE_SAW, 2600,
                             "0.00.00.0.00.03.", "0123210332101234", "3.3.4.5.5.4.3.4.",
                             "..x...x...x...x.", "x...x...x...x...", "....x.......x...", 1.33f, 0.91f},
    [MAP_THEME_SNOW]      = {48, 16, WAVE_TRIANGLE, WAVE_TRIANGLE, WAVE_TRIANGLE, 3600,
                             "0.......0.......", "3..5..4..3..5.4.", "5.....4...3.....",
                             "x...x.x.x...x.x.", "x.......x.x.....", "....x.......x...", 2.21f, 1.48f},
    [MAP_THEME_DESERT]    = {48, 12, WAVE_SAW, WAVE_TRIANGLE, WAVE_SAW, 1700,
                             "0..0..0.0...", "0.1.2.3.2.1.", "3.43..5.4.3.",
                             "x.xx.xx.x.xx", "x.....x.x...", "...x.....x..", 2.13f, 1.29f},
};
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

void music_choose(struct music *music, uint32_t theme, uint32_t tension)
{
    theme = theme <= MAP_THEMES ? theme : 0;
    if (theme != music->theme)
        *music = (struct music){.theme = theme, .random_state = theme, .tense = (float)tension / 256};
    music->tension = tension < 256 ? tension : 256;
}

static float pitch(const struct music *music, const int32_t *chord, uint32_t note, int32_t octaves)
{
    int32_t up = chord[note % AMBIENCE_VOICES] + OCTAVE * ((int32_t)(note / AMBIENCE_VOICES) + octaves);
    return ambience_root_hz(music->theme) * exp2f((float)up / OCTAVE) / SOUND_RATE_HZ;
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

// Moves the tension, and each part with it.
static void move_levels(struct music *music, uint32_t samples)
{
    music->tense += ((float)music->tension / 256 - music->tense) * RISE * (float)samples;
    for (uint32_t part = 0; part < MUSIC_PARTS; part++) {
        float wanted = (music->tense - PARTS[part].enters) * 8;
        wanted = wanted < 0 ? 0 : wanted > 1 ? 1 : wanted;
        music->levels[part] += (wanted - music->levels[part]) * RISE * 4 * (float)samples;
    }
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
    const int32_t *chord = ambience_chord(ambience);
    if (!music->theme || ambience->theme != music->theme || !chord)
        return frame;
    const struct music_row *row = &ROWS[music->theme - 1];
    if (ambience->now % STEPS_EVERY == 0) {
        uint32_t step = ambience_part(ambience, row->steps);
        move_levels(music, STEPS_EVERY);
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
