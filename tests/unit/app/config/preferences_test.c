// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/config/preferences.h"
#include "options/config_file.h"
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
    assert_int_equal(preferences.scaling, SCALING_AUTO);
    assert_int_equal(preferences.volume, 8);
    assert_int_equal(preferences.colour, -1);
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        assert_int_equal(preferences.hats[i], HAT_NONE);
    assert_string_equal(preferences.map, "foundry");
    assert_int_equal(preferences.keys[0][4], 44); // Space jumps
    assert_string_equal(PREFERENCES_GAMEPAD_BUTTONS[preferences.gamepad_buttons[0][4]], "a");
}

TEST(every_setting_has_its_default_and_its_range)
{
    static const struct {
        const char *name, *fallback;
        const char *next, *most; ///< after a step to the right, and after a hundred; NULL: as the default
    } rows[] = {
        {"scaling", "automatic", "whole pixels", "automatic"},
        {"vsync", "on", "off", "on"},
        {"frame-limit", "as the monitor", "30", "144"},
        {"display", "0", "1", "8"},
        {"port-mapping", "on", "off", "on"},
        {"background-mute", "off", "on", "off"},
        {"fullscreen", "off", "on", "off"},
        {"view", "where they are now", "a moment late", "where they are now"},
        {"volume", "8", "9", "10"},
        {"volume-effects", "10", "10", "10"},
        {"volume-music", "7", "8", "10"},
        {"volume-voices", "8", "9", "10"},
        {"volume-ambience", "6", "7", "10"},
        {"colour", "-1", "0", "15"},
        {"hat", "no hat", NULL, NULL},
        {"eyes", "all colours", NULL, NULL},
        {"reduced-motion", "off", "on", "off"},
        {"shake", "10", "10", "10"},
        {"large-text", "off", "on", "off"},
        {"kill-replays", "on", "off", "on"},
        {"map", "foundry", NULL, NULL},
        {"mode", "automatic", NULL, NULL},
        {"bots", "4", "5", "64"},
        {"bot-skill", "adaptive", NULL, NULL},
        {"players", "16", "17", "64"},
        {"server-name", "Deadfall", NULL, NULL},
        {"variants", "0", NULL, NULL},
        {"variant-presets", "0", NULL, NULL},
        {"favourites", "0", NULL, NULL},
        {"recent", "0", NULL, NULL},

    };
    char text[64];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(preferences_read(&preferences, "", &error));
        preferences_describe(&preferences, rows[i].name, text, sizeof text);
        assert_string_equal(text, rows[i].fallback);
        if (!rows[i].next)
            continue;
        preferences_change(&preferences, rows[i].name, 1);
        preferences_describe(&preferences, rows[i].name, text, sizeof text);
        assert_string_equal(text, rows[i].next);
        for (int step = 1; step < 100; step++)
            preferences_change(&preferences, rows[i].name, 1);
        preferences_describe(&preferences, rows[i].name, text, sizeof text);
        assert_string_equal(text, rows[i].most);
        preferences_reset(&preferences, rows[i].name);
        preferences_describe(&preferences, rows[i].name, text, sizeof text);
        assert_string_equal(text, rows[i].fallback);
    }
    static const int64_t keys[][PREFERENCES_ACTIONS] = {{80, 79, 82, 81, 44, 6, 27}, {4, 7, 26, 22, 14, 15, 13}};
    for (uint32_t action = 0; action < PREFERENCES_ACTIONS; action++)
        for (uint32_t column = 0; column < 2; column++)
            assert_int_equal(preferences.keys[column][action], keys[column][action]);
    for (uint32_t column = 0; column < PREFERENCES_GAMEPAD_BINDINGS; column++)
        for (uint32_t action = 0; action < PREFERENCES_ACTIONS; action++) {
            static const char *const buttons[][PREFERENCES_ACTIONS] = {
                {"left", "right", "up", "down", "a", "b", "x"},
                {"none", "none", "none", "none", "y", "left-shoulder", "right-trigger"}};
            uint32_t button = preferences.gamepad_buttons[column][action];
            assert_string_equal(PREFERENCES_GAMEPAD_BUTTONS[button], buttons[column][action]);
        }
}

TEST(written_preferences_are_read_back)
{
    assert_true(preferences_read(&preferences, path, &error));
    preferences.scaling = SCALING_STRETCH;
    preferences.display.reduced_motion = true;
    preferences.keys[1][6] = 99;
    preferences.hats[3] = HAT_GOGGLES;
    preferences.gamepad_buttons[0][4] = GAMEPAD_BUTTON_LEFT_TRIGGER;
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
        assert_int_equal(preferences.keys[0][4], 44);
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
        const char *row;
        int32_t step;
        int times;
        const char *described;
    } rows[] = {
        /* 1 */ {"volume", 1, 5, "10"},
        /* 2 */ {"volume", -1, 20, "0"},
        /* 3 */ {"scaling", -1, 1, "stretched"},
        /* 4 */ {"scaling", 1, 4, "automatic"},
        /* 5 */ {"reduced-motion", 1, 1, "on"},
        /* 6 */ {"reduced-motion", -1, 2, "off"},
        /* 7 */ {"pad-jump", -1, 1, "none"},
        /* 8 */ {"pad-jump", -1, 2, "right trigger"}, // a, none, round,
        /* 9 */ {"no-such-row", 1, 1, ""},
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
    preferences_change(&preferences, "volume", -3);
    preferences_reset(&preferences, "volume");
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
        const char *row, *before, *after;
    } rows[] = {
        {"favourites", "2", "0"}, {"fullscreen", "on", "off"}, {"hat", "top hat", "no hat"},    {"volume", "3", "8"},
        {"name", "Ada", ""},      {"key-jump", "99", "44"},    {"reduced-motion", "on", "off"}, {"no such row", "", ""},
    };
    assert_true(preferences_read(&preferences, "", &error));
    preferences_remember(&preferences.favourites, "a:1");
    preferences_remember(&preferences.favourites, "b:2");
    preferences.fullscreen = preferences.display.reduced_motion = true;
    preferences.hats[0] = HAT_TOP;
    preferences.volume = 3;
    preferences.keys[0][ACTION_JUMP] = 99;
    snprintf(preferences.name, sizeof preferences.name, "Ada");
    assert_null(preferences_text(&preferences, "volume")); // is no text
    assert_null(preferences_text(&preferences, "no such row"));
    preferences_change(&preferences, "name", 1); // has no steps
    preferences_change(&preferences, "no such row", 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[64] = "?";
        preferences_describe(&preferences, rows[i].row, text, sizeof text);
        assert_string_equal(text, rows[i].before);
        preferences_reset(&preferences, rows[i].row);
        preferences_describe(&preferences, rows[i].row, text, sizeof text);
        assert_string_equal(text, rows[i].after);
    }
}
