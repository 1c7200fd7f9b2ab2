// SPDX-License-Identifier: MIT
// Measures the mix as listeners do: integrated loudness after ITU-R BS.1770-4 (K-weighting, blocks of 400 ms, both
// gates), and its peak between samples. Shares no code with the mixer.
#include <math.h>
#include <stdlib.h>

#include "game/map/map.h"
#include "sounds/sounds.h"
#include "test.h"
#include "window/mixer.h"

#define SECONDS 16
#define BLOCK   (SOUND_RATE_HZ * 4 / 10)
#define HOP     (SOUND_RATE_HZ / 10)
#define HOPS    (SECONDS * 10)
#define PI      3.14159265358979
#define QUIET   12000 ///< a sample that makes no peak near -1 dBFS
#define CALM    0
#define MIDDLE  128
#define TENSE   256

static struct mixer mixer;
static struct sound_bank bank;
static int16_t stereo[2 * SOUND_RATE_HZ * SECONDS];

struct biquad {
    double b0, b1, b2, a1, a2, x1, x2, y1, y2;
};

static double filter(struct biquad *f, double x)
{
    double y = f->b0 * x + f->b1 * f->x1 + f->b2 * f->x2 - f->a1 * f->y1 - f->a2 * f->y2;
    f->x2 = f->x1, f->x1 = x, f->y2 = f->y1, f->y1 = y;
    return y;
}

// The first stage of BS.1770, a high shelf, for any rate.
static struct biquad shelf(void)
{
    double k = tan(PI * 1681.974450955533 / SOUND_RATE_HZ), q = 0.7071752369554196;
    double vh = pow(10, 3.999843853973347 / 20), vb = pow(vh, 0.4996667741545416), a0 = 1 + k / q + k * k;
    return (struct biquad){.b0 = (vh + vb * k / q + k * k) / a0,
                           .b1 = 2 * (k * k - vh) / a0,
                           .b2 = (vh - vb * k / q + k * k) / a0,
                           .a1 = 2 * (k * k - 1) / a0,
                           .a2 = (1 - k / q + k * k) / a0};
}

// The second stage, a high-pass.
static struct biquad high_pass(void)
{
    double k = tan(PI * 38.13547087602444 / SOUND_RATE_HZ), q = 0.5003270373238773, a0 = 1 + k / q + k * k;
    return (struct biquad){.b0 = 1, .b1 = -2, .b2 = 1, .a1 = 2 * (k * k - 1) / a0, .a2 = (1 - k / q + k * k) / a0};
}

static double lufs(double mean_square)
{
    return -0.691 + 10 * log10(mean_square + 1e-12);
}

static double gated(const double *blocks, int count, double threshold)
{
    double sum = 0;
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (lufs(blocks[i]) > threshold) {
            sum += blocks[i];
            kept++;
        }
    return kept ? lufs(sum / kept) : -120;
}

static double integrated_lufs(void)
{
    static double hops[HOPS], blocks[HOPS];
    for (int hop = 0; hop < HOPS; hop++)
        hops[hop] = 0;
    for (int side = 0; side < 2; side++) {
        struct biquad first = shelf(), second = high_pass();
        for (int i = 0; i < HOPS * HOP; i++) {
            double y = filter(&second, filter(&first, stereo[2 * i + side] / 32768.0));
            hops[i / HOP] += y * y / BLOCK;
        }
    }
    for (int i = 0; i + 3 < HOPS; i++)
        blocks[i] = hops[i] + hops[i + 1] + hops[i + 2] + hops[i + 3];
    return gated(blocks, HOPS - 3, gated(blocks, HOPS - 3, -70) - 10);
}

// The highest value of the curve through the samples (a windowed sinc, four points between two samples), dBFS.
static double true_peak_dbfs(void)
{
    double most = 0, taps[4][16];
    for (int part = 0; part < 4; part++)
        for (int tap = 0; tap < 16; tap++) {
            double x = tap - 7 - part / 4.0;
            taps[part][tap] = (fabs(x) < 1e-9 ? 1 : sin(PI * x) / (PI * x)) * (0.5 + 0.5 * cos(PI * x / 8.5));
        }
    for (int i = 0; i < 2 * SOUND_RATE_HZ * SECONDS - 32; i++) {
        if (abs(stereo[i + 14]) < QUIET)
            continue;
        for (int part = 0; part < 4; part++) {
            double sum = 0;
            for (int tap = 0; tap < 16; tap++)
                sum += stereo[i + 2 * tap] * taps[part][tap];
            most = fabs(sum) > most ? fabs(sum) : most;
        }
    }
    return 20 * log10((most > 0 ? most : QUIET) / 32768);
}

static void start(struct sound_volumes volumes, uint32_t theme, uint32_t tension)
{
    if (!bank.memory)
        assert_true(sound_bank_create(&bank, &SOUND_SET));
    mixer = (struct mixer){.bank = &bank, .volumes = volumes};
    mixer_set_scene(&mixer, theme, tension);
    mixer_render(&mixer, stereo, 4 * SOUND_RATE_HZ); // until all has faded in
}

// Returns how many of the two are wrong: the loudness and the peak.
static int misses(const char *what, uint32_t theme, uint32_t tension)
{
    double loud = integrated_lufs(), peak = true_peak_dbfs();
    print_message("%s, theme %u, tension %u: %.1f LUFS, true peak %.1f dBFS\n", what, theme, tension, loud, peak);
    return (loud < -17 || loud > -15) + (peak > -1);
}

static void drop_bank(void)
{
    sound_bank_destroy(&bank);
}

ALL_TESTS(NULL, drop_bank);

// A tone of 997 Hz at 0 dBFS on one side is -3.01 LUFS, as the standard says.
TEST(the_measure_is_that_of_the_standard)
{
    for (int i = 0; i < SOUND_RATE_HZ * SECONDS; i++) {
        stereo[2 * i] = (int16_t)lrint(32767 * sin(2 * PI * 997 * i / SOUND_RATE_HZ));
        stereo[2 * i + 1] = 0;
    }
    assert_true(fabs(integrated_lufs() + 3.01) < 0.05);
    assert_true(fabs(true_peak_dbfs()) < 0.1);
}

TEST(the_music_of_each_map_is_as_loud_calm_as_tense)
{
    static const uint32_t TENSIONS[] = {CALM, TENSE, MIDDLE};
    int missed = 0;
    for (uint32_t theme = 1; theme <= MAP_THEMES; theme++)
        for (int i = 0; i < (theme % 3 ? 2 : 3); i++) {
            start((struct sound_volumes){.master = 100, .music = 100}, theme, TENSIONS[i]);
            mixer_render(&mixer, stereo, SOUND_RATE_HZ * SECONDS);
            missed += misses("music", theme, TENSIONS[i]);
        }
    assert_int_equal(missed, 0);
}

// Twelve effects a second at any place, and every two seconds a sting and a line of the announcer, beside music and
// ambience, all volumes full.
TEST(a_busy_match_is_no_louder_than_its_music)
{
    int missed = 0;
    for (uint32_t theme = 1; theme <= MAP_THEMES; theme += 2) {
        uint32_t random = theme;
        start((struct sound_volumes){100, 100, 100, 100, 100}, theme, TENSE);
        for (uint32_t i = 0; i < 12 * SECONDS; i++) {
            random = random * 1664525u + 1013904223u;
            enum sound sound = (enum sound)((random >> 16) % (SOUND_DOOR + 1));
            mixer_play(&mixer, &(struct sound_cue){sound, (int32_t)(random >> 8 & 511) - 256, 200});
            if (i % 24 == 0) {
                mixer_play(&mixer, &(struct sound_cue){SOUND_STING_FIRST + i / 24 % 5, 0, 210});
                mixer_play(&mixer, &(struct sound_cue){SOUND_SAY_FIRST + i / 24 % (SOUNDS - SOUND_SAY_FIRST), 0, 256});
            }
            mixer_render(&mixer, &stereo[i * SOUND_RATE_HZ / 12 * 2], SOUND_RATE_HZ / 12);
        }
        missed += misses("busy match", theme, TENSE);
    }
    assert_int_equal(missed, 0);
}

// The announcer and the stings alone, one after the other, all volumes full.
TEST(stings_and_the_announcer_are_as_loud_as_the_music)
{
    for (uint32_t stings = 0; stings < 2; stings++) {
        uint32_t first = stings ? SOUND_STING_FIRST : SOUND_SAY_FIRST,
                 count = (stings ? SOUND_SAY_FIRST : SOUNDS) - first;
        start((struct sound_volumes){.master = 100, .effects = 100, .voices = 100}, 0, CALM);
        for (uint32_t i = 0; i < SECONDS; i++) {
            mixer_play(&mixer, &(struct sound_cue){(enum sound)(first + i % count), 0, stings ? 210 : 256});
            mixer_render(&mixer, &stereo[2 * i * SOUND_RATE_HZ], SOUND_RATE_HZ);
        }
        double loud = integrated_lufs(), peak = true_peak_dbfs();
        print_message("%s: %.1f LUFS, true peak %.1f dBFS\n", stings ? "stings" : "announcer", loud, peak);
        assert_true(loud > -19 && loud < -14 && peak <= -1);
    }
}
