// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "game/map/map.h"
#include "sounds/sounds.h"
#include "test.h"
#include "window/mixer.h"

#define SECOND SOUND_RATE_HZ

static int16_t samples[SOUND_LENGTH_MS_MAX * (SECOND / 100) / 10 + 2];
static int16_t stereo[2 * SECOND];
static struct sound_bank bank;
static struct mixer mixer;

static int32_t peak(const int16_t *from, size_t count, size_t stride)
{
    int32_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = abs(from[i * stride]) > most ? abs(from[i * stride]) : most;
    return most;
}

static void make_bank(void)
{
    assert_true(sound_bank_create(&bank, &SOUND_SET));
}

static void drop_bank(void)
{
    sound_bank_destroy(&bank);
}

ALL_TESTS(make_bank, drop_bank);

static void start(void)
{
    mixer = (struct mixer){.bank = &bank, .volumes = {100, 100, 0, 0, 0}};
}

TEST(every_sound_is_audible_and_does_not_clip)
{
    for (int32_t i = 0; i < SOUND_SAY_FIRST; i++) {
        const struct sound_patch *patch = &SOUND_SET.patches[i];
        int32_t longest_ms = 0;
        assert_non_null(patch->name);
        for (int32_t layer = 0; layer < SOUND_LAYERS; layer++) {
            const struct sound_layer *row = &patch->layers[layer];
            longest_ms = row->delay_ms + row->length_ms > longest_ms ? row->delay_ms + row->length_ms : longest_ms;
        }
        uint32_t count = sound_synth_samples(patch);
        if (longest_ms < 40 || longest_ms > SOUND_LENGTH_MS_MAX || count != (uint32_t)longest_ms * 441 / 10)
            fail_msg("%s: %d ms, %u samples", patch->name, longest_ms, count);
        memset(samples, 0x55, sizeof samples);
        sound_synth_render(patch, samples);
        int32_t most = peak(samples, count, 1);
        if (most < 2500 || most > 30000)
            fail_msg("%s: its peak is %d", patch->name, most);
        assert_int_equal(samples[count], 0x5555);  // not one sample more
        assert_in_range(abs(samples[0]), 0, most); // begins and ends without a click
        assert_in_range(abs(samples[count - 1]), 0, 300);
    }
}

TEST(no_two_sounds_are_the_same)
{
    for (int32_t a = 0; a < SOUNDS; a++)
        for (int32_t b = 0; b < a; b++)
            if (bank.counts[a] == bank.counts[b])
                assert_memory_not_equal(bank.samples[a], bank.samples[b], bank.counts[a] * sizeof *bank.samples[a]);
}

TEST(a_sound_is_heard_from_its_direction)
{
    static const struct {
        int32_t pan, louder; // -1 left, 0 neither, 1 right
    } rows[] = {{-256, -1}, {-100, -1}, {0, 0}, {90, 1}, {256, 1}, {100000, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start();
        mixer_play(&mixer, &(struct sound_cue){SOUND_SLAM, rows[i].pan, 256});
        mixer_render(&mixer, stereo, SECOND / 4);
        int32_t left = peak(stereo, SECOND / 4, 2), right = peak(stereo + 1, SECOND / 4, 2);
        assert_int_equal((right > left) - (right < left), rows[i].louder);
        assert_true(left > 1000 && right > 1000);
    }
}

TEST(volumes_multiply_and_zero_is_silence)
{
    static const struct {
        struct sound_volumes volumes;
        int32_t least, most;
    } rows[] = {
        /* 1 */ {{100, 100, 0, 0, 0}, 4000, 32767},
        /* 2 */ {{50, 50, 0, 0, 0}, 1000, 9000},
        /* 3 */ {{0, 100, 100, 0, 0}, 0, 0},
        /* 4 */ {{100, 0, 0, 0, 0}, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start();
        mixer.volumes = rows[i].volumes;
        mixer_play(&mixer, &(struct sound_cue){SOUND_SLAM, 0, 256});
        mixer_render(&mixer, stereo, SECOND / 4);
        int32_t most = peak(stereo, SECOND / 2, 1);
        if (most < rows[i].least || most > rows[i].most)
            fail_msg("row %zu: its peak is %d", i + 1, most);
    }
}

TEST(any_number_of_sounds_stays_within_bounds)
{
    start();
    mixer.volumes.ambience = 100;
    music_ambience_choose(&mixer.ambience, SOUND_SET.themes);
    for (uint32_t i = 0; i < 200; i++)
        mixer_play(&mixer, &(struct sound_cue){(enum sound)(i % SOUNDS), (int32_t)i * 5 - 500, 256});
    mixer_render(&mixer, stereo, SECOND);
    assert_in_range(peak(stereo, 2 * SECOND, 1), 20000, 32100);
}

TEST(at_most_three_of_one_sound_start_at_once)
{
    uint32_t busy = 0;
    start();
    for (int i = 0; i < 10; i++)
        mixer_play(&mixer, &(struct sound_cue){SOUND_SLAM, 0, 256});
    for (int i = 0; i < MIXER_VOICES; i++)
        busy += mixer.voices[i].left > 0;
    assert_int_equal(busy, MIXER_SAME_SOUND);
    mixer_render(&mixer, stereo, SECOND / 10);
    mixer_play(&mixer, &(struct sound_cue){SOUND_SLAM, 0, 256});
    busy = 0;
    for (int i = 0; i < MIXER_VOICES; i++)
        busy += mixer.voices[i].left > 0;
    assert_int_equal(busy, MIXER_SAME_SOUND + 1);
}

TEST(a_sound_that_ends_frees_its_voice)
{
    start();
    for (int i = 0; i < SOUNDS; i++)
        mixer_play(&mixer, &(struct sound_cue){(enum sound)i, 0, 256});
    for (int second = 0; second < 3; second++)
        mixer_render(&mixer, stereo, SECOND);
    for (int i = 0; i < MIXER_VOICES; i++)
        assert_int_equal(mixer.voices[i].left, 0);
    mixer_render(&mixer, stereo, SECOND);
    assert_int_equal(peak(stereo, 2 * SECOND, 1), 0);
}

TEST(each_theme_has_its_own_soft_endless_ambience)
{
    static int16_t former[2 * SECOND];
    for (uint32_t theme = 1; theme <= MAP_THEMES; theme++) {
        start();
        mixer.volumes.ambience = 100;
        music_ambience_choose(&mixer.ambience, &SOUND_SET.themes[theme - 1]);
        int32_t most = 0;
        for (int second = 0; second < 60; second++) {
            mixer_render(&mixer, stereo, SECOND);
            most = peak(stereo, 2 * SECOND, 1) > most ? peak(stereo, 2 * SECOND, 1) : most;
        }
        if (most < 1200 || most > 14000)
            fail_msg("theme %u: its peak is %d", theme, most);
        assert_true(peak(stereo, 2 * SECOND, 1) > 50);
        assert_memory_not_equal(stereo, former, sizeof stereo);
        memcpy(former, stereo, sizeof stereo);
    }
}

static bool is_near(uint32_t a, uint32_t b)
{
    return (uint32_t)abs((int32_t)a - (int32_t)b) <= 2 + (a > b ? a : b) / 400;
}

// Each quarter of 28 seconds, measured as tests/golden/sounds.h does. Any changed value of a theme changes it.
TEST(each_ambience_is_as_loud_and_as_bright_as_it_was)
{
    static const struct {
        uint32_t loud, bright; ///< 1/16 of a sample's value
    } rows[MAP_THEMES][4] = {
        {{12082, 699}, {15491, 708}, {15500, 634}, {15951, 859}},
        {{21426, 642}, {21302, 578}, {21390, 594}, {24152, 696}},
        {{19892, 1405}, {25514, 1341}, {20009, 1200}, {25999, 1573}},
        {{18842, 395}, {18690, 425}, {18489, 451}, {20398, 490}},
        {{27633, 1807}, {30537, 1678}, {30128, 1669}, {30322, 2005}},
        {{12181, 1068}, {14183, 989}, {13857, 879}, {15082, 1270}},
    };
    for (uint32_t theme = 0; theme < MAP_THEMES; theme++) {
        struct ambience ambience = {0};
        float before = 0;
        music_ambience_choose(&ambience, &SOUND_SET.themes[theme]);
        for (uint32_t part = 0; part < 4; part++) {
            uint64_t loud = 0, bright = 0;
            for (uint32_t i = 0; i < 7 * SECOND; i++) {
                float now = music_ambience_next(&ambience) * 20000;
                loud += (uint64_t)abs((int)now);
                bright += (uint64_t)abs((int)(now - before));
                before = now;
            }
            uint32_t found_loud = (uint32_t)(loud * 16 / (7 * SECOND)), found = (uint32_t)(bright * 16 / (7 * SECOND));
            if (!is_near(found_loud, rows[theme][part].loud) || !is_near(found, rows[theme][part].bright))
                fail_msg("theme %u, part %u: {%u, %u}", theme, part, found_loud, found);
        }
    }
}

// Begins with a bank in which each sound has this value for a second.
static void start_level(int16_t level)
{
    static int16_t steady[SECOND];
    static struct sound_bank even = {.set = &SOUND_SET};
    for (int i = 0; i < SECOND; i++)
        steady[i] = level;
    for (int i = 0; i < SOUNDS; i++) {
        even.samples[i] = steady;
        even.counts[i] = SECOND;
    }
    mixer = (struct mixer){.bank = &even, .volumes = {100, 100, 0, 0, 0}};
}

TEST(loudness_and_direction_are_exact)
{
    static const struct {
        int32_t pan, gain;
        struct sound_volumes volumes;
        int16_t left, right;
    } rows[] = {
        {0, 256, {100, 100, 0, 0, 0}, 1000, 1000},   {0, 128, {100, 100, 0, 0, 0}, 500, 500},
        {0, 256, {50, 100, 0, 0, 0}, 500, 500},      {0, 256, {100, 50, 0, 0, 0}, 500, 500},
        {-256, 256, {100, 100, 0, 0, 0}, 1000, 332}, {256, 256, {100, 100, 0, 0, 0}, 332, 1000},
        {-900, 256, {100, 100, 0, 0, 0}, 1000, 332}, {900, 256, {100, 100, 0, 0, 0}, 332, 1000},
        {-128, 256, {100, 100, 0, 0, 0}, 1000, 664}, {128, 256, {100, 100, 0, 0, 0}, 664, 1000},
        {0, 0, {100, 100, 0, 0, 0}, 0, 0},           {-256, -5, {100, 100, 0, 0, 0}, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start_level(1000);
        mixer.volumes = rows[i].volumes;
        mixer_play(&mixer, &(struct sound_cue){SOUND_JUMP, rows[i].pan, rows[i].gain});
        mixer_render(&mixer, stereo, 4);
        if (stereo[6] != rows[i].left || stereo[7] != rows[i].right)
            fail_msg("row %zu: %d, %d", i + 1, stereo[6], stereo[7]);
    }
}

TEST(only_what_is_loud_is_limited)
{
    static const struct {
        int16_t level;
        int32_t sounds, sum;
    } rows[] = {{10000, 2, 20000}, {11000, 2, 22000}, {10000, 3, 25586}, {-10000, 2, -20000}, {-10000, 3, -25586}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start_level(rows[i].level);
        for (int32_t n = 0; n < rows[i].sounds; n++)
            mixer_play(&mixer, &(struct sound_cue){SOUND_JUMP, 0, 256});
        mixer_render(&mixer, stereo, 4);
        if (stereo[6] != rows[i].sum)
            fail_msg("row %zu: %d", i + 1, stereo[6]);
    }
}

static uint32_t busy_voices(void)
{
    uint32_t busy = 0;
    for (int i = 0; i < MIXER_VOICES; i++)
        busy += mixer.voices[i].left > 0;
    return busy;
}

TEST(the_pitch_varies_by_four_percent)
{
    uint32_t shortest = UINT32_MAX, longest = 0;
    for (uint32_t seed = 0; seed < 20; seed++) {
        uint32_t frames = 0;
        start_level(1000);
        mixer.random_state = seed;
        for (mixer_play(&mixer, &(struct sound_cue){SOUND_JUMP, 0, 256}); busy_voices(); frames += 100)
            mixer_render(&mixer, stereo, 100);
        shortest = frames < shortest ? frames : shortest;
        longest = frames > longest ? frames : longest;
    }
    assert_in_range(shortest, SECOND * 96 / 100, SECOND * 99 / 100);
    assert_in_range(longest, SECOND * 101 / 100, SECOND * 105 / 100);
}

TEST(a_sound_between_two_samples_is_between_their_values)
{
    static int16_t ramp[1000];
    start_level(0);
    for (int i = 0; i < 1000; i++)
        ramp[i] = (int16_t)(i * 30);
    struct sound_bank slope = {.set = &SOUND_SET};
    slope.samples[SOUND_JUMP] = ramp;
    slope.counts[SOUND_JUMP] = 1000;
    mixer.bank = &slope;
    mixer_play(&mixer, &(struct sound_cue){SOUND_JUMP, 0, 256});
    mixer_render(&mixer, stereo, 500);
    for (int i = 1; i < 500; i++)
        assert_in_range(stereo[2 * i] - stereo[2 * i - 2], 27, 33); // steps of 30, 4 % more or less
}

TEST(when_all_voices_are_busy_the_oldest_sound_ends)
{
    start_level(100);
    for (int i = 0; i < MIXER_VOICES; i++) {
        mixer_play(&mixer, &(struct sound_cue){(enum sound)(i % 4), 0, 256});
        mixer_render(&mixer, stereo, 1600); // long enough for the same sound again
        assert_int_equal(busy_voices(), i + 1);
    }
    uint32_t oldest = 0;
    for (uint32_t i = 0; i < MIXER_VOICES; i++)
        oldest = mixer.voices[i].at > mixer.voices[oldest].at ? i : oldest;
    mixer_play(&mixer, &(struct sound_cue){SOUND_SLAM, 0, 256});
    assert_int_equal(mixer.voices[oldest].sound, SOUND_SLAM);
    assert_int_equal(mixer.voices[oldest].at, 0);
    assert_int_equal(busy_voices(), MIXER_VOICES);
}

TEST(the_same_sound_may_start_again_after_a_thirtieth_of_a_second)
{
    static const struct {
        size_t frames;
        uint32_t voices;
    } rows[] = {{1400, MIXER_SAME_SOUND}, {1540, MIXER_SAME_SOUND + 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start_level(100);
        for (int n = 0; n < MIXER_SAME_SOUND; n++)
            mixer_play(&mixer, &(struct sound_cue){SOUND_SLAM, 0, 256});
        mixer_render(&mixer, stereo, rows[i].frames);
        mixer_play(&mixer, &(struct sound_cue){SOUND_SLAM, 0, 256});
        assert_int_equal(busy_voices(), rows[i].voices);
    }
}

TEST(more_parts_play_the_tenser_it_is)
{
    static const struct {
        uint32_t tension;
        enum music_part last; ///< that sounds
    } rows[] = {
        /* 1 */ {0, MUSIC_BASS},    /* 2 */ {48, MUSIC_ARPEGGIO}, /* 3 */ {96, MUSIC_KICK},
        /* 4 */ {144, MUSIC_SNARE}, /* 5 */ {256, MUSIC_LEAD},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start();
        mixer.volumes.music = 100;
        mixer_set_scene(&mixer, 1, 256); // and goes from there
        for (int second = 0; second < 15; second++) {
            mixer_set_scene(&mixer, 1, rows[i].tension);
            mixer_render(&mixer, stereo, SECOND);
        }
        for (uint32_t part = 0; part < MUSIC_PARTS; part++)
            if ((mixer.music.levels[part] > 0.05f) != (part <= rows[i].last))
                fail_msg("row %zu, part %u: %g", i + 1, part, (double)mixer.music.levels[part]);
    }
}

TEST(music_has_its_own_volume_and_ends_with_its_theme)
{
    for (uint32_t theme = 0; theme <= MAP_THEMES + 1; theme++)
        for (uint32_t volume = 0; volume <= 100; volume += 100) {
            start();
            mixer.volumes = (struct sound_volumes){.master = 100, .music = volume};
            mixer_set_scene(&mixer, MAP_THEMES + 1 - theme, 0);
            mixer_set_scene(&mixer, theme, 256);
            mixer_render(&mixer, stereo, SECOND);
            assert_int_equal(peak(stereo, 2 * SECOND, 1) > 0, volume && theme && theme <= MAP_THEMES);
        }
}

TEST(every_line_of_the_announcer_is_audible_and_known)
{
    static int16_t said[SPEECH_LENGTH_MS_MAX * (SECOND / 100) / 10 + 2];
    static const struct speech_line unknown = {"what", "W AH: XX"}, nothing = {"nothing", ""};
    for (int32_t i = 0; i < SOUNDS - SOUND_SAY_FIRST; i++) {
        const struct speech_line *line = &SOUND_SET.lines[i];
        uint32_t count = speech_samples(line);
        if (!line->name || count < SECOND / 2 || count > SPEECH_LENGTH_MS_MAX * (SECOND / 100) / 10)
            fail_msg("%s: %u samples", line->name, count);
        memset(said, 0x55, sizeof said);
        speech_render(line, said);
        int32_t most = peak(said, count, 1);
        if (most < 8000 || most > 28000)
            fail_msg("%s: its peak is %d", line->name, most);
        assert_int_equal(said[count], 0x5555); // not one sample more
        assert_in_range(abs(said[0]), 0, 300);
        assert_in_range(abs(said[count - 1]), 0, 300);
    }
    assert_int_equal(speech_samples(&unknown), 0);
    assert_in_range(speech_samples(&nothing), 1, SECOND / 2);
}

// How much of a line is at a frequency (Goertzel), of the part from .. to of 100.
static double strength(const struct speech_line *line, uint32_t from, uint32_t to, double hz)
{
    static int16_t said[SPEECH_LENGTH_MS_MAX * (SECOND / 100) / 10 + 2];
    uint32_t count = speech_samples(line);
    double sum = 0;
    speech_render(line, said);
    for (double at = hz * 0.8; at < hz * 1.2; at += 20) { // of a band, since the pitch sinks
        double turn = 2 * cos(2 * 3.14159265358979 * at / SECOND), a = 0, b = 0;
        for (uint32_t i = count * from / 100; i < count * to / 100; i++) {
            double next = said[i] + turn * a - b;
            b = a;
            a = next;
        }
        sum += a * a + b * b - turn * a * b;
    }
    return sum;
}

// An i has a high second formant and a low first one, an a the opposite, an s is noise far above both.
TEST(vowels_and_consonants_have_their_formants)
{
    static const struct speech_line i = {"i", "IY: IY:"}, a = {"a", "AA: AA:"}, u = {"u", "UW: UW:"},
                                    s = {"s", "S: S:"};
    assert_true(strength(&i, 10, 50, 2250) > 4 * strength(&i, 10, 50, 1120));
    assert_true(strength(&a, 10, 50, 1120) > 8 * strength(&a, 10, 50, 2000));
    assert_true(strength(&a, 10, 50, 740) > 4 * strength(&i, 10, 50, 740));
    assert_true(strength(&i, 10, 50, 2250) > 20 * strength(&u, 10, 50, 2250));
    assert_true(strength(&s, 10, 50, 6300) > 50 * strength(&s, 10, 50, 600));
    assert_true(strength(&s, 10, 50, 6300) > 50 * strength(&a, 10, 50, 6300));
}

static void say(enum sound line)
{
    mixer_play(&mixer, &(struct sound_cue){line, 0, 256});
}

TEST(the_announcer_says_one_line_after_the_other_and_numbers_at_once)
{
    start();
    mixer.volumes = (struct sound_volumes){.master = 100, .voices = 100};
    say(SOUND_SAY_ROUND);
    say(SOUND_SAY_MATCH_POINT);
    assert_int_equal(mixer.announcer.count, 2);
    uint32_t length = bank.counts[SOUND_SAY_ROUND];
    mixer_render(&mixer, stereo, length);
    assert_int_equal(mixer.announcer.count, 1);
    assert_int_equal(mixer.announcer.lines[0], SOUND_SAY_MATCH_POINT);
    assert_int_equal(mixer.announcer.at, 0);
    mixer_render(&mixer, stereo, SECOND / 2);
    say(SOUND_SAY_WINNER);
    say(SOUND_SAY_THREE); // instead of what was being said and what waited
    assert_int_equal(mixer.announcer.count, 2);
    mixer_render(&mixer, stereo, SECOND / 50);
    assert_int_equal(mixer.announcer.count, 1);
    assert_int_equal(mixer.announcer.lines[0], SOUND_SAY_THREE);
    assert_in_range(mixer.announcer.at, SECOND / 50 - SECOND / 100 - 2, SECOND / 50 - SECOND / 100 + 2);
    for (int i = 0; i < 20; i++)
        say(SOUND_SAY_WINNER);
    assert_int_equal(mixer.announcer.count, MIXER_LINES);
    mixer.announcer = (struct mixer_announcer){0};
    mixer.volumes.voices = 0;
    say(SOUND_SAY_DRAW);
    mixer_render(&mixer, stereo, SECOND / 10); // in which the line before fades
    mixer_render(&mixer, stereo, SECOND / 2 - SECOND / 10);
    assert_int_equal(peak(stereo, 2 * (SECOND / 2 - SECOND / 10), 1), 0);
    mixer_render(&mixer, stereo, SECOND / 2);
    assert_int_equal(mixer.announcer.count, 0);
}

TEST(music_makes_room_for_stings_and_for_the_announcer)
{
    static const enum sound rows[] = {SOUND_STING_MATCH, SOUND_SAY_SUDDEN_DEATH, SOUND_SLAM};
    for (size_t i = 0; i < 3; i++) {
        start();
        mixer.volumes = (struct sound_volumes){.master = 100, .effects = 100, .music = 100, .voices = 100};
        mixer_set_scene(&mixer, 1, 256);
        mixer_render(&mixer, stereo, SECOND);
        say(rows[i]);
        mixer_render(&mixer, stereo, SECOND / 2);
        assert_int_equal(mixer.ducked > 0.55f, i < 2);
        for (int second = 0; second < 5; second++)
            mixer_render(&mixer, stereo, SECOND);
        assert_true(mixer.ducked < 0.02f);
    }
    mixer.volumes = (struct sound_volumes){.master = 100, .music = 100}; // nobody is heard
    say(SOUND_STING_MATCH);
    say(SOUND_SAY_SUDDEN_DEATH);
    mixer_render(&mixer, stereo, SECOND / 2);
    assert_true(mixer.ducked < 0.02f);
}

// 73.4 Hz is a fifth below A, so a sting plays 4/3 higher there.
TEST(a_sting_plays_in_the_key_of_the_music)
{
    static const uint32_t rows[][2] = {{0, 65536}, {1, 87462}, {4, 65536}, {5, 65536}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start();
        mixer_set_scene(&mixer, rows[i][0], 0);
        say(SOUND_STING_ROUND);
        assert_in_range(mixer.voices[0].step, rows[i][1] - 2, rows[i][1] + 2);
    }
}

// A sound that swells for a tenth of a second, stays, and swells down: it has no steps of its own.
static void start_swelling(void)
{
    enum { SWELL = SECOND / 10, LENGTH = SECOND };
    static int16_t swelling[LENGTH];
    static struct sound_bank smooth;
    for (int32_t i = 0; i < LENGTH; i++) {
        int32_t near = i < LENGTH - i ? i : LENGTH - i;
        swelling[i] = (int16_t)(near < SWELL ? 4000 * near / SWELL : 4000);
    }
    smooth = bank;
    for (int32_t i = 0; i < SOUNDS; i++) {
        smooth.samples[i] = swelling;
        smooth.counts[i] = LENGTH;
    }
    mixer = (struct mixer){.bank = &smooth, .volumes = {100, 100, 0, 0, 100}};
}

// Returns the largest step between two frames.
static int32_t steepest(size_t frames)
{
    static int16_t before[2];
    int32_t most = 0;
    mixer_render(&mixer, stereo, frames);
    for (size_t i = 0; i < 2 * frames; i++) {
        int32_t step = stereo[i] - (i < 2 ? before[i] : stereo[i - 2]);
        most = abs(step) > most ? abs(step) : most;
    }
    memcpy(before, &stereo[2 * frames - 2], sizeof before);
    return most;
}

TEST(nothing_clicks_that_is_cut_off_or_turned_down)
{
    enum { FRAMES = SECOND / 4, GENTLE = 60 };
    start_swelling();
    steepest(1);
    mixer_play(&mixer, &(struct sound_cue){SOUND_SLAM, 0, 256});
    assert_in_range(steepest(FRAMES), 0, GENTLE);
    mixer.volumes.effects = 0; // off
    assert_in_range(steepest(FRAMES), 0, GENTLE);
    mixer.volumes.effects = 100;
    assert_in_range(steepest(FRAMES), 0, GENTLE);
    start_swelling(); // with every voice taken, one more takes the first
    steepest(1);
    for (uint32_t i = 0; i < MIXER_VOICES; i++)
        mixer_play(&mixer, &(struct sound_cue){(enum sound)i, 0, i ? 1 : 256});
    steepest(FRAMES);
    mixer_play(&mixer, &(struct sound_cue){SOUND_SLAM, 0, 256});
    assert_in_range(steepest(FRAMES), 0, GENTLE);
    for (uint32_t theme = 1; theme <= MAP_THEMES; theme++) { // and music that ends with its theme
        mixer = (struct mixer){.bank = &bank, .volumes = {.master = 100, .music = 100}};
        mixer_set_scene(&mixer, theme, 0);
        for (uint32_t i = 0; i < 12; i++)
            steepest(FRAMES);
        for (uint32_t i = 0; i < 8; i++) {
            steepest(SECOND / 32 + i);
            mixer_set_scene(&mixer, i % 2 ? theme : 0, 0);
            int32_t at_cut = steepest(2);
            if (at_cut > 900)
                fail_msg("theme %u steps by %d", theme, at_cut);
        }
    }
}

TEST(a_louder_sound_takes_the_place_of_the_softest_of_its_kind)
{
    static const struct {
        int32_t gain, least_of_all; ///< of the fourth; of the softest voice afterwards
    } rows[] = {/* own death */ {256, 150}, /* as soft as the softest */ {120, 120}, {90, 120}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const int32_t GAINS[] = {150, 120, 160};
        int32_t softest = 256, loudest = 0, count = 0;
        start();
        for (size_t other = 0; other < 3; other++)
            mixer_play(&mixer, &(struct sound_cue){SOUND_DEATH, 0, GAINS[other]});
        mixer_play(&mixer, &(struct sound_cue){SOUND_DEATH, 0, rows[i].gain});
        for (int32_t v = 0; v < MIXER_VOICES; v++) {
            int32_t gain = mixer.voices[v].left;
            count += gain > 0;
            softest = gain && gain < softest ? gain : softest;
            loudest = gain > loudest ? gain : loudest;
        }
        assert_int_equal(count, 3);
        assert_int_equal(softest, rows[i].least_of_all);
        assert_int_equal(loudest, rows[i].gain > 160 ? rows[i].gain : 160);
    }
}

TEST(an_unknown_theme_is_silent)
{
    start();
    mixer.volumes.ambience = 100;
    mixer_set_scene(&mixer, UINT32_MAX, 0);
    mixer_render(&mixer, stereo, SECOND);
    assert_int_equal(peak(stereo, 2 * SECOND, 1), 0);
}
