// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "sounds/sounds.h"
#include "test.h"
#include "window/sound_device.h"

static char path[64];

static uint32_t word(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static int16_t sample(const uint8_t *bytes, size_t at)
{
    return (int16_t)(bytes[44 + 2 * at] | bytes[45 + 2 * at] << 8);
}

static void name_file(void)
{
    snprintf(path, sizeof path, "/tmp/deadfall-wav-%d.wav", (int)getpid());
}

static void remove_file(void)
{
    unlink(path);
}

ALL_TESTS(name_file, remove_file);

TEST(a_file_has_the_frames_and_says_how_many)
{
    static const int16_t FRAMES[] = {1, -2, 300, -32768, 32767, 0};
    struct error error;
    size_t byte_count;
    struct wav_file *wav = wav_file_create(path, 44100, &error);
    assert_non_null(wav);
    for (int i = 0; i < 1000; i++)
        wav_file_append(wav, FRAMES, 3);
    assert_true(wav_file_close(wav, &error));
    uint8_t *bytes = file_load(path, 1 << 20, &byte_count);
    assert_non_null(bytes);
    assert_int_equal(byte_count, 44 + 12000);
    assert_memory_equal(bytes, "RIFF", 4);
    assert_int_equal(word(bytes + 4), byte_count - 8);
    assert_memory_equal(bytes + 8, "WAVEfmt ", 8);
    assert_int_equal(word(bytes + 24), 44100);
    assert_int_equal(word(bytes + 40), 12000);
    for (size_t i = 0; i < 6000; i++)
        assert_int_equal(sample(bytes, i), FRAMES[i % 6]);
    free(bytes);
}

TEST(what_cannot_be_written_is_an_error)
{
    struct error error;
    static int16_t much[2 * 8192];
    assert_null(wav_file_create("/proc/none/a.wav", 44100, &error));
    assert_non_null(strstr(error.text, "/proc/none/a.wav"));
    struct wav_file *wav = wav_file_create("/dev/full", 44100, &error);
    assert_non_null(wav); // the disk is found full later
    for (int i = 0; i < 10; i++)
        wav_file_append(wav, much, 8192);
    assert_false(wav_file_close(wav, &error));
    assert_non_null(strstr(error.text, "not whole"));
}

// What plays into a file is what the mixer renders, as long as the time says.
TEST(a_sound_device_can_be_a_file)
{
    static struct sound_device device;
    static struct sound_bank bank;
    static struct mixer mixer;
    static int16_t wanted[2 * SOUND_RATE_HZ];
    struct sound_volumes volumes = {100, 100, 100, 100, 100};
    struct sound_setup setup = {&SOUND_SET, volumes, path};
    struct sound_cue cue = {SOUND_SAY_FIGHT, 0, 256};
    struct error error;
    size_t byte_count;
    assert_true(sound_device_open(&device, &setup, &error));
    sound_device_configure(&device, 1, 200, &volumes);
    sound_device_play(&device, &cue, 1);
    for (uint64_t us = 0; us <= 1000000; us += 16667)
        sound_device_write(&device, us);
    sound_device_write(&device, 1000000);
    sound_device_write(&device, 500000); // a clock that goes back writes nothing
    assert_true(sound_device_close(&device, &error));
    assert_true(sound_bank_create(&bank, &SOUND_SET));
    mixer = (struct mixer){.bank = &bank, .volumes = volumes};
    mixer_set_scene(&mixer, 1, 200);
    mixer_play(&mixer, &cue);
    mixer_render(&mixer, wanted, SOUND_RATE_HZ);
    uint8_t *bytes = file_load(path, 1 << 20, &byte_count);
    assert_non_null(bytes);
    assert_int_equal(byte_count, 44 + 4 * SOUND_RATE_HZ);
    for (size_t i = 0; i < 2 * SOUND_RATE_HZ; i++)
        if (sample(bytes, i) != wanted[i])
            fail_msg("sample %zu: %d, not %d", i, sample(bytes, i), wanted[i]);
    free(bytes);
    sound_bank_destroy(&bank);
    sound_device_write(&device, 2000000); // closed: nothing happens
}
