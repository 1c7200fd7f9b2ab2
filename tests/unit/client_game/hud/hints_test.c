// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "app/config/preferences.h"
#include "hud/hints.h"
#include "looks/display_options.h"
#include "test.h"
#include "test_match.h"
#include "window/keyboard.h"

static struct preferences preferences;
static struct test_match match;
static struct view view;
static struct display_options display;
static struct canvas canvas;

static struct hints start(void)
{
    struct error error;
    assert_true(preferences_read(&preferences, "", &error));
    memset(&match, 0, sizeof match);
    match.world.player_slots = 1;
    match.world.tick = 100;
    match.world.players[0].state = PLAYER_ALIVE;
    display = DISPLAY_OPTIONS_DEFAULT;
    view = (struct view){.map = &match.map, .world = &match.world, .confirmed = &match.world};
    return (struct hints){.controls = &preferences.controls};
}

// Pixels of an empty picture that the hints have changed.
static int32_t draw(const struct hints *hints)
{
    struct frame frame = {.canvas = &canvas, .view = &view, .display = &display};
    int32_t changed = 0;
    memset(&canvas, 0, sizeof canvas);
    hints_draw(&frame, hints);
    for (int32_t i = 0; i < CANVAS_WIDTH * CANVAS_HEIGHT; i++)
        changed += canvas.pixels[i] != 0;
    return changed;
}

TEST(a_hint_names_the_key_that_the_player_has_bound)
{
    static const struct {
        bool by_gamepad, second_keys;
        int64_t key, other, second;
        uint32_t pad, pad_other;
        const char *name;
    } rows[] = {
        /* 1 */ {false, false, 44, 14, 229, 1, 4, "Space"},
        /* 2 */ {false, false, 10, 14, 229, 1, 4, "G"},
        /* 3 */ {false, false, 0, 14, 229, 1, 4, "K"},
        /* 4 */ {false, false, 0, 0, 229, 1, 4, "none"},
        /* 5 */ {false, true, 44, 14, 229, 1, 4, "Right Shift"},
        /* 6 */ {true, false, 44, 14, 229, 1, 4, NULL},
        /* 7 */ {true, false, 44, 14, 229, 0, 4, NULL},
        /* 8 */ {true, false, 44, 14, 229, GAMEPAD_BUTTON_RIGHT_TRIGGER, 0, NULL},
        /* 9 */ {true, false, 44, 14, 229, 0, 0, "none"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hints hints = start();
        char name[32];
        hints.by_gamepad = rows[i].by_gamepad;
        hints.second_keys = rows[i].second_keys;
        preferences.controls.buttons.keys[0][ACTION_JUMP] = rows[i].key;
        preferences.controls.buttons.keys[1][ACTION_JUMP] = rows[i].other;
        preferences.controls.buttons.keys[2][ACTION_JUMP] = rows[i].second;
        preferences.controls.buttons.gamepad_buttons[0][ACTION_JUMP] = rows[i].pad;
        preferences.controls.buttons.gamepad_buttons[1][ACTION_JUMP] = rows[i].pad_other;
        hints_name(&hints, ACTION_JUMP, name, sizeof name);
        uint32_t button = rows[i].pad ? rows[i].pad : rows[i].pad_other;
        assert_string_equal(name, rows[i].name ? rows[i].name : pad_glyphs_name(PAD_XBOX, button));
        hints.family = PAD_SWITCH;
        hints_name(&hints, ACTION_JUMP, name, sizeof name);
        assert_string_equal(name, rows[i].name ? rows[i].name : pad_glyphs_name(PAD_SWITCH, button));
    }
}

TEST(a_key_of_the_second_set_is_not_shown_to_the_first_player_beside_them)
{
    struct hints hints = start();
    char name[32];
    preferences.controls.buttons.keys[0][ACTION_LEFT] = preferences.controls.buttons.keys[2][ACTION_LEFT] = KEY_LEFT;
    preferences.controls.buttons.keys[1][ACTION_LEFT] = KEY_A;
    hints_name(&hints, ACTION_LEFT, name, sizeof name);
    assert_string_equal(name, "\u2190");
    hints.shared_keys = true;
    hints_name(&hints, ACTION_LEFT, name, sizeof name);
    assert_string_equal(name, "A");
    hints.second_keys = true;
    hints_name(&hints, ACTION_LEFT, name, sizeof name);
    assert_string_equal(name, "\u2190");
}

TEST(directions_are_shown_as_arrows)
{
    static const struct {
        uint32_t key, button;
        const char *name;
    } rows[] = {{80, GAMEPAD_BUTTON_LEFT, "\u2190"},
                {82, GAMEPAD_BUTTON_UP, "\u2191"},
                {79, GAMEPAD_BUTTON_RIGHT, "\u2192"},
                {81, GAMEPAD_BUTTON_DOWN, "\u2193"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hints hints = start();
        char name[32];
        preferences.controls.buttons.keys[0][ACTION_JUMP] = preferences.controls.buttons.keys[2][ACTION_JUMP] =
            rows[i].key;
        preferences.controls.buttons.gamepad_buttons[0][ACTION_JUMP] = rows[i].button;
        for (int device = 0; device < 3; device++) {
            hints.second_keys = device == 1;
            hints.by_gamepad = device == 2;
            hints_name(&hints, ACTION_JUMP, name, sizeof name);
            assert_string_equal(name, device == 2 ? pad_glyphs_name(PAD_XBOX, rows[i].button) : rows[i].name);
        }
    }
}

TEST(during_a_round_only_untried_actions_have_hints)
{
    struct hints hints = start();
    match.world.round.phase = ROUND_WARMUP;
    int32_t all = draw(&hints);
    match.world.round.phase = ROUND_PLAYING;
    int32_t playing = draw(&hints);
    assert_in_range(playing, 1, all - 1); // the hint of the goal is gone
    static const uint32_t held[] = {BUTTON_LEFT, BUTTON_JUMP, BUTTON_SHOOT, BUTTON_DASH};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        int32_t before = draw(&hints);
        hints_take(&hints, &match.world, 0, held[i]);
        assert_in_range(draw(&hints), 1, before - 1);
    }
    hints_take(&hints, &match.world, 0, BUTTON_DOWN); // and the earlier jump is no drop
    assert_in_range(draw(&hints), 1, all);
    hints_take(&hints, &match.world, 0, BUTTON_DOWN | BUTTON_JUMP);
    assert_int_equal(draw(&hints), 0);
    match.world.round.phase = ROUND_COUNTDOWN;
    assert_int_equal(draw(&hints), all);
}

TEST(only_players_see_hints_until_they_have_used_them)
{
    struct hints hints = start();
    match.world.players[0].state = PLAYER_SPECTATOR;
    hints_take(&hints, &match.world, 0, BUTTON_JUMP);
    assert_int_equal(hints.tried, 0);
    assert_int_equal(draw(&hints), 0);
    match.world.players[0].state = PLAYER_ALIVE;
    hints_take(&hints, &match.world, PLAYER_CAPACITY, BUTTON_JUMP);
    assert_int_equal(hints.since, 0);
    hints_take(&hints, &match.world, 0, 0);
    assert_int_equal(hints.since, 100);
    match.world.round.phase = ROUND_PLAYING;
    match.world.tick += HINTS_TICKS - 1;
    int32_t all = draw(&hints);
    match.world.tick++;
    assert_true(draw(&hints) > 0 && draw(&hints) < all); // without the drop, which few need
    hints_take(&hints, &match.world, 0, BUTTON_LEFT | BUTTON_JUMP | BUTTON_SHOOT | BUTTON_DASH);
    assert_int_equal(draw(&hints), 0);
    match.world.tick = 100;
    hints.tried = 0;
    match.world.round.phase = ROUND_MATCH_OVER;
    assert_int_equal(draw(&hints), 0);
    match.world.round.phase = ROUND_WARMUP;
    hints.controls = NULL;
    assert_int_equal(draw(&hints), 0);
}

TEST(long_names_and_large_text_stay_within_the_picture)
{
    for (uint32_t mode = 0; mode < MODES; mode++) {
        struct hints hints = start();
        display.large_text = true;
        match.world.rules.mode = mode;
        for (uint32_t action = 0; action < CONTROLS_ACTIONS; action++)
            preferences.controls.buttons.keys[0][action] = 229; // "Right Shift"
        assert_true(draw(&hints) > 0);
        for (int32_t y = 0; y < CANVAS_HEIGHT; y++)
            for (int32_t x = 0; x < 4; x++) {
                assert_int_equal(canvas.pixels[y * CANVAS_WIDTH + x], 0);
                assert_int_equal(canvas.pixels[y * CANVAS_WIDTH + CANVAS_WIDTH - 1 - x], 0);
            }
    }
}

TEST(players_at_one_window_see_their_hints_in_turn)
{
    enum { ALL = 0xFFFF };
    static const struct {
        uint32_t tried[3];
        bool plays;
        uint32_t turns[4]; // which of them are shown
    } rows[] = {
        /* 1 */ {{0, 0, 0}, true, {0, 1, 2, 0}},
        /* 2 */ {{ALL, 0, BUTTON_JUMP}, true, {1, 2, 1, 2}},
        /* 3 */ {{ALL, ALL, 0}, true, {2, 2, 2, 2}},
        /* 4 */ {{ALL, ALL, ALL}, true, {0, 0, 0, 0}},
        /* 5 */ {{ALL, 0, ALL}, false, {0, 1, 2, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hints of[3] = {{.tried = rows[i].tried[0]}, {.tried = rows[i].tried[1]}, {.tried = rows[i].tried[2]}};
        const struct hints *all[3] = {&of[0], &of[1], &of[2]};
        for (uint32_t turn = 0; turn < 4; turn++)
            if (hints_choose(all, 3, turn * HINTS_TURN_TICKS, rows[i].plays) != rows[i].turns[turn])
                fail_msg("row %zu, turn %u", i + 1, turn);
    }
    assert_int_equal(hints_choose(NULL, 0, 0, true), 0);
}

TEST(the_hints_of_one_of_several_have_their_colour)
{
    struct hints hints = start();
    match.world.player_slots = 2;
    match.world.players[1].state = PLAYER_ALIVE;
    match.world.players[1].colour = 3;
    match.world.round.phase = ROUND_PLAYING;
    hints.is_marked = true;
    hints.slot = 1;
    assert_true(draw(&hints) > 0);
    uint32_t found = 0;
    for (int32_t i = 0; i < CANVAS_WIDTH * CANVAS_HEIGHT; i++)
        found += canvas.pixels[i] == palette_player(0, 3);
    assert_int_equal(found, 2 * 7 * 5); // on both panels
    match.world.players[1].state = PLAYER_SPECTATOR;
    assert_int_equal(draw(&hints), 0);
}
