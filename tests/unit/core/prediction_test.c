// SPDX-License-Identifier: MIT
#include "core/prediction.h"

#include <string.h>

#include "test.h"
#include "test_match.h"

static const char *const ROWS[] = {
    "....................", "....................", "..S..............S..", "....................",
    "....................", "....................", "####################", NULL,
};

static struct test_match server;
static struct prediction prediction;

static bool confirms(void)
{
    return prediction_confirm(&prediction, &server.map, &server.world);
}

static uint32_t restore(void)
{
    return prediction_restore(&prediction, &server.map, &server.world);
}

// Two players on the server; the client is in slot 0 and has the server's current world.
static void begin(void)
{
    test_match_draw(&server, ROWS);
    test_match_start(&server);
    test_match_put(&server, 0, 30, 48);
    test_match_put(&server, 1, 120, 48);
    test_match_step(&server, 10);
    memset(&prediction, 0, sizeof prediction);
    prediction.seats.of[0] = 1;
    restore();
}

EACH_TEST(begin, NULL);

static void push(tick ticks, uint32_t buttons)
{
    for (tick i = 0; i < ticks; i++)
        prediction_push(&prediction, &server.map, prediction.present + 1, &(struct local_inputs){{{buttons}}});
}

TEST(a_right_prediction_costs_nothing)
{
    push(8, BUTTON_RIGHT);
    test_match_hold(&server, 0, BUTTON_RIGHT);
    for (int i = 0; i < 8; i++) {
        test_match_step(&server, 1);
        assert_true(confirms());
    }
    assert_memory_equal(prediction_world(&prediction), &server.world, sizeof server.world);
}

TEST(remote_players_are_predicted_to_hold_their_inputs)
{
    test_match_hold(&server, 1, BUTTON_LEFT);
    test_match_step(&server, 1);
    assert_false(confirms());
    restore();
    push(10, 0);
    test_match_step(&server, 10);
    assert_true(confirms());
}

// Steps so many ticks in which the other player's buttons are not known. Returns the buttons that were guessed last.
static uint32_t guessed_after(tick ticks, uint32_t buttons)
{
    begin();
    test_match_hold(&server, 1, buttons);
    test_match_step(&server, 1);
    restore();
    push(ticks, 0);
    return prediction_world(&prediction)->players[1].buttons;
}

TEST(a_press_is_predicted_to_end_and_a_direction_to_be_held_for_longer)
{
    uint32_t held = BUTTON_LEFT | BUTTON_UP, presses = BUTTON_JUMP | BUTTON_DASH | BUTTON_SHOOT;
    assert_int_equal(guessed_after(4, held | presses), held | presses);
    assert_int_equal(guessed_after(5, held | presses), held);
    assert_int_equal(guessed_after(35, held | presses), held);
    assert_int_equal(guessed_after(36, held | presses), 0);
}

TEST(a_wrong_prediction_is_repeated_with_the_sent_inputs)
{
    push(3, BUTTON_RIGHT);
    push(5, BUTTON_RIGHT | BUTTON_JUMP);
    test_match_hold(&server, 0, BUTTON_RIGHT);
    test_match_hold(&server, 1, BUTTON_LEFT); // the client cannot know
    test_match_step(&server, 1);
    assert_false(confirms());
    assert_int_equal(restore(), 7);
    test_match_step(&server, 2);
    test_match_hold(&server, 0, BUTTON_RIGHT | BUTTON_JUMP);
    test_match_step(&server, 5);
    assert_memory_equal(prediction_world(&prediction), &server.world, sizeof server.world);
}

TEST(one_wrong_word_is_noticed)
{
    push(4, 0);
    test_match_step(&server, 1);
    uint32_t *words[] = {&server.world.random, (uint32_t *)&server.world.actors[1].rem_x};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        *words[i] ^= 1;
        assert_false(confirms());
        *words[i] ^= 1;
    }
    assert_true(confirms());
}

TEST(a_prediction_reaches_at_most_a_second_ahead)
{
    push(100, 0);
    test_match_step(&server, 30);
    assert_true(confirms());
    assert_int_equal(prediction_world(&prediction)->tick, server.world.tick + PREDICTION_TICKS_MAX);
}

TEST(without_snapshots_prediction_stops_after_a_second)
{
    tick first = server.world.tick;
    push(200, BUTTON_RIGHT);
    assert_int_equal(prediction_world(&prediction)->tick, first + PREDICTION_TICKS_MAX);
    assert_true(prediction_stands(&prediction));
    assert_ptr_equal(prediction_world_before(&prediction), prediction_world(&prediction)); // nothing moves
    test_match_hold(&server, 0, BUTTON_RIGHT);
    test_match_step(&server, 195);
    assert_false(confirms());
    assert_int_equal(restore(), 5);
    assert_int_equal(prediction_world(&prediction)->tick, first + 200);
    assert_false(prediction_stands(&prediction));
    assert_int_equal(prediction_world_before(&prediction)->tick, first + 199);
}

TEST(skipped_ticks_use_the_input_of_the_tick_after_them)
{
    prediction_push(&prediction, &server.map, prediction.present + 6, &(struct local_inputs){{{BUTTON_LEFT}}});
    test_match_hold(&server, 0, BUTTON_LEFT);
    test_match_step(&server, 6);
    assert_true(confirms());
}

TEST(a_world_ahead_of_the_present_becomes_the_present)
{
    test_match_step(&server, 90);
    assert_false(confirms());
    assert_int_equal(restore(), 0);
    assert_int_equal(prediction_world(&prediction)->tick, server.world.tick);
    assert_ptr_equal(prediction_world_before(&prediction), prediction_world(&prediction));
    push(1, 0);
    assert_int_equal(prediction_world_before(&prediction)->tick, server.world.tick);
}
