// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/config/preferences.h"
#include "hud/hud.h"
#include "looks/display_options.h"
#include "test.h"
#include "test_match.h"
#include "window/keyboard.h"

static struct test_match match;
static struct view view;
static struct display_options display;
static struct canvas canvas, other;
static struct preferences preferences;

static struct frame start(void)
{
    memset(&match, 0, sizeof match);
    display = DISPLAY_OPTIONS_DEFAULT;
    assert_true(preferences_read(&preferences, "", NULL));
    view = (struct view){.map = &match.map, .world = &match.world, .confirmed = &match.world, .slot = PLAYER_CAPACITY};
    return (struct frame){.canvas = &canvas, .view = &view, .display = &display};
}

static struct vote_message ask(uint32_t count, const char *text)
{
    struct vote_message vote = {.choice_count = count, .ticks_left = 600, .question = "Which map is next?"};
    for (uint32_t i = 0; i < count; i++)
        snprintf(vote.choices[i].text, sizeof vote.choices[i].text, "%s", text);
    return vote;
}

static int32_t draw(const struct frame *frame, const struct vote_message *vote, bool by_gamepad)
{
    memset(&canvas, 0, sizeof canvas);
    return vote_panel_draw(frame, vote, &(struct hints){.controls = &preferences.controls, .by_gamepad = by_gamepad},
                           8);
}

static int32_t painted(int32_t top, int32_t left, int32_t bottom, int32_t right)
{
    int32_t count = 0;
    for (int32_t y = top; y < bottom; y++)
        for (int32_t x = left; x < right; x++)
            count += canvas.pixels[y * CANVAS_WIDTH + x] != 0;
    return count;
}

TEST(all_choices_and_the_players_own_are_shown)
{
    struct frame frame = start();
    for (uint32_t count = 2; count <= VOTE_CHOICE_CAPACITY; count++) {
        struct vote_message vote = ask(count, "duel");
        draw(&frame, &vote, false);
        other = canvas;
        for (vote.own = 1; vote.own <= count; vote.own++) {
            draw(&frame, &vote, false);
            assert_memory_not_equal(&canvas, &other, sizeof canvas);
            other = canvas;
        }
    }
}

TEST(a_player_with_a_gamepad_sees_buttons_and_no_keys)
{
    struct frame frame = start();
    struct vote_message vote = ask(3, "duel");
    draw(&frame, &vote, false);
    other = canvas;
    draw(&frame, &vote, true);
    assert_memory_not_equal(&canvas, &other, sizeof canvas);
}

// Somebody who has bound others sees those; without hints, the question and its choices alone.
TEST(the_keys_that_are_bound_are_shown)
{
    struct frame frame = start();
    struct vote_message vote = ask(2, "yes");
    draw(&frame, &vote, false);
    other = canvas;
    preferences.controls.match_keys[0][MATCH_NO] = KEY_F3;
    draw(&frame, &vote, false);
    assert_memory_not_equal(&canvas, &other, sizeof canvas);
    start();
    draw(&frame, &vote, true);
    other = canvas;
    preferences.controls.match_buttons[MATCH_CHOICE] = GAMEPAD_BUTTON_LEFT_TRIGGER;
    draw(&frame, &vote, true);
    assert_memory_not_equal(&canvas, &other, sizeof canvas);
    other = canvas;
    memset(&canvas, 0, sizeof canvas);
    vote_panel_draw(&frame, &vote, NULL, 8);
    assert_memory_not_equal(&canvas, &other, sizeof canvas);
}

TEST(the_longest_vote_stays_within_the_picture)
{
    struct frame frame = start();
    struct vote_message vote = ask(VOTE_CHOICE_CAPACITY, "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm");
    int32_t below = draw(&frame, &vote, false);
    assert_in_range(below, 30, 140);
    assert_int_equal(painted(below, 0, CANVAS_HEIGHT, CANVAS_WIDTH), 0);
    assert_true(painted(below - 6, 0, below, CANVAS_WIDTH) > 0);
    assert_int_equal(painted(0, 0, CANVAS_HEIGHT, 2), 0);
    assert_int_equal(painted(0, CANVAS_WIDTH - 2, CANVAS_HEIGHT, CANVAS_WIDTH), 0);
    display.large_text = true;
    vote = ask(VOTE_CHOICE_CAPACITY, "clockwork");
    below = draw(&frame, &vote, false);
    assert_int_equal(painted(below, 0, CANVAS_HEIGHT, CANVAS_WIDTH), 0);
    assert_int_equal(painted(0, 0, CANVAS_HEIGHT, 2), 0);
}

TEST(the_scoreboard_fits_with_any_number_of_players)
{
    struct frame frame = start();
    for (uint32_t count = 0; count <= PLAYER_CAPACITY; count += 8)
        for (int32_t top = 0; top <= 60; top += 30) {
            match.world.player_slots = count;
            match.world.round.phase = ROUND_MATCH_OVER;
            for (uint32_t i = 0; i < count; i++)
                match.world.players[i] = (struct player){
                    .state = PLAYER_ALIVE, .name = {0x41 + i % 26}, .stats = {.kills = 1, .squishes = 1, .catches = 1}};
            memset(&canvas, 0, sizeof canvas);
            scoreboard_draw(&frame, top);
            assert_int_equal(painted(0, 0, top, CANVAS_WIDTH), 0);
            assert_true(painted(top, 0, CANVAS_HEIGHT - 1, CANVAS_WIDTH) > 1000);
            assert_int_equal(painted(CANVAS_HEIGHT - 1, 0, CANVAS_HEIGHT, CANVAS_WIDTH), 0);
        }
}
