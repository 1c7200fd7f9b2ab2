// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/input_script.h"
#include "game/input.h"
#include "game/state.h"
#include "options/options.h"
#include "sync/world.h"
#include "test.h"

static struct input_script script;

TEST(buttons_hold_from_their_tick_until_the_next_line)
{
    struct error error = {0};
    assert_true(input_script_read(&script, "s",
                                  "# a run and a jump\n"
                                  "\n"
                                  "5 right\n"
                                  "  30\tright jump \r\n"
                                  "45 -",
                                  &error));
    static const struct {
        uint32_t tick, buttons;
    } rows[] = {
        /* 1 */ {0, 0},
        /* 2 */ {4, 0},
        /* 3 */ {5, BUTTON_RIGHT},
        /* 4 */ {29, BUTTON_RIGHT},
        /* 5 */ {30, BUTTON_RIGHT | BUTTON_JUMP},
        /* 6 */ {45, 0},
        /* 7 */ {100000, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(input_script_buttons(&script, rows[i].tick), rows[i].buttons);
}

TEST(a_screenshot_is_taken_at_its_tick_and_releases_no_button)
{
    struct error error = {0};
    assert_true(input_script_read(&script, "s", "0 left dash\n9 screenshot a/b.png\n9 up\n", &error));
    assert_null(input_script_screenshot(&script, 7, 8));
    assert_string_equal(input_script_screenshot(&script, 8, 9), "a/b.png");
    assert_string_equal(input_script_screenshot(&script, 5, 12), "a/b.png"); // skipped ticks count
    assert_null(input_script_screenshot(&script, 9, 10));
    assert_int_equal(input_script_buttons(&script, 8), BUTTON_LEFT | BUTTON_DASH);
    assert_int_equal(input_script_buttons(&script, 9), BUTTON_UP);
}

TEST(fingers_stay_until_they_move_or_are_lifted_and_release_no_button)
{
    struct error error = {0};
    assert_true(input_script_read(&script, "s", "0 left\n5 touch 100 800 900 1000\n9 up\n12 touch\n", &error));
    assert_null(input_script_fingers(&script, 4));
    for (uint32_t moment = 5; moment < 12; moment++) {
        const struct input_script_fingers *fingers = input_script_fingers(&script, moment);
        assert_int_equal(fingers->count, 2);
        assert_int_equal(fingers->of[0].x, 100);
        assert_int_equal(fingers->of[1].y, 1000);
    }
    assert_int_equal(input_script_fingers(&script, 12)->count, 0);
    assert_int_equal(input_script_buttons(&script, 5), BUTTON_LEFT);
    assert_int_equal(input_script_buttons(&script, 12), BUTTON_UP);
}

TEST(a_wrong_line_is_reported_with_its_file_number_and_word)
{
    static const struct {
        const char *text, *start, *quoted;
    } rows[] = {
        /* 1 */ {"0 hop", "s:1:", "\"hop\""},
        /* 2 */ {"0 left\n\n1 left hop", "s:3:", "\"hop\""},
        /* 3 */ {"x left", "s:1:", "\"x\""},
        /* 4 */ {"-1 left", "s:1:", "\"-1\""},
        /* 5 */ {"5 left\n4 right", "s:2:", "\"4\""},
        /* 6 */ {"5", "s:1:", "held"},
        /* 7 */ {"5 screenshot", "s:1:", "needs a file"},
        /* 8 */ {"5 screenshot a.png b.png", "s:1:", "\"b.png\""},
        /* 9 */ {"99999999999999999999 left", "s:1:", "100000000"},
        /* 10 */ {"0 leftright", "s:1:", "\"leftright\""},
        /* 11 */ {"0 LEFT", "s:1:", "\"LEFT\""},
        /* 12 */ {"0 touch 5", "s:1:", "X Y"},
        /* 13 */ {"0 touch 5 1001", "s:1:", "\"1001\""},
        /* 14 */ {"0 touch 5 -1", "s:1:", "\"-1\""},
        /* 15 */ {"0 touch 1 1 2 2 3 3 4 4 5 5", "s:1:", "at most 4 fingers"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error error = {0};
        if (input_script_read(&script, "s", rows[i].text, &error))
            fail_msg("row %zu was accepted", i + 1);
        if (strncmp(error.text, rows[i].start, strlen(rows[i].start)) || !strstr(error.text, rows[i].quoted))
            fail_msg("row %zu: %s", i + 1, error.text);
    }
}

TEST(more_lines_than_fit_are_refused)
{
    static char text[(INPUT_SCRIPT_LINE_CAPACITY + 1) * 4 + 1];
    struct error error;
    for (int i = 0; i < INPUT_SCRIPT_LINE_CAPACITY; i++)
        strcat(text, "0 -\n");
    assert_true(input_script_read(&script, "s", text, &error));
    strcat(text, "0 -\n");
    assert_false(input_script_read(&script, "s", text, &error));
    assert_non_null(strstr(error.text, "s:513:"));
}

TEST(a_script_counts_from_the_newest_join_of_its_slot)
{
    static struct world world;
    world.tick = 1;
    world_command(&world, NULL, &(struct command){.kind = COMMAND_JOIN, .slot = 0, .bot = 1, .name = {'b'}});
    world_command(&world, NULL, &(struct command){.kind = COMMAND_JOIN, .slot = 1, .bot = 1, .name = {'c'}});
    world.tick = 120;
    world_command(&world, NULL, &(struct command){.kind = COMMAND_LEAVE, .slot = 0});
    world_command(&world, NULL, &(struct command){.kind = COMMAND_JOIN, .slot = 0, .bot = 0, .name = {'a'}});
    world.tick = 130;
    assert_int_equal(input_script_origin(&world, 0), 120);
    assert_int_equal(input_script_origin(&world, 1), 1);
    for (uint32_t i = 0; i < EVENT_CAPACITY; i++)
        event_push(&world, EVENT_JUMP, 0, 0, 0, EVENT_NOBODY, 0);
    assert_int_equal(input_script_origin(&world, 0), 130); // forgotten
    world_command(&world, NULL, &(struct command){.kind = COMMAND_LEAVE, .slot = 0});
    world_command(&world, NULL, &(struct command){.kind = COMMAND_JOIN, .slot = 0, .bot = 0, .name = {'a'}});
    world.tick = 140;
    for (uint32_t i = 1; i < EVENT_CAPACITY; i++)
        event_push(&world, EVENT_JUMP, 0, 0, 0, EVENT_NOBODY, 0);
    assert_int_equal(input_script_origin(&world, 0), 130);
    event_push(&world, EVENT_JUMP, 0, 0, 0, EVENT_NOBODY, 0);
    assert_int_equal(input_script_origin(&world, 0), 140);
}

TEST(a_file_is_read_to_its_end_or_the_error_says_why)
{
    static const struct {
        size_t byte_count; ///< of comment before the line
        const char *line;
        int code;
        const char *words;
    } rows[] = {
        {0, "5 left\n", EXIT_OK, NULL},
        {INPUT_SCRIPT_BYTES_MAX - 8, "\n5 left\n", EXIT_OK, NULL},
        {INPUT_SCRIPT_BYTES_MAX - 7, "\n5 left\n", EXIT_IO, "it is larger than 32 KiB"},
        {0, "5 fly\n", EXIT_DATA, ":1: \"fly\""},
    };
    char path[] = "/tmp/input_script_XXXXXX";
    struct error error;
    close(mkstemp(path));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FILE *file = fopen(path, "w");
        for (size_t at = 0; at < rows[i].byte_count; at++)
            fputc('#', file);
        fputs(rows[i].line, file);
        fclose(file);
        error.code = EXIT_OK;
        assert_int_equal(input_script_load(&script, path, &error), rows[i].code == EXIT_OK);
        assert_int_equal(error.code, rows[i].code);
        if (rows[i].words)
            assert_non_null(strstr(error.text, rows[i].words));
        else
            assert_int_equal(input_script_buttons(&script, 5), BUTTON_LEFT);
    }
    remove(path);
    assert_false(input_script_load(&script, path, &error));
    assert_int_equal(error.code, EXIT_IO);
    assert_non_null(strstr(error.text, "No such file"));
}
