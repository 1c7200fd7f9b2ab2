// SPDX-License-Identifier: MIT
#include "sound.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define PI       3.14159265f
#define FORMANTS 5
#define EVERY    32  ///< samples between two looks at the phonemes
#define TAIL_MS  260 ///< of the echo
#define HIGH_HZ  128 ///< pitch of the voice at the begin of a line, and how far it has sunk at its end
#define LOW_HZ   84
#define STRESS   1.12f   ///< a stressed phoneme is higher by this
#define LONGER   1.7f    ///< and lasts longer by this
#define OPEN     0.62f   ///< part of a period in which the throat is open
#define BRIGHT   2.5f    ///< what lies above 1,150 Hz is that much louder
#define LOUD     4600.0f ///< mean of a line, with its pauses
#define LOUDEST  28000.0f
#define ECHO_MS  83
#define ECHO_FAR 131
#define PAUSE_MS 55
#define HISS     1.8f                             ///< of noise beside the voice
#define RATE(ms) (1000.0f / ((ms)*SOUND_RATE_HZ)) ///< of a chase that takes so many ms

// How a phoneme sounds. A stop is closed for `ms`; then it bursts and breathes.
struct phoneme {
    const char *symbol;
    float formants[3];       ///< Hz; of a consonant: where the vowels beside it come from
    float voice, breath;     ///< through the formants
    float noise;             ///< beside them
    float noise_hz, wide_hz; ///< of that noise
    int32_t ms, burst_ms, breath_ms;
};

// clang-format off
static const struct phoneme PHONEMES[] = {
    // symbol  formants, Hz        voice  breath noise  at, wide Hz   ms  burst, breath ms
    {"IY", { 280, 2250, 2900},     1.0f,  0,     0,        0,    0,  115,  0,  0},
    {"IH", { 400, 1950, 2550},     1.0f,  0,     0,        0,    0,   90,  0,  0},
    {"EH", { 550, 1800, 2480},     1.0f,  0,     0,        0,    0,  100,  0,  0},
    {"AE", { 680, 1700, 2420},     1.0f,  0,     0,        0,    0,  115,  0,  0},
    {"AA", { 740, 1120, 2450},     1.0f,  0,     0,        0,    0,  105,  0,  0},
    {"AH", { 630, 1190, 2390},     1.0f,  0,     0,        0,    0,   85,  0,  0},
    {"AO", { 580,  860, 2450},     1.0f,  0,     0,        0,    0,  120,  0,  0},
    {"UH", { 450, 1030, 2300},     1.0f,  0,     0,        0,    0,   90,  0,  0},
    {"UW", { 310,  880, 2240},     1.0f,  0,     0,        0,    0,  130,  0,  0},
    {"ER", { 480, 1320, 1690},     1.0f,  0,     0,        0,    0,  170,  0,  0},
    {"W",  { 290,  560, 2150},     0.55f, 0,     0,        0,    0,   90,  0,  0},
    {"Y",  { 270, 2250, 3000},     0.7f,  0,     0,        0,    0,   65,  0,  0},
    {"R",  { 330, 1060, 1480},     0.7f,  0,     0,        0,    0,   75,  0,  0},
    {"L",  { 360, 1050, 2880},     0.7f,  0,     0,        0,    0,   85,  0,  0},
    {"M",  { 250, 1050, 2200},     0.45f, 0,     0,        0,    0,  110,  0,  0},
    {"N",  { 250, 1650, 2500},     0.45f,  0,     0,        0,    0,  115,  0,  0},
    {"F",  { 340, 1100, 2080},     0,     0.05f, 0.16f, 7000, 5000,  120,  0,  0},
    {"TH", { 320, 1350, 2540},     0,     0.10f, 0.12f, 6000, 4500,  120,  0,  0},
    {"S",  { 320, 1390, 2530},     0,     0,     0.60f, 6300, 1700,  125,  0,  0},
    {"Z",  { 280, 1390, 2530},     0.25f, 0,     0.35f, 6000, 1700,  110,  0,  0},
    {"SH", { 300, 1840, 2750},     0,     0.05f, 0.60f, 3000,  900,  115,  0,  0},
    {"P",  { 300,  900, 2200},     0,     0.35f, 0.35f, 1000, 1200,   70, 12, 35},
    {"T",  { 350, 1750, 2650},     0,     0.30f, 0.75f, 4600, 2200,   55, 16, 40},
    {"K",  { 300, 1900, 2300},     0,     0.30f, 0.60f, 2100,  700,   65, 20, 35},
    {"D",  { 300, 1750, 2650},     0.18f, 0.10f, 0.45f, 4200, 2200,   50, 10,  8},
    {"_",  { 400, 1500, 2500},     0,     0,     0,        0,    0,   40,  0,  0},
};
// clang-format on

// What the mouth does at one moment.
struct mouth {
    float formants[FORMANTS], voice, breath, noise, noise_hz, wide_hz, hz;
};

// Two poles; the gain at 0 Hz is 1.
struct resonator {
    float a, b, c, y1, y2;
};

// One pole each twice, so that it begins and ends softly.
struct chase {
    float first, value;
};

static int32_t samples_of(int32_t ms)
{
    return ms * (SOUND_RATE_HZ / 100) / 10;
}

// Reads the next phoneme of a text and says whether it is stressed. Returns NULL at the end, or if it is unknown.
static const struct phoneme *next_phoneme(const char **text, bool *stressed)
{
    *text += strspn(*text, " ");
    size_t length = strcspn(*text, " :");
    for (size_t i = 0; length && i < sizeof PHONEMES / sizeof *PHONEMES; i++)
        if (strlen(PHONEMES[i].symbol) == length && !memcmp(PHONEMES[i].symbol, *text, length)) {
            *stressed = (*text)[length] == ':';
            *text += length + *stressed;
            return &PHONEMES[i];
        }
    return NULL;
}

static int32_t length_ms(const struct phoneme *phoneme, bool stressed)
{
    return (stressed ? (int32_t)((float)phoneme->ms * LONGER) : phoneme->ms) + phoneme->burst_ms + phoneme->breath_ms;
}

// Returns how long the phonemes of a line last, ms; -1: one is unknown.
static int32_t spoken_ms(const struct speech_line *line)
{
    const char *text = line->phonemes;
    int32_t sum = 0;
    bool stressed;
    for (const struct phoneme *phoneme; (phoneme = next_phoneme(&text, &stressed));)
        sum += length_ms(phoneme, stressed);
    return *text ? -1 : sum + PAUSE_MS;
}

uint32_t speech_samples(const struct speech_line *line)
{
    int32_t ms = spoken_ms(line);
    return ms < 0 ? 0 : (uint32_t)samples_of(ms + TAIL_MS);
}

// Sets what the mouth should do so many ms after the line began.
static void aim(struct mouth *mouth, const struct speech_line *line, int32_t at_ms, int32_t whole_ms)
{
    static const struct phoneme SILENCE = {.ms = 0};
    const char *text = line->phonemes;
    const struct phoneme *phoneme;
    bool stressed = false;
    int32_t from_ms = 0;
    while ((phoneme = next_phoneme(&text, &stressed)) && at_ms >= from_ms + length_ms(phoneme, stressed))
        from_ms += length_ms(phoneme, stressed);
    float sunk = (float)at_ms / (float)whole_ms;
    mouth->hz = (HIGH_HZ + (LOW_HZ - HIGH_HZ) * sunk) * (phoneme && stressed ? STRESS : 1);
    if (!phoneme) {
        mouth->voice = mouth->breath = mouth->noise = 0;
        return;
    }
    int32_t left_ms = from_ms + length_ms(phoneme, stressed) - at_ms;
    bool stops = phoneme->burst_ms, closed = stops && left_ms > phoneme->burst_ms + phoneme->breath_ms;
    bool bursts = stops && !closed && left_ms > phoneme->breath_ms;
    const struct phoneme *now = closed && phoneme->voice == 0 ? &SILENCE : phoneme;
    memcpy(mouth->formants, phoneme->formants, sizeof phoneme->formants);
    mouth->voice = now->voice;
    mouth->breath = closed || bursts ? 0 : now->breath;
    mouth->noise = !stops || bursts ? now->noise : 0;
    if (phoneme->noise_hz > 0) {
        mouth->noise_hz = phoneme->noise_hz;
        mouth->wide_hz = phoneme->wide_hz;
    }
}

static void tune(struct resonator *resonator, float hz, float wide_hz)
{
    float radius = expf(-PI * wide_hz / SOUND_RATE_HZ);
    resonator->c = -radius * radius;
    resonator->b = 2 * radius * cosf(2 * PI * hz / SOUND_RATE_HZ);
    resonator->a = 1 - resonator->b - resonator->c;
}

static float resonate(struct resonator *resonator, float value)
{
    float out = resonator->a * value + resonator->b * resonator->y1 + resonator->c * resonator->y2;
    resonator->y2 = resonator->y1;
    resonator->y1 = out;
    return out;
}

static float follow(struct chase *chase, float wanted, float rate)
{
    chase->first += (wanted - chase->first) * rate;
    chase->value += (chase->first - chase->value) * rate;
    return chase->value;
}

// Everything that vibrates.
struct throat {
    struct resonator formants[FORMANTS], noise;
    struct chase places[FORMANTS], voice, breath, hiss, hz;
    float phase, dull, before[2]; ///< the noise of the last two samples
    uint32_t random_state;
};

// The flow of air through the throat, differentiated (KLGLOTT88), and brighter than in life, so that music does not
// cover it.
static float buzz(struct throat *throat, float hz)
{
    throat->phase += hz / SOUND_RATE_HZ;
    throat->phase -= throat->phase >= 1 ? 1 : 0;
    float part = throat->phase / OPEN, flow = part < 1 ? 2 * part - 3 * part * part : 0;
    throat->dull += (flow - throat->dull) * 0.15f;
    return flow + (flow - throat->dull) * BRIGHT;
}

static float speak(struct throat *throat, const struct mouth *mouth, bool tunes)
{
    static const float WIDE_HZ[FORMANTS] = {70, 95, 150, 220, 280};
    float hz = follow(&throat->hz, mouth->hz, RATE(25)), noise = sound_synth_noise(&throat->random_state);
    float voice = follow(&throat->voice, mouth->voice, RATE(7)),
          breath = follow(&throat->breath, mouth->breath, RATE(5));
    float value = buzz(throat, hz) * voice + noise * breath * 0.3f;
    for (int32_t i = 0; i < FORMANTS; i++) {
        float place = follow(&throat->places[i], mouth->formants[i], RATE(13));
        if (tunes)
            tune(&throat->formants[i], place, WIDE_HZ[i]);
        value = resonate(&throat->formants[i], value);
    }
    if (tunes && mouth->noise_hz > 0) {
        tune(&throat->noise, mouth->noise_hz, mouth->wide_hz);
        throat->noise.a = (1 + throat->noise.c) / 2; // of a band: 1 in its middle
    }
    float hiss = noise * follow(&throat->hiss, mouth->noise, RATE(3)), band = hiss - throat->before[1];
    throat->before[1] = throat->before[0];
    throat->before[0] = hiss;
    return value + resonate(&throat->noise, band) * HISS;
}

// Brings a line to the loudness of all lines.
static void level(int16_t *samples, uint32_t spoken)
{
    double sum = 0;
    for (uint32_t i = 0; i < spoken; i++)
        sum += (double)samples[i] * samples[i];
    float gain = sum > 0 ? LOUD / sqrtf((float)(sum / spoken)) : 0;
    for (uint32_t i = 0; i < spoken; i++)
        samples[i] = (int16_t)(LOUDEST * tanhf((float)samples[i] * gain / LOUDEST));
}

// Two walls of the arena answer, again and again.
static void echo(int16_t *samples, uint32_t count)
{
    uint32_t near = (uint32_t)samples_of(ECHO_MS), far = (uint32_t)samples_of(ECHO_FAR), end = (uint32_t)samples_of(20);
    for (uint32_t i = near; i < count; i++) {
        float value = samples[i] + 0.07f * samples[i - near] + (i >= far ? 0.05f * samples[i - far] : 0);
        float left = (float)(count - i) / (float)end;
        value *= left < 1 ? left : 1;
        samples[i] = (int16_t)(value > LOUDEST ? LOUDEST : value < -LOUDEST ? -LOUDEST : value);
    }
}

void speech_render(const struct speech_line *line, int16_t *samples)
{
    struct mouth mouth = {.formants = {400, 1500, 2500, 3350, 3900}, .hz = HIGH_HZ};
    struct throat throat = {.random_state = 5, .hz = {HIGH_HZ, HIGH_HZ}};
    int32_t whole_ms = spoken_ms(line);
    uint32_t count = speech_samples(line), spoken = count ? (uint32_t)samples_of(whole_ms) : 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i >= spoken) {
            samples[i] = 0;
            continue;
        }
        if (i % EVERY == 0)
            aim(&mouth, line, (int32_t)((uint64_t)i * 1000 / SOUND_RATE_HZ), whole_ms);
        for (int32_t place = 0; !i && place < FORMANTS; place++)
            throat.places[place] = (struct chase){mouth.formants[place], mouth.formants[place]};
        samples[i] = (int16_t)(6000 * tanhf(speak(&throat, &mouth, i % EVERY == 0)));
    }
    level(samples, spoken);
    echo(samples, count);
}
