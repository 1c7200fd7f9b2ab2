// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/config/preferences.h"
#include "options/options.h"
#include "test.h"
#include "test_folder.h"

static struct preferences preferences, again;
static char path[128];
static struct error error;

static void make_folder(void)
{
    test_folder_make();
    snprintf(path, sizeof path, "%s", test_folder_path("settings"));
}

static void remove_folder(void)
{
    remove(path);
    assert_int_equal(rmdir(test_folder_path("")), 0);
}

ALL_TESTS(make_folder, remove_folder);

static void put(const void *bytes, size_t byte_count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, byte_count, file), byte_count);
    fclose(file);
}

TEST(a_missing_file_gives_the_defaults)
{
    assert_true(preferences_read(&preferences, path, &error));
    assert_int_equal(preferences.window.scaling, SCALING_AUTO);
    assert_int_equal(preferences.volume, 8);
    assert_int_equal(preferences.colour, -1);
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        assert_int_equal(preferences.hats[i], HAT_NONE);
    assert_string_equal(preferences.map, "foundry");
    assert_int_equal(preferences.controls.buttons.keys[0][4], 44); // Space jumps
    assert_string_equal(PREFERENCES_GAMEPAD_BUTTONS[preferences.controls.buttons.gamepad_buttons[0][4]], "a");
}

TEST(every_setting_has_its_default_and_its_range)
{
    static const struct {
        enum preferences_row row;
        const char *fallback;
        const char *next, *most; ///< after a step to the right, and after a hundred; NULL: as the default
    } rows[] = {
        {ROW_SCALING, "automatic", "whole pixels", "automatic"},
        {ROW_VSYNC, "on", "off", "on"},
        {ROW_FRAME_LIMIT, "as the monitor", "30", "144"},
        {ROW_DISPLAY, "0", "1", "8"},
        {ROW_PORT_MAPPING, "on", "off", "on"},
        {ROW_BACKGROUND_MUTE, "off", "on", "off"},
        {ROW_FULLSCREEN, "off", "on", "off"},
        {ROW_VIEW, "where they are now", "a moment late", "where they are now"},
        {ROW_VOLUME, "8", "9", "10"},
        {ROW_VOLUME_EFFECTS, "10", "10", "10"},
        {ROW_VOLUME_MUSIC, "7", "8", "10"},
        {ROW_VOLUME_VOICES, "8", "9", "10"},
        {ROW_VOLUME_AMBIENCE, "6", "7", "10"},
        {ROW_COLOUR, "-1", "0", "15"},
        {ROW_HAT, "no hat", NULL, NULL},
        {ROW_EYES, "all colours", NULL, NULL},
        {ROW_REDUCED_MOTION, "off", "on", "off"},
        {ROW_SHAKE, "10", "10", "10"},
        {ROW_LARGE_TEXT, "off", "on", "off"},
        {ROW_KILL_REPLAYS, "on", "off", "on"},
        {ROW_MAP, "foundry", NULL, NULL},
        {ROW_MODE, "automatic", NULL, NULL},
        {ROW_BOTS, "4", "5", "64"},
        {ROW_BOT_SKILL, "adaptive", NULL, NULL},
        {ROW_PLAYERS, "16", "17", "64"},
        {ROW_SERVER_NAME, "Deadfall", NULL, NULL},
        {ROW_VARIANTS, "0", NULL, NULL},
        {ROW_VARIANT_PRESETS, "0", NULL, NULL},
        {ROW_FAVOURITES, "0", NULL, NULL},
        {ROW_RECENT, "0", NULL, NULL},

    };
    char text[64];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(preferences_read(&preferences, "", &error));
        preferences_describe(&preferences, rows[i].row, text, sizeof text);
        assert_string_equal(text, rows[i].fallback);
        if (!rows[i].next)
            continue;
        preferences_change(&preferences, rows[i].row, 1);
        preferences_describe(&preferences, rows[i].row, text, sizeof text);
        assert_string_equal(text, rows[i].next);
        for (int step = 1; step < 100; step++)
            preferences_change(&preferences, rows[i].row, 1);
        preferences_describe(&preferences, rows[i].row, text, sizeof text);
        assert_string_equal(text, rows[i].most);
        preferences_reset(&preferences, rows[i].row);
        preferences_describe(&preferences, rows[i].row, text, sizeof text);
        assert_string_equal(text, rows[i].fallback);
    }
    static const int64_t keys[][CONTROLS_ACTIONS] = {{80, 79, 82, 81, 44, 6, 27}, {4, 7, 26, 22, 14, 15, 13}};
    for (uint32_t action = 0; action < CONTROLS_ACTIONS; action++)
        for (uint32_t column = 0; column < 2; column++)
            assert_int_equal(preferences.controls.buttons.keys[column][action], keys[column][action]);
    for (uint32_t column = 0; column < BUTTONS_GAMEPAD; column++)
        for (uint32_t action = 0; action < CONTROLS_ACTIONS; action++) {
            static const char *const buttons[][CONTROLS_ACTIONS] = {
                {"left", "right", "up", "down", "a", "b", "x"},
                {"none", "none", "none", "none", "y", "left-shoulder", "right-trigger"}};
            uint32_t button = preferences.controls.buttons.gamepad_buttons[column][action];
            assert_string_equal(PREFERENCES_GAMEPAD_BUTTONS[button], buttons[column][action]);
        }
}

TEST(written_preferences_are_read_back)
{
    assert_true(preferences_read(&preferences, path, &error));
    preferences.window.scaling = SCALING_STRETCH;
    preferences.display.reduced_motion = true;
    preferences.controls.buttons.keys[1][6] = 99;
    preferences.hats[3] = HAT_GOGGLES;
    preferences.controls.buttons.gamepad_buttons[0][4] = GAMEPAD_BUTTON_LEFT_TRIGGER;
    snprintf(preferences.name, sizeof preferences.name, "Ren\xC3\xA9");
    preferences_remember(&preferences.favourites, "arena.example:27440#abcdefghijklmnopqrstuvwxyz234567");
    preferences_remember(&preferences.recent, "[::1]:5");
    assert_true(preferences_write(&preferences, path, &error));
    assert_true(preferences_read(&again, path, &error));
    assert_memory_equal(&preferences, &again, sizeof preferences);
    remove(path);
}

TEST(a_bad_file_gives_an_error_and_the_defaults)
{
    static char large[CONFIG_FILE_BYTES_MAX + 10];
    memset(large, '#', sizeof large);
    const struct {
        const char *bytes;
        size_t byte_count;
        const char *described;
    } rows[] = {
        /* 1 */ {"scaling = sideways\n", 19, ":1: scaling is one of"},
        /* 2 */ {"volume = 3\nvolume = 4\n", 22, ":2: volume is set twice"},
        /* 3 */ {"volume = 11\n", 12, "number from 0 to 10"},
        /* 4 */ {"key-jump = 512\n", 15, "number from 0 to 511"},
        /* 5 */ {"nonsense\n", 9, "is not \"key = value\""},
        /* 6 */ {"map = \n", 7, "must not be empty"},
        /* 7 */ {"volume = 3\0\n", 12, "zero byte"},
        /* 8 */ {large, sizeof large, "more than 65536 bytes"},
        /* 9 */ {"name = \x01\xFF\n\xFE = 3\n", 16, "there is no option"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put(rows[i].bytes, rows[i].byte_count);
        error.text[0] = 0;
        if (preferences_read(&preferences, path, &error))
            fail_msg("row %zu was accepted", i + 1);
        if (!strstr(error.text, rows[i].described))
            fail_msg("row %zu gave: %s", i + 1, error.text);
        assert_int_equal(preferences.volume, 8);
        assert_int_equal(preferences.controls.buttons.keys[0][4], 44);
    }
    remove(path);
}

TEST(a_file_that_cannot_be_replaced_stays_as_it_was)
{
    char beside[160];
    put("volume = 3\n", 11);
    snprintf(beside, sizeof beside, "%s.new.%ld", path, (long)getpid());
    assert_int_equal(mkdir(beside, 0700), 0); // blocks the new file
    assert_true(preferences_read(&preferences, path, &error));
    preferences.volume = 5;
    assert_false(preferences_write(&preferences, path, &error));
    assert_non_null(strstr(error.text, "cannot be saved"));
    assert_true(preferences_read(&again, path, &error));
    assert_int_equal(again.volume, 3);
    rmdir(beside);
    remove(path);
}

TEST(a_preference_changes_within_its_bounds)
{
    const struct {
        enum preferences_row row;
        int32_t step;
        int times;
        const char *described;
    } rows[] = {
        /* 1 */ {ROW_VOLUME, 1, 5, "10"},
        /* 2 */ {ROW_VOLUME, -1, 20, "0"},
        /* 3 */ {ROW_SCALING, -1, 1, "stretched"},
        /* 4 */ {ROW_SCALING, 1, 4, "automatic"},
        /* 5 */ {ROW_REDUCED_MOTION, 1, 1, "on"},
        /* 6 */ {ROW_REDUCED_MOTION, -1, 2, "off"},
        /* 7 */ {ROW_PAD_JUMP, -1, 1, "none"},
        /* 8 */ {ROW_PAD_JUMP, -1, 2, "right trigger"}, // a, none, round,
        /* 9 */ {ROW_NONE, 1, 1, ""},
    };
    char described[64];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        preferences_read(&preferences, "", &error);
        for (int t = 0; t < rows[i].times; t++)
            preferences_change(&preferences, rows[i].row, rows[i].step);
        preferences_describe(&preferences, rows[i].row, described, sizeof described);
        if (strcmp(described, rows[i].described))
            fail_msg("row %zu described %s", i + 1, described);
    }
    preferences_change(&preferences, ROW_VOLUME, -3);
    preferences_reset(&preferences, ROW_VOLUME);
    assert_int_equal(preferences.volume, 8);
}

TEST(a_list_has_the_newest_first_and_each_entry_once)
{
    static struct option_list list;
    char address[32];
    memset(&list, 0, sizeof list);
    for (int i = 0; i < OPTION_LIST_CAPACITY + 5; i++) {
        snprintf(address, sizeof address, "host%d", i);
        preferences_remember(&list, address);
    }
    assert_int_equal(list.count, OPTION_LIST_CAPACITY);
    assert_string_equal(list.values[0], "host36");
    assert_string_equal(list.values[OPTION_LIST_CAPACITY - 1], "host5");
    preferences_remember(&list, "host20");
    assert_int_equal(list.count, OPTION_LIST_CAPACITY);
    assert_string_equal(list.values[0], "host20");
    preferences_remember(&list, list.values[3]);
    assert_string_equal(list.values[0], "host34");
    assert_true(preferences_forget(&list, "host20"));
    assert_false(preferences_forget(&list, "host20"));
    preferences_remember(&list, "two, at once");
    assert_string_equal(list.values[0], "host34");
    preferences_remember(&list, "[fe80::1%s]:5");
    assert_string_equal(list.values[0], "[fe80::1%s]:5");
}

TEST(every_kind_of_row_is_described_and_reset)
{
    static const struct {
        enum preferences_row row;
        const char *before, *after;
    } rows[] = {
        {ROW_FAVOURITES, "2", "0"},
        {ROW_FULLSCREEN, "on", "off"},
        {ROW_HAT, "top hat", "no hat"},
        {ROW_VOLUME, "3", "8"},
        {ROW_NAME, "Ada", ""},
        {ROW_KEY_JUMP, "99", "44"},
        {ROW_REDUCED_MOTION, "on", "off"},
        {ROW_NONE, "", ""},
    };
    assert_true(preferences_read(&preferences, "", &error));
    preferences_remember(&preferences.favourites, "a:1");
    preferences_remember(&preferences.favourites, "b:2");
    preferences.window.fullscreen = preferences.display.reduced_motion = true;
    preferences.hats[0] = HAT_TOP;
    preferences.volume = 3;
    preferences.controls.buttons.keys[0][ACTION_JUMP] = 99;
    snprintf(preferences.name, sizeof preferences.name, "Ada");
    assert_null(preferences_text(&preferences, ROW_VOLUME)); // is no text
    assert_null(preferences_text(&preferences, ROW_NONE));
    preferences_change(&preferences, ROW_NAME, 1); // has no steps
    preferences_change(&preferences, ROW_NONE, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[64] = "?";
        preferences_describe(&preferences, rows[i].row, text, sizeof text);
        assert_string_equal(text, rows[i].before);
        preferences_reset(&preferences, rows[i].row);
        preferences_describe(&preferences, rows[i].row, text, sizeof text);
        assert_string_equal(text, rows[i].after);
    }
}
